"""A random program with many decisions, for tests/cover.sh: python3 random_decisions.py SEED [threads] >program.c

Functions with if, loops, switch, ?: and returns over conditions of &&, ||, ! and macros; small inputs, so that all paths are few.
With threads there are two inputs, and what else they decide on depends on their order."""
import random, sys

r = random.Random(int(sys.argv[1]))
VARIABLES = ("a", "b", "c", "d")

def leaf():
    v, w = r.choice(VARIABLES), r.choice(VARIABLES)
    return r.choice([f"{v}", f"{v} > {r.randrange(4)}", f"{v} == {w}", f"IS_ODD({v})", f"{v} + {w} < {r.randrange(6)}", f"!{v}"])

def condition(depth):
    if depth == 0 or r.random() < 0.2:
        return leaf()
    text = f"({condition(depth - 1)} {r.choice(['&&', '||'])} {condition(depth - 1)})"
    return f"!{text}" if r.random() < 0.2 else text

def statement(depth, n):
    kind = r.randrange(7 if depth else 3)
    pad = "    " * (3 - depth)
    if kind == 0:
        return f"{pad}x += {condition(2)};\n"
    if kind == 1:
        return f"{pad}x += {condition(1)} ? {r.randrange(9)} : {r.choice(VARIABLES)};\n"
    if kind == 2:
        return f"{pad}if ({condition(2)})\n{pad}    return x;\n"
    if kind == 3:
        return f"{pad}for (int i = 0; i < 2 && {condition(1)}; i++) {{\n{pad}    x += i;\n{statement(depth - 1, n)}{pad}}}\n"
    if kind == 4:
        return f"{pad}switch ({r.choice(VARIABLES)}) {{\n{pad}case 0:\n{statement(depth - 1, n)}{pad}    break;\n{pad}case 2:\n{pad}    x++;\n{pad}default:\n{statement(depth - 1, n)}{pad}}}\n"
    if kind == 5 and n:
        return f"{pad}x += f{r.randrange(n)}({', '.join(r.choice(VARIABLES) for _ in VARIABLES)});\n"
    return f"{pad}if ({condition(2)}) {{\n{statement(depth - 1, n)}{pad}}} else {{\n{statement(depth - 1, n)}{pad}}}\n"

print("#include <heddle.h>\n#define IS_ODD(x) ((x) & 1)\n#define BOTH(x, y) ((x) && (y))")
for n in range(3):
    body = "".join(statement(2, n) for _ in range(r.randrange(1, 4)))
    print(f"{'static ' if r.random() < 0.7 else ''}int f{n}(int a, int b, int c, int d) {{\n    int x = 0;\n{body}    return x;\n}}")

def thread(n):
    """Three accesses of shared words, and a decision on what was read."""
    own, other = ("p", "q") if n else ("q", "p")
    return f"""static int thread{n}(void *unused) {{
    (void)unused;
    {own} = {r.randrange(1, 4)};
    int a = {other}, b = x[{n}], c = {r.choice(["x[0]", "x[1]", "3 - x[1]"])}, d = {r.choice([other, other, own, "a ^ 1"])};
    heddle_cover("thread {n} is first", a == 0 && d != a);
    heddle_cover("thread {n} sees {r.randrange(4)}", {r.choice("abcd")} == {r.randrange(4)} && f{n}(a, b, c, d) > {r.randrange(3)});
    return f2(a, b, c, d);
}}"""

if len(sys.argv) > 2:
    print("#include <stdatomic.h>\n#include <threads.h>\nstatic _Atomic int p, q;\nstatic unsigned char x[2];")
    print(thread(0) + "\n" + thread(1))
    print("int main(void) {\n    thrd_t t[2];\n    heddle_input(x);\n    heddle_assume(x[0] < 4 && x[1] < 4);")
    print("    thrd_create(&t[0], thread0, 0);\n    thrd_create(&t[1], thread1, 0);\n    thrd_join(t[0], 0);\n    thrd_join(t[1], 0);\n    return 0;\n}")
    sys.exit()
print("int main(void) {\n    unsigned char v[4];\n    heddle_input(v);")
print("    for (int i = 0; i < 4; i++)\n        heddle_assume(v[i] < 4);")
print("    int x = " + " + ".join(f"f{n}(v[{r.randrange(4)}], v[{r.randrange(4)}], v[{r.randrange(4)}], v[{r.randrange(4)}])" for n in range(3)) + ";")
print(f"    return {r.choice(['BOTH(x > 3, v[0])', 'x > 3 && v[0] != 1'])} ? x & 3 : 0;\n}}")

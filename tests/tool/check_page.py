"""check_page.py PAGE OBLIGATIONS COVER LCOV TESTS -- the data of a page against what the commands say (tests/report.sh)."""
import json, re, sys

page, obligations, cover, lcov, tests = sys.argv[1:]
data = json.loads(re.search(r'<script type="application/json" id="data"[^>]*>(.*?)</script>', open(page).read(), re.S).group(1))
obligations, cover, tests = (json.load(open(p)) for p in (obligations, cover, tests))
c = data["coverage"]


def say(name, ok, why=""):
    print(f"ok - {name}" if ok else f"not ok - {name}: {why}", flush=True)


columns = ["functions", "regions", "lines", "branches", "mcdc"]
numbers = lambda o: [x for k in columns for x in (o[k]["covered"], o[k]["count"])]
say("the page has llvm-cov's numbers", c["totals"] == numbers(cover["totals"]), (c["totals"], numbers(cover["totals"])))
say("of every function", sorted(map(str, (f["numbers"] for f in c["functions"]))) == sorted(str(numbers(f)) for f in cover["functions"]), c["functions"])
lines = [list(map(int, l[3:].split(","))) for l in open(lcov).read().split() if l.startswith("DA:")]
say("and of every line", sorted(c["lines"]["list.c"]) == sorted(lines), (c["lines"], lines))
listed = lambda kind: sorted((o["at"]["line"], o["at"]["column"], o.get("side"), o["state"], str(o["tests"])) for o in obligations["list"] if o["kind"] == kind)
branches = sorted((b["at"][0], b["at"][1], b["side"], b["state"], str(b["tests"])) for b in c["branches"])
say("branches are those of heddle obligations", branches == listed("branch"), branches)
conditions = sorted((k["at"][0], k["at"][1], None, k["state"], str(k["tests"])) for d in c["decisions"] for k in d["conditions"])
say("so are conditions", conditions == listed("condition") and len(conditions) == 7, conditions)


# Vectors by the meaning of C: every way through the decision once, with its value.
def ways(decide, n):
    found = {}
    for bits in range(2 ** n):
        asked = {}
        result = decide(lambda i: asked.setdefault(i, bool(bits >> i & 1)))
        found["".join("-" if i not in asked else "T" if asked[i] else "F" for i in range(n))] = result
    return found


shapes = {8: (lambda q: q(0) and (q(1) or q(2)), 3), 10: (lambda q: q(0) and q(1), 2), 20: (lambda q: q(0) and q(1), 2)}
for d in c["decisions"]:
    order = sorted(range(len(d["conditions"])), key=lambda i: d["conditions"][i]["at"][:2])
    got = {"".join(v[0][i] for i in order): v[1] for v in d["vectors"]}
    say(f"vectors of the decision at line {d['at'][0]}", got == ways(*shapes[d["at"][0]]), got)

# The graph: every pointer of the test leads where the test says.
finding = data["findings"][0]
boxes = finding["graph"]["boxes"]
reached, at = [], 0
for _ in range(4):
    reached.append(at)
    at = next((cell[2] for cell in boxes[at][2] if cell[2] >= 0), -1)
say("the graph is the ring", [b[0] for b in boxes][0] == "inputs" and reached == [0, 1, 2, 1], boxes)
say("with as many cells as the test has inputs", sum(len(b[2]) for b in boxes) == len(next(t for t in tests["tests"] if t["end"] == "finding")["inputs"]), boxes)

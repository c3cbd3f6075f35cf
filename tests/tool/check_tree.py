"""check_tree.py PAGE ALL -- who could go on in the tests of PAGE, against ALL, the page of the same program in every order (tests/report.sh)."""
import json, re, sys


def read(path):
    return json.loads(re.search(r'<script type="application/json" id="data"[^>]*>(.*?)</script>', open(path).read(), re.S).group(1))


def say(name, ok, why=""):
    print(f"ok - {name}" if ok else f"not ok - {name}: {why}", flush=True)


def repeated(text):
    """Of "a*2 b": a, a, b."""
    return [word.split("*")[0] for word in text.split() for _ in range(int((word.split("*") + ["1"])[1]))]


def threads(text):
    return {i for part in text.split(",") for i in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)}


def turns(test):
    return [int(t) for t in repeated(test[6])]


some, every = read(sys.argv[1]), read(sys.argv[2])
# Whoever could go on went on in one of all orders, and nobody else did; where main (thread 0) creates or joins a thread, nothing else is tried.
went = {}
for test in every["tests"]:
    order = turns(test)
    for i, thread in enumerate(order):
        went.setdefault(tuple(order[:i]), set()).add(thread)
seen = [(order[:i], able, went.get(tuple(order[:i])))
        for page in (some, every) for test, text in zip(page["tests"], page["able"])
        for order in [turns(test)] for i, able in enumerate(map(threads, repeated(text)))]
wrong = [x for x in seen if x[1] != x[2] and not (x[2] == {0} and 0 in x[1])]
choices = sum(able == did and len(did) > 1 for _, able, did in seen)
whole = all(len(repeated(text)) == len(turns(test)) for page in (some, every) for test, text in zip(page["tests"], page["able"]))
say("who could go on is who did in one of all orders", whole and not wrong and choices > 50 and len(every["tests"]) > len(some["tests"]) > 1, (whole, choices, len(some["tests"]), len(every["tests"]), wrong[:1]))
say("the others are said to be asleep", some["other_turns"] == "asleep" and some["other_ways"] == "unknown", (some["other_turns"], some["other_ways"]))

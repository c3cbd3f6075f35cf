#!/bin/bash
# What `heddle export` writes for other tools, read by readers of our own that know the formats and not Heddle: .ktest and XML of Test-Comp against
# `heddle tests --json`, corpora and cmocka by running them, JUnit by its attributes, JSON by its schema, SARIF by the part of OASIS's schema that is used;
# and `heddle diff` with its exit status.
#
#     HEDDLE=build/heddle tests/formats.sh      prints "ok - NAME" or "not ok - NAME: reason"
#
# SARIF_SCHEMA and JUNIT_SCHEMA may name the whole schemas, which are not ours to keep here: with these SARIF is validated by Python's jsonschema, JUnit by xmllint.
. "$(dirname "$0")/tool/script.sh"
enter
cp -r "$top"/examples/bank_threads.c .
cat >values.c <<'END'
#include <heddle.h>
#include <stdlib.h>
struct pair { short first; unsigned char second[3]; };
int main(void) {
    int number;
    struct pair p;
    _Bool flag;
    heddle_input(number);
    heddle_input(p);
    heddle_input(flag);
    long chosen = heddle_choose(-3, 4);
    if (number < -5 && p.first == 1000)
        return 1;
    if (p.second[1] == 'x' && flag)
        abort();
    heddle_assert(chosen != -2 || number != 7);
    return chosen == 3 ? 2 : 0;
}
END
cat >pointers.c <<'END'
#include <heddle.h>
int main(void) {
    int *p, x;
    heddle_input(p);
    heddle_input(x);
    return p ? *p == 3 && x == 4 : 0;
}
END
cat >fuzz.c <<'END'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 3 && data[0] == 'k' && data[2] == 7)
        __builtin_trap();
    return 0;
}
END
"$HEDDLE" run -q -j 1 values.c -o run >out 2>err
"$HEDDLE" tests run --json >tests.json
"$HEDDLE" findings run --json >findings.json

# A schema of JSON, as far as these use it.
cat >schema.py <<'END'
import json, re
def check(value, schema, root=None, at="$"):
    root = root or schema
    if "$ref" in schema:
        return check(value, root["$defs"][schema["$ref"].split("/")[-1]], root, at)
    types = schema.get("type", [])
    names = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int}
    types = [types] if isinstance(types, str) else types
    assert not types or any(isinstance(value, names[t]) and not (t == "integer" and isinstance(value, bool)) for t in types), f"{at}: {value!r} is no {types}"
    assert "enum" not in schema or value in schema["enum"], f"{at}: {value!r}"
    assert "const" not in schema or value == schema["const"], f"{at}: {value!r}"
    assert "pattern" not in schema or re.search(schema["pattern"], value), f"{at}: {value!r}"
    assert "minimum" not in schema or value >= schema["minimum"], f"{at}: {value!r}"
    assert "minItems" not in schema or len(value) >= schema["minItems"], f"{at}: too few"
    if isinstance(value, dict):
        for name in schema.get("required", []):
            assert name in value, f"{at}: no {name}"
        for name, inner in value.items():
            if name in schema.get("properties", {}):
                check(inner, schema["properties"][name], root, f"{at}.{name}")
            else:
                assert schema.get("additionalProperties", True), f"{at}: unknown {name}"
    if isinstance(value, list):
        for i, inner in enumerate(value):
            check(inner, schema.get("items", {}), root, f"{at}[{i}]")
END
# The part of SARIF 2.1.0 (OASIS standard, 27 March 2020) that Heddle writes: what sections 3.13 to 3.30 require, and nothing that they do not have.
cat >sarif.schema.json <<'END'
{"type": "object", "required": ["version", "runs"], "additionalProperties": false,
 "properties": {"$schema": {"type": "string", "pattern": "sarif-schema-2\\.1\\.0\\.json$"}, "version": {"const": "2.1.0"},
  "runs": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["tool"], "additionalProperties": false, "properties": {
    "tool": {"type": "object", "required": ["driver"], "additionalProperties": false, "properties": {"driver": {"type": "object", "required": ["name"], "additionalProperties": false,
      "properties": {"name": {"type": "string"}, "version": {"type": "string"}, "rules": {"type": "array", "items": {"type": "object", "required": ["id"], "additionalProperties": false,
        "properties": {"id": {"type": "string"}, "shortDescription": {"$ref": "#/$defs/message"}}}}}}}},
    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    "results": {"type": "array", "items": {"type": "object", "required": ["message"], "additionalProperties": false, "properties": {
      "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": 0}, "level": {"enum": ["none", "note", "warning", "error"]},
      "message": {"$ref": "#/$defs/message"}, "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
      "partialFingerprints": {"type": "object"}, "properties": {"type": "object"},
      "stacks": {"type": "array", "items": {"type": "object", "required": ["frames"], "additionalProperties": false, "properties": {
        "frames": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {"location": {"$ref": "#/$defs/location"}}}}}}}}}}}}}},
 "$defs": {"message": {"type": "object", "required": ["text"], "additionalProperties": false, "properties": {"text": {"type": "string"}}},
  "location": {"type": "object", "additionalProperties": false, "properties": {"message": {"$ref": "#/$defs/message"},
    "physicalLocation": {"type": "object", "required": ["artifactLocation"], "additionalProperties": false, "properties": {
      "artifactLocation": {"type": "object", "additionalProperties": false, "properties": {"uri": {"type": "string", "pattern": "^[A-Za-z0-9/._~+%:-]+$"}}},
      "region": {"type": "object", "additionalProperties": false, "properties": {"startLine": {"type": "integer", "minimum": 1}}}}}}}}}
END

# written NAME FORMAT DIR: export, and what Python on standard input says about it.
written() {
    "$HEDDLE" export "--$2" "$3" -o "out-$2" >out 2>err
    say "$1" "$([ -s err ] && head -c 300 err; python3 - 2>&1 | tail -n 2)"
}
written ".ktest: every request of the program with its bytes" ktest run <<'END'
import glob, json, struct
def read(path):
    b = open(path, "rb").read()
    at = 5
    def number():
        nonlocal at
        at += 4
        return struct.unpack(">I", b[at - 4:at])[0]
    def sized():
        nonlocal at
        n = number()
        at += n
        return b[at - n:at]
    assert b[:5] == b"KTEST" and number() == 3
    [sized() for _ in range(number())]
    number(), number()
    objects = [(sized().decode(), sized()) for _ in range(number())]
    assert at == len(b), "more behind it"
    return objects
tests = {t["number"]: t for t in json.load(open("tests.json"))["tests"]}
files = sorted(glob.glob("out-ktest/*.ktest"))
assert len(files) == len(tests) > 3
for path in files:
    values = {i["name"]: i["value"] for i in tests[int(path[-10:-6])]["inputs"]}
    objects = dict(read(path))
    assert struct.unpack("<i", objects["number"])[0] == values["number"], path
    if "p" in objects:
        first, a, b, c = struct.unpack_from("<hBBB", objects["p"])
        assert (first, a, b, c) == (values["p.first"], *(values[f"p.second[{i}]"] for i in range(3))), path
    assert objects["flag"][0] == values["flag"]
END
written "Test-Comp: values in the order of requests, and metadata" xml run <<'END'
import glob, hashlib, json, xml.etree.ElementTree as xml
tests = {t["number"]: t for t in json.load(open("tests.json"))["tests"]}
files = sorted(glob.glob("out-xml/test_*.xml"))
assert len(files) == len(tests)
for path in files:
    root = xml.parse(path).getroot()
    assert root.tag == "testcase" and all(e.tag == "input" for e in root)
    assert 'testcase-1.1.dtd' in open(path).read()
    values = {i["name"]: i["value"] for i in tests[int(path[-8:-4])]["inputs"]}
    assert {e.get("variable"): int(e.text) for e in root} == values, path
    assert root[0].get("variable") == "number"
meta = xml.parse("out-xml/metadata.xml").getroot()
assert [e.tag for e in meta] == ["sourcecodelang", "producer", "specification", "programfile", "programhash", "entryfunction", "architecture", "creationtime"]
assert meta.find("programhash").text == hashlib.sha256(open("values.c", "rb").read()).hexdigest()
END
written "JUnit: a case for each test, findings are failures" junit run <<'END'
import json, os, subprocess, xml.etree.ElementTree as xml
tests = json.load(open("tests.json"))["tests"]
findings = json.load(open("findings.json"))["findings"]
if official := os.environ.get("JUNIT_SCHEMA"):
    subprocess.run(["xmllint", "--noout", "--schema", official, "out-junit/junit.xml"], check=True, stderr=subprocess.DEVNULL)
root = xml.parse("out-junit/junit.xml").getroot()
assert root.tag == "testsuites" and len(root) == 1
suite = root[0]
cases = suite.findall("testcase")
failed = [c for c in cases if c.find("failure") is not None]
assert int(suite.get("tests")) == len(cases) == len(tests)
assert int(suite.get("failures")) == len(failed) >= len(findings) > 1
assert all(c.get("name") and c.get("classname") and float(c.get("time")) >= 0 for c in cases)
assert {f["message"] for f in findings} <= {c.find("failure").get("message") for c in failed}
END
written "SARIF: valid, a result for each finding" sarif run <<'END'
import json, os, sys
sys.path.insert(0, ".")
from schema import check
log = json.load(open("out-sarif/findings.sarif"))
check(log, json.load(open("sarif.schema.json")))
if official := os.environ.get("SARIF_SCHEMA"):
    import jsonschema
    jsonschema.validate(log, json.load(open(official)))
findings = json.load(open("findings.json"))["findings"]
run = log["runs"][0]
rules = run["tool"]["driver"]["rules"]
assert len({r["id"] for r in rules}) == len(rules)
assert [(r["ruleId"], r["message"]["text"]) for r in run["results"]] == [(f["kind"], f["message"]) for f in findings]
for r, f in zip(run["results"], findings):
    assert rules[r["ruleIndex"]]["id"] == r["ruleId"]
    place = r["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == f["line"] and place["artifactLocation"]["uri"].endswith("values.c")
    assert len(r["stacks"][0]["frames"]) == len(f["stack"])
try:
    log["runs"][0]["results"][0]["level"] = "terrible"
    check(log, json.load(open("sarif.schema.json")))
    print("the schema lets everything through")
except AssertionError:
    pass
END
written "JSON: valid by its own schema" json run <<'END'
import json, sys
sys.path.insert(0, ".")
from schema import check
schema, whole = json.load(open("out-json/run.schema.json")), json.load(open("out-json/run.json"))
check(whole, schema)
assert whole["tests"] == json.load(open("tests.json"))["tests"] and whole["findings"] == json.load(open("findings.json"))["findings"]
for i, spoil in enumerate((lambda w: w["tests"][0].pop("end"), lambda w: w.update(other=1), lambda w: w["findings"][0].update(line="3"))):
    other = json.load(open("out-json/run.json"))
    spoil(other)
    try:
        check(other, schema)
        print("the schema lets through", i)
    except AssertionError:
        pass
END

"$HEDDLE" export --cmocka run -o cmocka >out 2>err
cc -w -I "$top/include" -Dmain=heddle_program_main -c values.c -o program.o 2>err
reason=""
for number in 1 $(python3 -c 'import json; print(*(f["test"] for f in json.load(open("findings.json"))["findings"]))'); do
    cc -Wall -Werror cmocka/test_$(printf %04d "$number").c program.o -lcmocka -o a.out 2>err && ./a.out >out 2>&1 </dev/null || reason="test $number: $(head -c 300 err out)"
done
say "cmocka: tests end as recorded" "$reason"
sed 's/number < -5/number > -5/' values.c >other.c
cc -w -I "$top/include" -Dmain=heddle_program_main -c other.c -o program.o
number=$(python3 -c 'import json; print(next(t["number"] for t in json.load(open("tests.json"))["tests"] if t["status"] == 1 and t["end"] == "exit"))')
cc -w cmocka/test_$(printf %04d "$number").c program.o -lcmocka -o a.out && ./a.out >out 2>&1 </dev/null
say "cmocka: and fail with another program" "$([ $? -eq 1 ] || echo "it passed")"

"$HEDDLE" run -q -j 1 --function LLVMFuzzerTestOneInput fuzz.c -o fuzzed >out 2>err
"$HEDDLE" export --corpus fuzzed -o corpus >out 2>err
clang-19 -fsanitize=fuzzer fuzz.c -o fuzzer 2>err
number=$("$HEDDLE" findings fuzzed --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["findings"][0]["test"])')
reason=""
for file in corpus/*.bin; do
    ./fuzzer "$file" >out 2>&1
    status=$?
    [ $((status != 0)) -eq $((10#${file:12:4} == number)) ] || reason="$file: status $status"
done
say "a corpus: libFuzzer's own program crashes on the finding's bytes, and on no others" "$reason"

"$HEDDLE" run -q -j 1 pointers.c -o pointers >out 2>err
"$HEDDLE" export --ktest pointers -o out-pointers >out 2>err
say "what a form does not know is left out, and said" "$(grep -qE '^[1-9][0-9]* left out: they have objects behind' out && ls out-pointers/*.ktest >/dev/null || cat out err)"
# ends STATUS PATTERN NAME ARGUMENTS...
ends() {
    local wanted=$1 pattern=$2 name=$3
    shift 3
    "$HEDDLE" "$@" >out 2>err
    local status=$?
    say "$name" "$([ $status -eq "$wanted" ] && cat out err | grep -qE -e "$pattern" || echo "status $status: $(head -c 300 err out)")"
}
ends 2 "'--junit' is about the whole run" "the whole run has no number" export --junit run 1 -o no
"$HEDDLE" run -q -j 1 bank_threads.c -o threads >out 2>err
ends 0 "left out: they depend on the order" "orders are left out" export --xml threads -o no
ends 0 "written" "and are in JUnit" export --junit threads -o no

# ---- diff ----
ends 0 "^same .*assertion" "a run is like itself" diff run run
sed -i 's/chosen != -2/chosen != -2 \&\& chosen != 9/; 3i int one_line_more;' values.c
"$HEDDLE" run -q -j 1 values.c -o newer >out 2>err
ends 1 "^new .*chosen != 9" "a new finding" diff run newer
ends 1 "^gone .*chosen != -2 " "one that is gone" diff run newer
ends 1 "^same .*abort" "one whose line has moved" diff run newer
ends 0 "^gone" "nothing new" diff newer pointers
"$HEDDLE" run -q -j 1 -n 1 values.c -o short >out 2>err
ends 0 "a smaller share" "less covered is said" diff newer short
ends 1 "a smaller share" "and counts with --strict" diff --strict newer short
ends 2 "two run directories" "one run is not enough" diff run
ends 2 "nowhere" "no run" diff run nowhere
"$HEDDLE" diff run newer --json >out 2>err
say "diff for scripts" "$(python3 -c 'import json; j = json.load(open("out")); assert j["exit_status"] == 1 and len(j["new"]) == 1 == len(j["gone"]) and j["same"] and len(j["runs"]) == 2, j' 2>&1)"

# ---- the snippets of docs/coverage.md ----
mkdir ci && cd ci && cp ../values.c program.c
python3 - "$top/docs/coverage.md" >commands 2>err <<'END'
import re, sys, yaml
github, gitlab = (yaml.safe_load(b) for b in re.findall(r"```yaml\n(.*?)```", open(sys.argv[1]).read(), re.S))
assert set(github) == {"name", True, "jobs"}, github.keys()  # YAML 1.1 reads "on" as a truth value
lines = []
for job in github["jobs"].values():
    assert set(job) <= {"runs-on", "permissions", "steps"} and isinstance(job["runs-on"], str)
    for step in job["steps"]:
        assert ("uses" in step) != ("run" in step) and set(step) <= {"uses", "run", "name", "with"}, step
        lines += step.get("run", "").splitlines()
for job in gitlab.values():
    assert set(job) <= {"stage", "script", "artifacts"} and all(isinstance(l, str) for l in job["script"])
    assert set(job["artifacts"]) <= {"when", "paths", "reports"} and set(job["artifacts"]["reports"]) <= {"junit", "sast", "coverage_report"}
    lines += job["script"]
print("\n".join(lines))
END
reason=$(cat err)
while read -r line; do
    PATH=$(dirname "$HEDDLE"):$PATH bash -ec "$line" >out 2>err </dev/null || reason="$line: $(head -c 300 err)"
done <commands
say "the snippets for CI: their keys, and every command" "$([ -s commands ] || echo "no commands"; [ -s reports/findings.sarif ] && [ -s reports/lcov.info ] || ls -R; echo "$reason" | head -n 1)"
exit $((failures > 0))

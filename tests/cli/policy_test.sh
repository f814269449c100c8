#!/bin/sh
# `rgx policy test` runs the cases beside policies: 0 as expected, 1 decided otherwise or too little
# covered, 2 for a mistake; text, JSON and JUnit.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

expect 0 "$RGX" policy test "$RGX_SOURCE/policies" --coverage 100
says "$out" "default.test.yaml"
says "$out" "(100 %)"

mkdir p
cat >p/p.yaml <<'END'
schema: rgx.policy/v1
name: sample
layer: repository
rules:
  - id: edit
    effect: allow
    tool: ["file.edit"]
    read: ["src/**"]
    write: ["src/**"]
    why: "sources"
    remedy: "change src/"
  - id: frozen
    effect: deny
    write: ["src/ledger/**"]
    why: "frozen"
    remedy: "ask"
END
cases() {
  printf 'schema: rgx.policy-test/v1\npolicy: p.yaml\nnow: "2026-12-01T00:00:00Z"\ncases:\n'
  printf '  - {name: "a <&> b", request: {use: file.edit, with: {path: src/a.c}}, decision: %s}\n' \
    "$1"
}
cases allow >p/a.test.yaml
expect 0 "$RGX" policy test p
says "$out" "1 of 1 case passed"
says "$out" "1 of 2 (50 %)"
says "$out" 'no case is decided by `frozen`'
expect 0 "$RGX" policy test p --coverage 50
expect 1 "$RGX" policy test p --coverage 51
says "$out" "51 % asked for"

# A second file of the same policy adds to its coverage.
cases deny | sed 's|src/a.c|src/ledger/a.c|' >p/b.test.yaml
expect 0 "$RGX" policy test p --coverage 100

cases deny >p/c.test.yaml
expect 1 "$RGX" policy test p --junit report.xml
says "$out" "p/c.test.yaml:5"
says "$out" 'expected deny, got allow by `edit`'
says report.xml '<testsuites>'
says report.xml 'name="a &lt;&amp;&gt; b"'
says report.xml 'failure message="expected deny, got allow by `edit`"'
python3 -c 'import sys, xml.dom.minidom as m; d = m.parse(sys.argv[1])
assert len(d.getElementsByTagName("testcase")) == 3, d.toxml()
assert len(d.getElementsByTagName("failure")) == 1, d.toxml()' report.xml || fail "report.xml"
expect 1 "$RGX" policy test p --json
[ "$(jq -r '.schema + " " + (.failed | tostring) + " " + (.coverage[0].percent | tostring)' \
  "$out")" = "rgx.policy-test-report/v1 1 100" ] || fail "$(cat "$out")"

# Mistakes: the other files are still run.
printf 'schema: rgx.policy-test/v1\npolicy: none.yaml\nnow: "2026-12-01T00:00:00Z"\n' >p/d.test.yaml
expect 2 "$RGX" policy test p
says "$err" "p/d.test.yaml"
says "$err" "cases"
says "$out" "a.test.yaml"
mkdir empty
expect 2 "$RGX" policy test empty
says "$err" '`empty` holds 0 files'
expect 2 "$RGX" policy test none.test.yaml
says "$err" '`none.test.yaml` does not exist'
expect 2 "$RGX" policy test p --coverage 101
says "$err" "coverage"

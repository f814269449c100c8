#!/bin/sh
# api-replace on the C++ sample: callers of a deprecated function move to the new one, CTest builds
# and passes. Where the new name would be defined twice, the build fails, and so does the run.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs ctest cmake make

sample repo sample-cpp
cd repo
expect 0 "$RGX" init --yes
grep -q 'test_argv: \["ctest", "--build-and-test"' .rgx/config.yaml || fail "not CTest"
commit_all .

plan_and_review "replace parse_line with parse_reading under app and tests"
cat >"$base/expected" <<'END_LINES'
file app/main.cc
-    if (meterlog::parse_line(line)) {
+    if (meterlog::parse_reading(line)) {
file app/table.cc
-  const auto reading = meterlog::parse_line(line);
+  const auto reading = meterlog::parse_reading(line);
file tests/parse_test.cc
-  const auto reading = meterlog::parse_line("kitchen;1250");
+  const auto reading = meterlog::parse_reading("kitchen;1250");
-  expect(meterlog::parse_line("cellar;7\r").has_value(), "CR at the end");
-  expect(!meterlog::parse_line("cellar;seven").has_value(), "no number");
-  expect(!meterlog::parse_line(";7").has_value(), "no meter");
+  expect(meterlog::parse_reading("cellar;7\r").has_value(), "CR at the end");
+  expect(!meterlog::parse_reading("cellar;seven").has_value(), "no number");
+  expect(!meterlog::parse_reading(";7").has_value(), "no meter");
END_LINES
changed_lines | same_as "$base/expected"
verified
[ -x build/rgx/parse_test ] || fail "the tests were not built"
commit_all .

# Nothing left to do is said before anything runs.
expect 2 "$RGX" plan "replace parse_line with parse_reading under app and tests"
says "$err" "[instantiate.nothing_to_do]"

# Names with spaces in Chinese, lines that end in CR LF; a binary with the word is left alone.
printf '\000cellar\000' >tests/data/cellar.bin
commit_all .
plan_and_review "replace cellar with basement under tests/data"
[ "$(git -c core.quotePath=false diff --name-only | tr '\n' '|')" = \
  "tests/data/windows.csv|tests/data/一月 读数.csv|" ] || fail "changed: $(git status --porcelain)"
printf 'meter;watt-hours\r\nkitchen;1250\r\nbasement;2000\r\nattic;350\r\n' |
  cmp - tests/data/windows.csv || fail "not the same line ends"
verified
commit_all .

# The library has both functions: a definition of its own for each name.
expect 1 "$RGX" run "replace parse_line with parse_reading under lib and include"
says "$err" "redefinition"
verified
git checkout -q .

# A policy for this run that closes the library refuses the plan.
cat >"$base/closed.yaml" <<'END_POLICY'
schema: rgx.policy/v1
name: closed
layer: run
rules:
  - id: library-is-closed
    effect: deny
    write: ["lib/**", "include/**"]
    why: "the library is released by another team"
    remedy: "name only app and tests in the intent"
END_POLICY
expect 3 "$RGX" run "replace parse_line with parse_reading under lib" --policy "$base/closed.yaml"
says "$err" "library-is-closed"
[ -z "$(git status --porcelain)" ] || fail "a refused run changed files"

# ---- Go: only the plan; with an empty cache Go compiles its own library for a minute ------------
cd "$base"
sample go sample-go
cd go
expect 0 "$RGX" init --yes
commit_all .
expect 0 "$RGX" plan "rename HeightCm to HeightInCm under tide and cmd and run the tests" \
  --out "$base/go.json"
jq -r '.plan.steps[] | [.id, (.with.argv // [] | join(" "))] | join(": ")' "$base/go.json" |
  sort >"$base/steps"
cat >"$base/expected" <<'END_STEPS'
edit[cmd/tide-table/main.go]:·
edit[tide/tide.go]:·
edit[tide/tide_test.go]:·
tests: make test
END_STEPS
sed 's/: $/:·/' "$base/steps" | same_as "$base/expected"

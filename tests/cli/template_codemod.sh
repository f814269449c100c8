#!/bin/sh
# codemod and codemod-script on the Python sample: a pattern with groups is rewritten in every file
# that matches, a script of the project is run on every file, then the tests run. A rewriting that
# breaks them ends with 1, and a script that changes another file than its own does, too.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs python3

sample repo sample-python
cd repo
tests_may_change
expect 0 "$RGX" init --yes
commit_all .
plan_and_run --template codemod --set 'pattern=self\.assertEqual\((\w+)\(' \
  --set 'replacement=self.assertDictEqual(\1(' --set scope=tests --set 'files=**/test_count.py'
cat >"$base/expected" <<'END_LINES'
file tests/test_count.py
-        self.assertEqual(count_items(["bolt,3", "nut,4", "bolt,2"]), {"bolt": 5, "nut": 4})
+        self.assertDictEqual(count_items(["bolt,3", "nut,4", "bolt,2"]), {"bolt": 5, "nut": 4})
-        self.assertEqual(count_items(["article,number", "", "bolt"]), {})
+        self.assertDictEqual(count_items(["article,number", "", "bolt"]), {})
-        self.assertEqual(count_items(lines), {"bolt": 12, "nut": 7})
+        self.assertDictEqual(count_items(lines), {"bolt": 12, "nut": 7})
-        self.assertEqual(merge_counts({"bolt": 1}, {"bolt": 2}), {"bolt": 3})
+        self.assertDictEqual(merge_counts({"bolt": 1}, {"bolt": 2}), {"bolt": 3})
END_LINES
changed_lines | same_as "$base/expected"
verified
commit_all .

# By an intent; the name in a Chinese file is data and is kept.
expect 1 "$RGX" run 'rewrite "article, _, number" as "article, number" under stocktake'
says "$err" "ValueError"
git diff --name-only >"$base/changed"
[ "$(cat "$base/changed")" = stocktake/count.py ] || fail "changed: $(cat "$base/changed")"
verified
git checkout -q .

expect 2 "$RGX" plan --template codemod --set 'pattern=(unclosed' --set replacement=x
says "$err" "pattern"
expect 2 "$RGX" plan --template codemod --set pattern=not_in_here --set replacement=x
says "$err" "[instantiate.nothing_to_do]"

# ---- a script of the project --------------------------------------------------------------------
mkdir tools
cat >tools/docstring.py <<'END_PYTHON'
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
if '"""A report for people."""' in text:
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text.replace("A report for people.", "A report that people read."))
END_PYTHON
commit_all .
intent="run the script tools/docstring.py over stocktake"
expect 3 "$RGX" run "$intent"
says "$err" "no rule grants this command"
cat >>.rgx/policy.yaml <<'END_POLICY'
  - id: our-scripts
    effect: allow
    tool: [exec]
    argv: [python3, tools/docstring.py, "*"]
    read: ["**"]
    write: ["stocktake/**"]
    why: "the project's own scripts change its own files"
    remedy: "put the script below tools"
END_POLICY
commit_all .
plan_and_run "$intent"
cat >"$base/expected" <<'END_LINES'
file stocktake/report.py
-"""A report for people."""
+"""A report that people read."""
END_LINES
changed_lines | same_as "$base/expected"
verified
git checkout -q .

printf 'open("README.md", "a").write("# by the script\\n")\n' >>tools/docstring.py
commit_all .
expect 1 "$RGX" run "$intent"
says "$err" "README.md"
verified

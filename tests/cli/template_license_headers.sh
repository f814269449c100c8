#!/bin/sh
# license-headers on the Python and C++ samples: every file without a licence line gets one behind
# the lines that must come first; what belongs to others is left alone, and nothing is done twice.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

sample cpp sample-cpp
cd cpp
expect 0 "$RGX" init --yes
commit_all .
plan_and_run "add Apache-2.0 license headers"
git diff --name-only >"$base/changed"
cat >"$base/expected" <<'END_LINES'
app/table.cc
app/table.h
include/meterlog/summary.h
include/meterlog/version.h
lib/summary.cc
tests/summary_test.cc
END_LINES
same_as "$base/expected" <"$base/changed"
changed_lines | grep '^[-+]' | sort | uniq -c >"$base/lines"
[ "$(cat "$base/lines")" = "      6 +// SPDX-License-Identifier: Apache-2.0" ] ||
  fail "other lines: $(cat "$base/lines")"
while read -r path; do
  [ "$(head -n 1 "$path")" = "// SPDX-License-Identifier: Apache-2.0" ] ||
    fail "$path: $(head -n 1 "$path")"
done <"$base/changed"
verified
commit_all .

# A file of another system's line ends keeps them, in the new line, too.
printf 'int other();\r\n' >lib/other.h
commit_all .
plan_and_run "add Apache-2.0 license headers"
printf '// SPDX-License-Identifier: Apache-2.0\r\nint other();\r\n' | cmp - lib/other.h ||
  fail "mixed line ends: $(od -c lib/other.h)"
commit_all .
expect 2 "$RGX" plan "add Apache-2.0 license headers"
[ -z "$(git status --porcelain)" ] || fail "a plan changed files"

cd "$base"
sample python sample-python
cd python
chmod 0444 stocktake/legacy.py
expect 0 "$RGX" init --yes
commit_all .
# A read-only file stays as it is: the run says so, keeps the rest and says how to undo it.
expect 1 "$RGX" run "add MIT license headers under stocktake"
says "$err" '`stocktake/legacy.py` is read-only'
says "$err" "chmod u+w"
expect 0 "$RGX" rollback last
[ -z "$(git status --porcelain)" ] || fail "rolled back, but $(git status --porcelain)"
[ "$(stat -c %a stocktake/legacy.py)" = 444 ] || fail "a mode changed"
chmod u+w stocktake/legacy.py
chmod +x stocktake/report.py
commit_all .
plan_and_run "add MIT license headers under stocktake"
cat >"$base/expected" <<'END_LINES'
file stocktake/__init__.py
+# SPDX-License-Identifier: MIT
file stocktake/count.py
+# SPDX-License-Identifier: MIT
file stocktake/legacy.py
+# SPDX-License-Identifier: MIT
file stocktake/report.py
+# SPDX-License-Identifier: MIT
END_LINES
changed_lines | same_as "$base/expected"
[ "$(sed -n 3p stocktake/report.py)" = "# SPDX-License-Identifier: MIT" ] ||
  fail "not behind the interpreter and the encoding: $(head -n 3 stocktake/report.py)"
[ -x stocktake/report.py ] || fail "a mode changed"
verified

# Policy: the files of old scanners are under a freeze.
commit_all .
printf 'def new():\n    return 0\n' >tests/helper.py
commit_all .
cat >"$base/frozen.yaml" <<'END_POLICY'
schema: rgx.policy/v1
name: frozen
layer: run
rules:
  - {id: frozen-tests, effect: deny, write: ["tests/**"], why: "a freeze", remedy: "wait"}
END_POLICY
expect 3 "$RGX" run "add MIT license headers" --policy "$base/frozen.yaml"
says "$err" "frozen-tests"
[ -z "$(git status --porcelain)" ] || fail "a refused run changed files"

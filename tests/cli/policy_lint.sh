#!/bin/sh
# `rgx policy lint`: text, JSON and SARIF of the same findings; 0 clean or notes, 1 findings, 2 a
# file that does not load.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

expect 0 "$RGX" policy lint "$RGX_SOURCE"/policies/strict.yaml "$RGX_SOURCE"/policies/ci.yaml
says "$out" "nothing found"
expect 0 "$RGX" policy lint "$RGX_SOURCE"/policies/maintainer.yaml
says "$out" "notes"

mkdir "a dir"
file="a dir/p.yaml"
cat >"$file" <<'END'
schema: rgx.policy/v1
name: sample
layer: repository
rules:
  - id: any
    effect: allow
    read: ["src/**"]
    why: "sources"
    remedy: "change src/"
  - id: frozen
    effect: deny
    write: ["src/ledger/**"]
    why: "frozen"
    remedy: "ask dana"
exceptions:
  - {rule: frozen, write: ["src/ledger/a.c"], owner: dana, ticket: "T-1", reason: "fix",
     expires: "2026-12-10"}
END
# lint CODE OPTIONS...: of the sample, in December 2026 unless told otherwise.
lint() {
  lint_code=$1
  shift
  expect "$lint_code" "$RGX" policy lint "$file" "$@"
}
lint 1 --now 2026-12-01
says "$out" 'a dir/p.yaml:5:5: warning: rule `any` allows every tool'
says "$out" '[lint.broad_tool]'
says "$out" 'a dir/p.yaml:16:5: warning: the exception to `frozen` (T-1) ends with 2026-12-10'
says "$out" '[lint.exception_expiring]'
says "$out" 'FAIL  a dir/p.yaml  2 warnings'
lint 1 --now 2026-12-01T12:00:00Z --within 5
grep -q exception "$out" && fail "ten days are not within five"
lint 1 --now 2027-01-01 --json
cat >wanted <<'END'
["rgx.policy-lint/v1",1,1,0]
["lint.broad_tool","any",5]
["lint.exception_expired","frozen",16]
END
jq -c '[.schema, .errors, .warnings, .notes], (.files[0].findings[] | [.code, .rule, .line])' \
  "$out" | same_as wanted

# Without --now it is the clock: in any year of this program the exception of 2020 is over.
sed 's/2026-12-10/2020-01-01/' "$file" >old.yaml
expect 1 "$RGX" policy lint old.yaml
says "$out" "lint.exception_expired"

# A file that does not load is told of beside the others, in SARIF, too.
printf 'schema: rgx.policy/v1\nname: x\nlayer: repository\nruls: []\n' >bad.yaml
expect 2 "$RGX" policy lint bad.yaml "$file" none.yaml --now 2026-12-01 --sarif report.sarif
says "$err" "bad.yaml:4:1"
says "$err" '`none.yaml` does not exist'
says "$out" "lint.broad_tool"
jq -e '.version == "2.1.0" and (.runs | length == 1)' report.sarif >/dev/null || fail "report.sarif"
cat >wanted <<'END'
["lint.broad_tool","warning","a%20dir/p.yaml",5]
["lint.exception_expiring","warning","a%20dir/p.yaml",16]
false
["yaml.unknown_key","file.missing"]
true
END
jq -c '.runs[0] |
  (.results[] | [.ruleId, .level, (.locations[0].physicalLocation |
    .artifactLocation.uri, .region.startLine)]),
  .invocations[0].executionSuccessful,
  [.invocations[0].toolExecutionNotifications[].descriptor.id],
  (. as $run | .results | all(.ruleId == $run.tool.driver.rules[.ruleIndex].id))' \
  report.sarif | same_as wanted

expect 2 "$RGX" policy lint "$file" --now yesterday
says "$err" "time.syntax"
expect 2 "$RGX" policy lint "$file" --within -1
expect 2 "$RGX" policy lint "$file" --within 99999
expect 2 "$RGX" policy lint
expect 7 "$RGX" policy lint "$file" --sarif none/report.sarif

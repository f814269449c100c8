#!/bin/sh
# `rgx policy eval` decides one step: exit 0, 6 or 3, with the rules that decided and their lines.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

cat >policy.yaml <<'END'
schema: rgx.policy/v1
name: sample
layer: org
default: deny
rules:
  - id: edit-sources
    effect: allow
    tool: ["file.edit"]
    read: ["src/**"]
    write: ["src/**"]
    why: "sources"
    remedy: "change src/"
  - id: build-files
    effect: require_approval
    write: ["**/CMakeLists.txt"]
    why: "the judge relies on them"
    remedy: "ask"
  - id: frozen
    effect: deny
    write: ["src/ledger/**"]
    why: "frozen"
    remedy: "request an exception"
budgets:
  run: {tokens: 0, cost_usd_micros: 0, wall_ms: 1000, steps: 1, files_changed: 1,
        bytes_written: 1, model_calls: 0, agents: 0, processes: 0}
  step: {wall_ms: 1000}
END

decide() {
  echo "{\"use\": \"file.edit\", \"with\": {\"path\": \"$1\"}}" >request.json
}

expect 0 "$RGX" policy check policy.yaml
says "$out" "ok"

decide src/a.c
expect 0 "$RGX" policy eval --policy policy.yaml --request request.json
says "$out" "allow"
says "$out" "edit-sources"
says "$out" "policy.yaml:6"
decide src/ledger/mac.c
expect 3 "$RGX" policy eval --policy policy.yaml --request request.json
says "$out" "deny"
says "$out" "policy.yaml:18"
says "$out" "request an exception"
decide src/CMakeLists.txt
expect 6 "$RGX" policy eval --policy policy.yaml --request request.json --json
[ "$(jq -r '.schema + " " + .decision + " " + .rules[0].rule' "$out")" = \
  "rgx.decision/v1 require_approval build-files" ] || fail "$(cat "$out")"
decide README.md
expect 3 "$RGX" policy eval --policy policy.yaml --request request.json --json
[ "$(jq -r '.decision + " " + .ungranted[0].element' "$out")" = "deny README.md" ] ||
  fail "$(cat "$out")"

# Standard input, which is the default.
code=0
echo '{"use": "file.edit", "with": {"path": "src/a.c"}}' |
  "$RGX" policy eval --policy policy.yaml >"$out" 2>"$err" || code=$?
[ "$code" = 0 ] || fail "from standard input: $code"

# A file of a lower layer is judged alone as well.
printf 'schema: rgx.policy/v1\nname: x\nlayer: repository\n' >lower.yaml
decide src/a.c
expect 3 "$RGX" policy eval --policy lower.yaml --request request.json
says "$out" "deny"

# Mistakes.
echo '{"use": "file.edti", "with": {"path": "src/a.c"}}' >request.json
expect 2 "$RGX" policy eval --policy policy.yaml --request request.json
says "$err" "file.edit"
silent "$out"
echo '{"use": "file.edit", "with": {"path": "src/a.c"}, "more": 1}' >request.json
expect 2 "$RGX" policy eval --policy policy.yaml --request request.json
says "$err" "more"
echo '{"use": ' >request.json
expect 2 "$RGX" policy eval --policy policy.yaml --request request.json
says "$err" "request.json:"
expect 2 "$RGX" policy eval --policy none.yaml --request request.json
says "$err" '`none.yaml` does not exist'
expect 2 "$RGX" policy eval --request request.json
says "$err" "--policy"

# All mistakes of all files at once.
printf 'schema: rgx.policy/v1\nname: x\nlayer: run\nrulez: []\nreview: maybe\n' >bad.yaml
expect 2 "$RGX" policy check bad.yaml none.yaml policy.yaml
says "$err" "bad.yaml:4:1"
says "$err" "bad.yaml:5:"
says "$err" '`none.yaml` does not exist'
says "$out" "ok  policy.yaml"
expect 0 "$RGX" policy check "$RGX_SOURCE/policies/default.yaml"

# What every rule says.
decide src/ledger/mac.c
expect 3 "$RGX" policy explain --policy policy.yaml --request request.json
says "$out" 'deny `frozen`: decides'
says "$out" 'allow `edit-sources`: matches, a stronger rule decides'
says "$out" 'nothing of the step matches its `write`'
expect 3 "$RGX" policy explain --policy policy.yaml --request request.json --json
[ "$(jq -r '.schema + " " + .decision.decision + " " + ([.rules[].said] | join(","))' "$out")" = \
  "rgx.explanation/v1 deny silent,matches,decides" ] || fail "$(cat "$out")"

#!/bin/sh
# audit-sweep: finds planted secrets, forbidden licences and banned calls, writes nothing, needs no
# permission to; a policy that closes reading refuses it.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

sample repo sample-cpp
cd repo
expect 0 "$RGX" init --yes
commit_all .
plan_and_run "audit this repository"
expect 0 "$RGX" run "scan for secrets, forbidden licenses and banned calls" --json
[ "$(jq -r '[.steps[] | .summary] | unique | join(", ")' "$out")" = "0 matches in 0 files" ] ||
  fail "findings in a clean sample: $(jq -c .steps "$out")"

# One of each kind. The key is the documented example and opens nothing.
key=AKIA$(printf 'IOSFODNN7EXAMPLE')
printf 'region = eu-west-1\naccess = %s\n' "$key" >"app/deploy 部署.ini"
printf '// SPDX-License-Identifier: AGPL-3.0-only\nint copied();\n' >lib/copied.h
printf '#include <cstring>\nvoid f(char* a, const char* b) { strcpy(a, b); }\n' >lib/copy.cc
commit_all .
expect 1 "$RGX" run "scan for secrets, forbidden licenses and banned calls" --json
found="1 match in 1 file; at most 0 may be"
[ "$(jq -r '[.steps[] | .step + ": " + .summary] | sort | join(", ")' "$out")" = \
  "calls: $found, licenses: $found, secrets: $found" ] || fail "findings: $(jq -c .steps "$out")"
for place in "app/deploy 部署.ini:2" lib/copied.h:1 lib/copy.cc:2; do
  says "$err" "$place"
done
! grep -qF "$key" "$err" || fail "the secret is on the screen"
[ "$(jq -c '[.steps[].changed] | unique' "$out")" = "[[]]" ] || fail "an audit changed files"
[ -z "$(git status --porcelain)" ] || fail "an audit changed files"
verified
! grep -rqF "$key" "$HOME/.local/state/rgx" || fail "the secret is in the evidence"

# Other names of banned functions; a scope that has none.
expect 1 "$RGX" run "scan lib for calls to strlen" --json
[ "$(jq -r '.steps[] | select(.step == "calls") | .summary' "$out")" = "0 matches in 0 files" ] ||
  fail "findings: $(jq -c .steps "$out")"
expect 1 "$RGX" run "scan app for secrets" --json
[ "$(jq -r '.steps[] | select(.step == "secrets") | .summary' "$out")" = "$found" ] ||
  fail "findings: $(jq -c .steps "$out")"

# A policy that closes a folder for reading refuses the sweep of it.
cat >"$base/closed.yaml" <<'END_POLICY'
schema: rgx.policy/v1
name: closed
layer: run
rules:
  - {id: data-is-closed, effect: deny, read: ["tests/**"], why: "personal data", remedy: "name app"}
END_POLICY
expect 3 "$RGX" run "scan tests for secrets" --policy "$base/closed.yaml"
says "$err" "data-is-closed"

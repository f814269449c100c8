#!/bin/sh
# Ledgers and plans that earlier versions wrote still verify. Each folder of tests/golden/corpus
# that is named for a version holds what its program wrote: a run's ledger, its plan, the
# repository's index and policy, and the root key of the test. (The other folders are read by tests
# of audit.)
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

versions=0
for folder in "$RGX_SOURCE"/tests/golden/corpus/v*[0-9]; do
  [ -d "$folder" ] || fail "there is no corpus"
  versions=$((versions + 1))
  cp "$folder/root.key" root.key
  chmod 600 root.key
  expect 0 "$RGX" verify "$folder/ledger.jsonl" --key-file root.key --json
  [ "$(jq -r .verdict "$out")" = VERIFIED ] || fail "$folder: $(cat "$out")"
  digest=$(jq -r 'select(.record.type == "genesis") | .record.body.plan_digest' \
    "$folder/ledger.jsonl")
  [ "$digest" = "$(jq -r .digest "$folder/plan.json")" ] || fail "$folder: another plan"
  expect 9 "$RGX" verify "$folder/index.jsonl" --key-file root.key --json
  [ "$(jq -r '.integrity.state + " " + .authenticity.state' "$out")" = "holds holds" ] ||
    fail "$folder: index: $(cat "$out")"

  # The plan is read and sealed again to the same digest: what stops it is only that its files are
  # not in this repository.
  repo=$base/$(basename "$folder")
  mkdir -p "$repo/.rgx"
  cp "$folder/policy.yaml" "$repo/.rgx/policy.yaml"
  commit_all "$repo"
  cd "$repo"
  expect 8 "$RGX" run --plan "$folder/plan.json"
  says "$err" "since the plan was compiled"
  cd "$base"
done
[ "$versions" -ge 1 ] || fail "the corpus is empty"

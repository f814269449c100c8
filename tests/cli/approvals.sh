#!/bin/sh
# A step waits for people: the rest runs, the run stops, somebody lets it go on. Keys of nobody,
# answers for another run and a rejection; the evidence verifies.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

# Another person with keys of her own.
sample ada-repo
tests_may_change
(cd ada-repo && expect 0 env XDG_CONFIG_HOME="$base/ada" "$RGX" init --yes)
ada=$(find "$base/ada" -name requester.pem)
[ -n "$ada" ] || fail "ada has no key: $(find "$base/ada")"

sample repo
cd repo
expect 0 "$RGX" init --yes
commit_all .
cat >"$base/asks.yaml" <<'END'
schema: rgx.policy/v1
name: asks
layer: run
rules:
  - {id: ask-first, effect: require_approval, write: ["src/ring.c"], approval: {self: true},
     why: "the ring is delicate", remedy: "have it approved"}
END
intent="replace ring_push with ring_append under src and tests"
expect 6 "$RGX" run "$intent" --policy "$base/asks.yaml"
says "$out" "waiting"
says "$out" "rgx approve r-"
run=$(sed -n 's/^run  *\([^ ]*\) .*/\1/p' "$out")
step=$(sed -n 's/^waiting  *\([^ ]*\)  .*/\1/p' "$out")
[ -n "$step" ] || fail "nothing waits: $(cat "$out")"
git diff --quiet -- src/ring.c || fail "a step without its approval ran"
expect 0 "$RGX" runs
says "$out" "waiting"
expect 9 "$RGX" verify "$run"

expect 2 "$RGX" approve "$run" nonsense --policy "$base/asks.yaml"
says "$err" "[approval.no_step]"
expect 3 "$RGX" approve "$run" "$step" --policy "$base/asks.yaml" --key "$ada"
says "$err" "[approval.approver]"
expect 8 "$RGX" approve "$run" "$step"
says "$err" "[approval.policy_changed]"
expect 2 "$RGX" approve "$run" "$step" --expires soon --policy "$base/asks.yaml"
expect 6 "$RGX" resume "$run" --policy "$base/asks.yaml"
expect 0 "$RGX" approve "$run" "$step" --policy "$base/asks.yaml" --reason "reviewed"
says "$out" "approved"
expect 0 "$RGX" resume "$run" --policy "$base/asks.yaml"
says "$out" "succeeded"
verified
! git diff --quiet -- src/ring.c || fail "the approved step did not run"
expect 2 "$RGX" resume "$run" --policy "$base/asks.yaml"
says "$err" "[resume.finished]"
expect 2 "$RGX" approve "$run" "$step" --policy "$base/asks.yaml"
says "$err" "[approval.finished]"
git checkout -q .

# An answer of one run is none of another.
answer=$(find "$HOME/.local/state" -path "*$run*" -name 'approval-*.json')
expect 6 "$RGX" run "$intent" --policy "$base/asks.yaml"
other=$(sed -n 's/^run  *\([^ ]*\) .*/\1/p' "$out")
cp "$answer" "$HOME"/.local/state/rgx/repositories/*/runs/"$other"/
expect 6 "$RGX" resume "$other" --policy "$base/asks.yaml"
says "$err" "another run"
expect 0 "$RGX" reject "$other" "$step" --policy "$base/asks.yaml" --reason "not today"
expect 3 "$RGX" resume "$other" --policy "$base/asks.yaml"
says "$out" "not today"
git diff --quiet -- src/ring.c || fail "a rejected step ran"
verified

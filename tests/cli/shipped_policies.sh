#!/bin/sh
# `rgx init --policy NAME` begins a policy of one's own from a shipped one, and each does in a real
# repository what its page in docs/policies says.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs make

own=$HOME/.config/rgx/policy.yaml

# start NAME: a fresh repository under the shipped policy NAME.
start() {
  cd "$base"
  rm -rf repository "$HOME/.config" "$HOME/.local"
  sample repository
  cd repository
  expect 0 "$RGX" init --yes --policy "$1"
  says "$err" "user policy   $own   (policy \`$1\`, "
  says "$err" "wrote         $own"
  cmp "$RGX_SOURCE/policies/$1.yaml" "$own" || fail "$1 is not what ships"
  [ "$(stat -c %a "$own")" = 600 ] || fail "mode of $own: $(stat -c %a "$own")"
  commit_all .
}

# Names that are none, and rules that are there already: nothing is written.
sample repository
cd repository
expect 2 "$RGX" init --yes --policy stict
says "$err" 'no shipped policy `stict`'
says "$err" 'did you mean `strict`?'
expect 2 "$RGX" init --yes --policy default
says "$err" "ci, maintainer, read-only, regulated, strict"
[ ! -e .rgx ] || fail "a refused init wrote settings"
[ ! -e "$HOME/.config/rgx" ] || fail "a refused init wrote keys"
umask 002 # a policy that the group may write would not be believed
expect 0 "$RGX" init --yes --policy strict
echo "# mine" >>"$own"
cp "$own" "$base/mine"
expect 2 "$RGX" init --yes --policy ci
says "$err" "you have a policy already"
cmp "$base/mine" "$own" || fail "a policy was replaced"

src="replace end with slot under src" # one variable of ring.c
both="replace ring_push with ring_append under src and tests"

start maintainer
expect 0 "$RGX" plan "$src"

# read-only: sweeps run, changes do not, whatever the repository says.
start read-only
expect 3 "$RGX" plan "$src"
says "$out" 'rule no-writes'
expect 3 "$RGX" plan "run the tests and report"
says "$out" 'rule no-programs'
got=0
"$RGX" run "scan src for secrets and banned calls" >"$out" 2>"$err" || got=$?
[ "$got" != 7 ] || skip "the kernel lacks what \`sandbox: required\` asks for"
[ "$got" = 0 ] || [ "$got" = 1 ] || fail "the sweep exited with $got: $(cat "$err")"
git diff --quiet || fail "read-only changed something"
verified

# ci: nobody has seen the plan, and nobody is asked.
start ci
expect 0 "$RGX" run "$src"
grep -q slot src/ring.c || fail "nothing was changed"
verified

# strict: code is free once the plan was seen; tests ask, and oneself may answer.
start strict
expect 6 "$RGX" run "$src"
says "$err" "review: plan"
expect 0 "$RGX" plan "$src" --out ../plan.json
expect 0 "$RGX" run --plan ../plan.json
start strict
expect 0 "$RGX" plan "$both" --out ../plan.json
says "$out" "rule build-and-tests"
says "$out" "1 ask"
expect 6 "$RGX" run --plan ../plan.json
expect 0 "$RGX" approve last "edit[tests/ring_test.c]" --reason "only the name"

# regulated: every edit waits, and whoever asked for the run cannot answer.
start regulated
expect 0 "$RGX" plan "$src" --out ../plan.json
says "$out" "rule four-eyes"
expect 6 "$RGX" run --plan ../plan.json
git diff --quiet || fail "an edit that nobody approved happened"
expect 3 "$RGX" approve last "edit[src/ring.c]" --reason "mine"
says "$err" "policy asks for somebody else"

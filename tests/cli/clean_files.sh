#!/bin/sh
# A run in place starts only when git could give back every file that its plan writes.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

sample repo
cd repo
tests_may_change
expect 0 "$RGX" init --yes
commit_all .
intent="replace ring_push with ring_append under src and tests"

go() {
  digest=$("$RGX" plan "$intent" 2>/dev/null | sed -n 's/^.*admission digest *//p' | head -n 1)
  "$RGX" run "$intent" --accept "$digest" "$@"
}

# Files that the plan does not write may be anything.
echo "work in progress" >>README.md
echo "notes" >notes.txt

echo "/* mine */" >>src/ring.c
expect 8 go --json
says "$err" '`src/ring.c` has changes that are not committed'
says "$err" "[run.unclean]"
says "$err" "git stash"
[ "$(jq -r .state "$out")" = drifted ] || fail "state: $(cat "$out")"
git grep -qw ring_push -- src || fail "a run changed files that were not clean"

git add src/ring.c
expect 8 go
says "$err" '`src/ring.c` has staged changes that are not committed'

git stash push -q -- src/ring.c
git checkout -q -b side
sed -i 's/ring_push/ring_push /' src/ring.h
git add -A && git -c commit.gpgsign=false commit -q -m side
git checkout -q -
git -c commit.gpgsign=false commit -q --allow-empty -m other
git merge -q --no-commit --no-ff side >/dev/null 2>&1 || fail "the merge did not start"
expect 8 go
says "$err" "git is in the middle of a merge"
says "$err" "[run.under_way]"
git merge --abort
expect 0 go

#!/bin/sh
# Runs in a worktree of their own: nothing that people have checked out is touched, the run ends in
# one commit on its branch, and whatever happens it can go on or be removed without a trace.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
# shellcheck source=tests/cli/kill_lib.sh
. "$RGX_SOURCE/tests/cli/kill_lib.sh"
needs make jq python3

intent="replace ring_push with ring_append under src"

# project DIR RECIPE: a repository whose tests run RECIPE, with the setup committed.
project() {
  sample "$1"
  cd "$1" || fail "no sample"
  printf 'test:\n\tmkdir -p build\n\t%s\n' "$2" >Makefile
  echo build/ >.gitignore
  commit_all .
  expect 0 "$RGX" init --yes
  commit_all .
}

# people: what people have: files, index, HEAD and branches but those of rgx, to the byte.
people() {
  find . -path ./.git -prune -o -type f -print | LC_ALL=C sort | while read -r file; do
    echo "$(stat -c '%a %Y' "$file") $(sha256sum "$file")"
  done
  # The branch `rgx/` of a run, objects and what a worktree has of its own are not theirs.
  find .git -type f ! -path '*/objects/*' ! -path '*/worktrees/*' ! -path '*/heads/rgx/*' |
    LC_ALL=C sort | xargs sha256sum
}

# untouched: that is as it was when $base/people was written.
untouched() {
  people >"$base/people_now"
  diff "$base/people" "$base/people_now" >&2 || fail "$1: what people have was touched"
}

# no_trace WHERE: neither worktree nor branch of a run is left.
no_trace() {
  [ "$(git worktree list | wc -l)" = 1 ] || fail "$1: a worktree is left: $(git worktree list)"
  [ -z "$(git for-each-ref refs/heads/rgx)" ] || fail "$1: a branch is left"
  [ ! -e .git/worktrees ] || fail "$1: .git/worktrees is left"
  [ -z "$(find "$HOME"/.local/state/rgx/repositories/*/worktrees -mindepth 1 2>/dev/null)" ] ||
    fail "$1: a folder is left"
}

run_id() {
  sed -n 's/^run  *\([^ ]*\) .*/\1/p' "$out"
}

# ---- a run that succeeds, beside work that is under way ------------------------------------------
project repo 'echo done >build/done'
git config user.name Ana
git config user.email ana@example.org
echo "/* not committed */" >>src/ring.c
echo staged >staged.txt
git add staged.txt
echo new >untracked.txt
git rev-parse HEAD >"$base/head"
people >"$base/people"

expect 0 "$RGX" plan "$intent" --worktree --out "$base/plan.json"
says "$out" "worktree on $(cut -c1-12 "$base/head")"
[ "$(jq -r .plan.workspace "$base/plan.json")" = worktree ] || fail "the plan is not for a worktree"
untouched "rgx plan"
no_trace "rgx plan"
(cd src && expect 0 "$RGX" run --plan "$base/plan.json")
run=$(run_id)
says "$out" "merge     git merge rgx/$run"
says "$out" "drop      rgx rollback $run"
verified
says "$out" "VERIFIED  $run"
untouched "rgx run"
[ "$(git worktree list | wc -l)" = 1 ] || fail "the worktree is left: $(git worktree list)"

# One commit, of what the run changed and only that.
[ "$(git rev-parse "rgx/$run^")" = "$(cat "$base/head")" ] || fail "the parent is not the base"
[ "$(git diff --name-only HEAD "rgx/$run" | tr '\n' ' ')" = \
  "src/average.c src/average.h src/ring.c src/ring.h " ] ||
  fail "the commit has other files: $(git diff --stat HEAD "rgx/$run")"
[ "$(git log -1 --format='%an <%ae> %s' "rgx/$run")" = "Ana <ana@example.org> $intent" ] ||
  fail "the commit: $(git log -1 "rgx/$run")"
! git show "rgx/$run:src/ring.c" | grep -q 'not committed' || fail "uncommitted work is in it"

# The seal names the tree, the commit the sealed ledger, the index the commit.
trailer() {
  git log -1 --format="%(trailers:key=$1,valueonly,separator=)" "rgx/$run"
}
index=$(echo "$HOME"/.local/state/rgx/repositories/*/index.jsonl)
ledger=$(run_folder)/ledger.jsonl
jq -r 'select(.record.type == "run_finished") | .record.body | .commit, .root' "$index" >"$base/end"
printf '%s\n%s\n' "$(git rev-parse "rgx/$run")" "$(trailer Rgx-Ledger-Head)" | cmp - "$base/end" ||
  fail "the index: $(cat "$base/end")"
[ "$(trailer Rgx-Run)" = "$run" ] || fail "Rgx-Run: $(trailer Rgx-Run)"
[ "$(trailer Rgx-Plan)" = "$(jq -r .digest "$base/plan.json")" ] || fail "Rgx-Plan"
[ "$(jq -r 'select(.record.type == "run_sealed") | .record.body.worktree | .base, .branch, .tree' \
  "$ledger" | tr '\n' ' ')" = \
  "$(cat "$base/head") rgx/$run $(git rev-parse "rgx/$run^{tree}") " ] || fail "the seal"
expect 0 /usr/bin/python3 "$RGX_SOURCE/tests/golden/ledger/second_verifier.py" "$ledger" \
  "$HOME/.config/rgx/root.key"
says "$out" VERIFIED
expect 0 "$RGX" show "$run"
says "$out" "workspace worktree"
says "$out" "branch rgx/$run"

# It merges, and a merged branch may go.
git stash -q
git merge -q "rgx/$run"
grep -q ring_append src/ring.c || fail "nothing was merged"
git reset -q --hard "$(cat "$base/head")"
git stash pop -q --index

# ---- a branch that has moved stays; else nothing is left -----------------------------------------
git update-ref "refs/heads/rgx/$run" HEAD^
expect 8 "$RGX" rollback "$run"
says "$err" "the branch \`rgx/$run\` has moved to"
git update-ref "refs/heads/rgx/$run" "$(head -n 1 "$base/end")"
expect 0 "$RGX" rollback "$run" --json
[ "$(jq -r '.state + " " + .branch' "$out")" = "rolled_back rgx/$run" ] || fail "$(cat "$out")"
no_trace "rollback"
expect 2 "$RGX" rollback "$run"
says "$err" "[rollback.done]"

# ---- by an intent and its admission digest -------------------------------------------------------
people >"$base/people"
admission=$("$RGX" plan "$intent" --worktree 2>/dev/null | sed -n 's/^admission digest *//p')
expect 8 "$RGX" run "$intent" --accept "$admission" # in place it is another plan, and not clean
no_trace "another plan"
expect 0 "$RGX" run "$intent" --worktree --accept "$admission" --json
[ "$(jq -r '.run as $run | .worktree |
    .branch == "rgx/" + $run and .commit != null and .path == null' "$out")" = true ] ||
  fail "report: $(cat "$out")"
untouched "with --accept"
expect 0 "$RGX" rollback last
expect 0 "$RGX" plan "replace ring_push with ring_append under tests" --out "$base/in_place.json"
expect 2 "$RGX" run --plan "$base/in_place.json" --worktree
says "$err" "[usage.plan_in_place]"

# A file that is not committed is not there, and neither is an older base drift of the new one.
expect 2 "$RGX" plan "replace new with old under untracked.txt" --worktree
says "$err" "[repository.no_such_path]"
cd "$base"
rm -rf repo "$HOME/.local"

# ---- a run that fails: its worktree stays, locked, until it is dropped ---------------------------
project "with space" 'echo more >>src/ring.c; exit 1'
printf 'schema: rgx.policy/v1\nname: repository\nlayer: repository\nrules: []\n' >"$base/unused"
people >"$base/people"
expect 0 "$RGX" plan "$intent" --worktree --out "$base/plan.json"
expect 1 "$RGX" run --plan "$base/plan.json"
run=$(run_id)
worktree=$(sed -n 's/^worktree  *//p' "$out")
[ "$(tail -n 1 "$out")" = "undo      rgx rollback $run" ] || fail "last line: $(tail -n 1 "$out")"
grep -q ring_append "$worktree/src/ring.c" || fail "the work is not in $worktree"
[ "$(git -C "$worktree" rev-parse --abbrev-ref HEAD)" = "rgx/$run" ] || fail "HEAD of the worktree"
untouched "a run that failed"
verified_code=0
"$RGX" verify last >/dev/null 2>&1 || verified_code=$?
[ "$verified_code" = 0 ] || fail "verify: $verified_code"
git worktree prune
! git worktree remove "$worktree" 2>/dev/null || fail "git removed a locked worktree"
(cd "$worktree" && expect 2 "$RGX" runs)
says "$err" "[state.is_worktree]"
expect 2 "$RGX" resume "$run"
says "$err" "[resume.finished]"

# What somebody did in it is not lost.
echo mine >"$worktree/mine.txt"
expect 8 "$RGX" rollback "$run"
says "$err" '`mine.txt` of the worktree was not changed by the run'
rm "$worktree/mine.txt"
cp "$worktree/src/average.c" "$base/average.c"
echo "/* mine */" >>"$worktree/src/average.c"
expect 8 "$RGX" rollback "$run"
says "$err" '`src/average.c` has changed since'
cp "$base/average.c" "$worktree/src/average.c"
expect 0 "$RGX" rollback "$run"
no_trace "a failed run"
untouched "its rollback"
cd "$base"
rm -rf "with space" "$HOME/.local"

# ---- bad input -----------------------------------------------------------------------------------
project repo 'echo done >build/done'
expect 0 "$RGX" plan "$intent" --worktree --out "$base/plan.json"
git branch rgx
expect 7 "$RGX" run --plan "$base/plan.json"
says "$err" "[worktree.branch_blocked]"
git branch -q -D rgx
expect 0 "$RGX" resume last # which the error said
expect 0 "$RGX" rollback last

# The base has moved on: the plan is for other files.
sed -i 's/ring_push/ring_put/' src/ring.c
commit_all .
expect 8 "$RGX" run --plan "$base/plan.json"
says "$err" '`src/ring.c` has changed since the plan was compiled'
no_trace "drift"
git reset -q --hard HEAD^

# HEAD on no branch, and a repository that is a linked worktree itself.
git checkout -q --detach
expect 0 "$RGX" run --plan "$base/plan.json"
expect 0 "$RGX" rollback last
git checkout -q -
git worktree add -q "$base/linked"
(
  cd "$base/linked"
  expect 0 "$RGX" run --plan "$base/plan.json"
  says "$out" "git merge rgx/"
  git merge -q "$(sed -n 's/^merge *git merge //p' "$out")"
  expect 0 "$RGX" rollback last
)
git worktree remove --force "$base/linked"

# A submodule is an empty folder of the worktree.
git -c protocol.file.allow=always submodule --quiet add "$base/repo/.git" module 2>/dev/null
git commit -q -m module
expect 0 "$RGX" run --plan "$base/plan.json"
[ "$(git diff --name-only HEAD "rgx/$(run_id)" | wc -l)" = 4 ] || fail "the submodule is touched"
expect 0 "$RGX" rollback last
no_trace "bad input"

# Hooks and filters of the repository run no program of anybody.
printf '#!/bin/sh\ntouch %s/hooked\n' "$base" >.git/hooks/post-checkout
cp .git/hooks/post-checkout .git/hooks/pre-commit
cp .git/hooks/post-checkout .git/hooks/post-commit
chmod +x .git/hooks/*
git config filter.evil.smudge "touch $base/smudged; cat"
git config filter.evil.clean "touch $base/cleaned; cat"
echo '*.c filter=evil' >.git/info/attributes
rm -f "$base/smudged" "$base/cleaned" "$base/hooked"
expect 0 "$RGX" run --plan "$base/plan.json"
for program in smudged cleaned hooked; do
  [ ! -e "$base/$program" ] || fail "a program of the repository ran: $program"
done
expect 0 "$RGX" rollback last
cd "$base"
rm -rf repo "$HOME/.local"

# No commit: there is nothing that a worktree could begin with.
mkdir unborn
git -C unborn init -q
(cd unborn && expect 2 "$RGX" plan "$intent" --worktree)
says "$err" "[repository.no_commits]"

# ---- killed wherever it writes: it goes on, or leaves nothing behind -----------------------------
needs_injection
project repo 'echo done >build/done'
people >"$base/people"
expect 0 "$RGX" plan "$intent" --worktree --out "$base/plan.json"
calls=fdatasync,fsync,syncfs,link,rename,renameat,unlinkat,rmdir
expect 0 "$RGX" run --plan "$base/plan.json" # what only a first run does is over
git rev-parse "rgx/$(run_id)^{tree}" >"$base/tree"
expect 0 "$RGX" rollback last
expect 0 traced -o "$base/trace" -e trace="$calls" "$RGX" run --plan "$base/plan.json"
expect 0 "$RGX" rollback last
sed -n 's/^\([a-z]*\)(.*/\1/p' "$base/trace" | awk '{print $1, ++n[$1]}' >"$base/points"
[ "$(grep -c '^link ' "$base/points")" -ge 5 ] || fail "too few calls: $(cat "$base/points")"
# Removing a tree is many calls of one kind.
sed -i '/^unlinkat [0-9]*[1-46-9]$/d' "$base/points"

# Somebody removes the worktree of a run that was cut short: that is said, and it can be dropped.
killed fdatasync 10
[ "$code" = 137 ] || fail "rgx ended by itself with $code: $(cat "$err")"
rm -rf "$HOME"/.local/state/rgx/repositories/*/worktrees/r-*
git worktree prune
expect 7 "$RGX" resume last
says "$err" "[worktree.gone]"
expect 0 "$RGX" rollback last
no_trace "a worktree that somebody removed"

while read -r call number; do
  where="kill at $call $number"
  killed "$call" "$number"
  [ "$code" = 137 ] || fail "$where: rgx ended by itself with $code: $(cat "$err")"
  untouched "$where"
  git worktree prune # by somebody who means well
  got=0
  "$RGX" resume last >"$out" 2>"$err" </dev/null || got=$?
  run=$(git for-each-ref --format='%(refname:short)' refs/heads/rgx)
  case $got in
    0)
      [ "$(git rev-parse "$run^{tree}")" = "$(cat "$base/tree")" ] || fail "$where: another tree"
      [ "$(git rev-list --count "HEAD..$run")" = 1 ] || fail "$where: not one commit"
      verified
      ;;
    2) # it had ended, or not begun
      if grep -q '\[resume\.finished\]' "$err"; then
        [ "$(git rev-parse "$run^{tree}")" = "$(cat "$base/tree")" ] || fail "$where: another tree"
      else
        [ -z "$run" ] || fail "$where: it had not begun, and made a branch"
      fi
      ;;
    6) says "$out" "was cut short" ;;
    *) fail "$where: resume exited with $got: $(cat "$out" "$err")" ;;
  esac
  echo "$got $(sed -n 's/.*\[\([a-z]*\.[a-z_]*\)\].*/\1/p' "$err" | head -n 1)" >>"$base/ends"
  [ -z "$run" ] || expect 0 "$RGX" rollback "${run#rgx/}"
  untouched "$where and rollback"
  no_trace "$where"
done <"$base/points"
sort "$base/ends" | uniq -c
[ "$(grep -c '^0' "$base/ends")" -ge 20 ] || fail "too few went on"
[ "$(grep -c '^6' "$base/ends")" -le 4 ] || fail "too many were indeterminate"

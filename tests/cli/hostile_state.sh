#!/bin/sh
# Files, keys and state that somebody else prepared: nothing hangs, nothing is overlooked, and
# honest evidence is never called tampered.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

intent="replace ring_push with ring_append under src and tests"
sample repo
cd repo
tests_may_change
expect 0 "$RGX" init --yes
commit_all .
expect 0 "$RGX" plan "$intent" --out "$base/plan.json"

# ---- a pipe that nobody writes to ---------------------------------------------------------------
mkfifo "$base/pipe"
expect 2 timeout 20 "$RGX" run --plan "$base/pipe"
says "$err" "[plan.truncated]"
expect 2 timeout 20 "$RGX" plan "$intent" --policy "$base/pipe"
says "$err" "[yaml.empty_document]"
expect 2 timeout 20 "$RGX" policy check "$base/pipe"
expect 2 timeout 20 "$RGX" template check "$base/pipe"
expect 2 timeout 20 "$RGX" policy eval --policy "$RGX_SOURCE/policies/default.yaml" \
  --request "$base/pipe"

# ---- keys where steps could read them -----------------------------------------------------------
mkdir "$base/inside" keys
ln -s "$base/repo/keys" "$base/inside/rgx"  # a link may lead in, too
for place in "$base/repo/keys" "$base/inside"; do
  expect 7 env RGX_CONFIG_HOME="$place" "$RGX" init --yes
  says "$err" "[key.in_workspace]"
  expect 7 env RGX_CONFIG_HOME="$place" "$RGX" run --plan "$base/plan.json"
  says "$err" "[key.in_workspace]"
done
rmdir keys || fail "keys were made inside the workspace"

# ---- a work tree that is somewhere else ---------------------------------------------------------
mkdir "$base/elsewhere"
git config core.worktree "$base/elsewhere"
expect 2 "$RGX" run --plan "$base/plan.json"
says "$err" "[repository.elsewhere]"
git config --unset core.worktree

# ---- a umask that takes everything --------------------------------------------------------------
(
  umask 0777
  expect 0 "$RGX" run --plan "$base/plan.json"
)
expect 0 "$RGX" verify last
[ -z "$(find "$HOME/.local/state/rgx" -perm 0)" ] || fail "state that nobody can enter"
git checkout -q .

# ---- an empty name ------------------------------------------------------------------------------
expect 2 "$RGX" verify ""
says "$err" "an empty name is no run"

# ---- another key: honest evidence is not tampered with ------------------------------------------
run=$(basename "$(run_folder)")
mv "$HOME/.config/rgx/root.key" "$base/root.key"
expect 0 "$RGX" init --yes
expect 9 "$RGX" verify "$run"
says "$out" "INCONCLUSIVE"
says "$out" "the index cannot be compared"
expect 2 "$RGX" verify last
says "$err" "[run.other_key]"
mv "$base/root.key" "$HOME/.config/rgx/root.key"
expect 0 "$RGX" verify "$run"

# ---- the index removed, its runs still there ----------------------------------------------------
state=$(dirname "$(dirname "$(run_folder)")")
mv "$state/index.jsonl" "$base/index.jsonl"
for command in runs "verify last" "run --plan $base/plan.json"; do
  # shellcheck disable=SC2086  # words
  expect 4 "$RGX" $command
  says "$err" "[run.index_gone]"
done
expect 4 "$RGX" verify "$run"
[ ! -e "$state/index.jsonl" ] || fail "a new index hides the old runs"
mv "$base/index.jsonl" "$state/index.jsonl"

# ---- the end of the index cut off: runs that it no longer tells of show -------------------------
cp "$state/index.jsonl" "$base/index.jsonl"
head -n 1 "$base/index.jsonl" >"$state/index.jsonl"
expect 4 "$RGX" runs
says "$err" "does not tell of 1 stored run, such as $run"
! grep -q "no runs yet" "$err" || fail "stored runs are denied"
expect 4 "$RGX" verify last
says "$err" "[run.index_damaged]"
expect 4 "$RGX" run --plan "$base/plan.json"
says "$err" "[run.index_damaged]"
cp "$base/index.jsonl" "$state/index.jsonl"
expect 0 "$RGX" runs

# ---- the state of another repository in this one's place -----------------------------------------
cp -R "$base/repo" "$base/other"
cd "$base/other"
git checkout -q .
expect 0 "$RGX" run --plan "$base/plan.json"
other=$(dirname "$(dirname "$(run_folder)")")
[ "$other" != "$state" ] || fail "two repositories share their state"
cd "$base/repo"
mv "$state" "$base/state"
cp -R "$other" "$state"
expect 4 "$RGX" verify last
says "$out" "the index is that of another repository"
for command in runs "run --plan $base/plan.json"; do
  # shellcheck disable=SC2086  # words
  expect 4 "$RGX" $command
  says "$err" "is that of \`$base/other\`"
done
rm -r "$state"
mv "$base/state" "$state"
expect 0 "$RGX" verify last

# ---- a starter that ignores the end of its children ---------------------------------------------
expect 0 timeout 60 env --ignore-signal=CHLD "$RGX" run --plan "$base/plan.json"
git checkout -q .

# ---- a program that nests folders deeper than anybody can follow --------------------------------
printf 'test:\n\t@sh tests/deep.sh\n' >Makefile
cat >tests/deep.sh <<'END'
cd "$TMPDIR"
for hundred in 1 2 3 4 5 6 7 8; do
  folder=d
  while [ "${#folder}" -lt 200 ]; do
    folder=$folder/d
  done
  mkdir -p "$folder" && cd "$folder" || exit 1
done
END
commit_all .
expect 0 "$RGX" plan "$intent" --out "$base/deep.json"
expect 0 "$RGX" run --plan "$base/deep.json"
[ -z "$(find /tmp -maxdepth 1 -name "rgx-$(basename "$state")-*")" ] || fail "scratch was left"
git checkout -q .
expect 0 "$RGX" run --plan "$base/deep.json"

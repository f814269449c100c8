#!/bin/sh
# Bad input gets one clear message with place, cause and remedy, the right exit code, and nothing
# half-done.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

intent="replace ring_push with ring_append under src and tests"
sample repo
cd repo

# short FILE LINES: an error is told in few lines.
short() {
  [ "$(wc -l <"$1")" -le "$2" ] || fail "more than $2 lines: $(cat "$1")"
}

# ---- no repository, no commits ------------------------------------------------------------------
mkdir "$base/nowhere"
cd "$base/nowhere"
for command in "plan x" "run x" runs "show last" "verify last" init; do
  # shellcheck disable=SC2086  # words
  expect 2 env GIT_CEILING_DIRECTORIES="$base" "$RGX" $command
  says "$err" "there is no git repository"
  says "$err" "git init"
  short "$err" 2
done
mkdir "$base/fresh"
cd "$base/fresh"
git init -q
echo 'int ring_push;' >a.c
git add a.c
printf 'test:\n\ttrue\n' >Makefile
expect 0 "$RGX" init --yes
says "$err" "make a first commit"
expect 2 "$RGX" plan "replace ring_push with ring_append"
says "$err" "has no commit yet"
says "$err" "[repository.no_commits]"
silent "$out"

# ---- keys ---------------------------------------------------------------------------------------
cd "$base/repo"
expect 2 "$RGX" plan "$intent"
says "$err" '`rgx init` writes `.rgx/config.yaml`'
expect 0 "$RGX" init --yes
commit_all .
expect 7 env RGX_CONFIG_HOME="$base/nokeys" "$RGX" run "$intent"
says "$err" "there is no root key at"
says "$err" '`rgx init` makes one'
short "$err" 2
[ ! -e "$HOME/.local/state/rgx" ] || fail "something was recorded without a key"
cp -R "$HOME/.config/rgx" "$base/saved"
chmod 644 "$HOME/.config/rgx/root.key"
expect 7 "$RGX" run "$intent"
says "$err" "root.key"
chmod 600 "$HOME/.config/rgx/root.key"
echo garbage >"$HOME/.config/rgx/root.key"
expect 7 "$RGX" run "$intent"
says "$err" "[key.syntax]"
! grep -q garbage "$err" || fail "a key file is quoted"
cp "$base/saved/root.key" "$HOME/.config/rgx/root.key"
expect 0 "$RGX" init --yes
says "$err" "nothing to do"
cmp "$base/saved/root.key" "$HOME/.config/rgx/root.key" || fail "init replaced a key"
git diff --quiet || fail "a run without a usable key changed files"

# ---- intents ------------------------------------------------------------------------------------
expect 2 "$RGX" plan "xqzt blorf gnarp"
short "$err" 4
silent "$out"
expect 2 "$RGX" plan ""
says "$err" "[intent.empty]"
expect 2 "$RGX" plan "$(printf 'replace a with b \377')"
says "$err" "UTF-8"
expect 2 "$RGX" plan "$(printf 'replace a with b \033[2J')"
! grep -q "$(printf '\033')" "$err" || fail "an escape sequence reached the terminal"
head -c 200000 /dev/zero | tr '\0' a >"$base/long"
code=0
"$RGX" plan "$(head -c 100000 "$base/long")" >"$out" 2>"$err" || code=$?
[ "$code" = 2 ] || fail "a very long intent: $code"
short "$err" 2
expect 2 "$RGX" plan "replace no_such_name with other under src"
short "$err" 4
expect 2 "$RGX" plan "replace ring_push with ring_append under no/such/folder"
says "$err" "no/such/folder"
expect 2 "$RGX" plan "replace ring_push with ring_append under ../.."
expect 2 "$RGX" plan --template api-replac --set from=a --set to=b
says "$err" "api-replace"
expect 2 "$RGX" plan --template api-replace --set frm=ring_push --set to=ring_append
says "$err" "from"
expect 2 "$RGX" plan --template api-replace --set from
says "$err" "KEY=VALUE"
expect 2 "$RGX" plan --template api-replace --set from=ring_push --set to='a b'
says "$err" "a b"

# ---- templates ----------------------------------------------------------------------------------
head_of_template='schema: rgx.template/v1
name: bad
version: "1.0.0"
summary: "x"
utterances: {en: ["x"]}
steps:'
cat >"$base/cyclic.yaml" <<END
$head_of_template
  - {id: a, use: file.read, needs: [b], with: {path: "x"}}
  - {id: b, use: file.read, needs: [a], with: {path: "x"}}
END
expect 2 "$RGX" template check "$base/cyclic.yaml"
says "$err" "cyclic.yaml:"
says "$err" "cycle"
silent "$out"
cat >"$base/unknown.yaml" <<END
$head_of_template
  - {id: a, use: file.raed, with: {path: "x"}}
  - {id: b, use: file.read, with: {path: "x"}, needz: [a]}
END
expect 2 "$RGX" template check "$base/unknown.yaml"
says "$err" "unknown.yaml:7:"
says "$err" "file.read"
says "$err" "unknown.yaml:8:"
says "$err" "needs"
expect 2 "$RGX" plan --template "$base/unknown.yaml"
says "$err" "file.read"
expect 0 "$RGX" template check "$RGX_SOURCE"/templates/catalog/*.yaml

# ---- files --------------------------------------------------------------------------------------
for command in "template check" "policy check"; do
  # shellcheck disable=SC2086  # two words
  expect 2 "$RGX" $command "$base/none.yaml"
  says "$err" 'none.yaml` does not exist [file.missing]'
  short "$err" 2
  printf 'schema: \377\n' >"$base/utf8.yaml"
  # shellcheck disable=SC2086
  expect 2 "$RGX" $command "$base/utf8.yaml"
  says "$err" "utf8.yaml:1:9"
  says "$err" "UTF-8"
  # shellcheck disable=SC2086
  expect 2 "$RGX" $command "$base"
  says "$err" "is not a regular file"
  : >"$base/empty.yaml"
  # shellcheck disable=SC2086
  expect 2 "$RGX" $command "$base/empty.yaml"
  says "$err" "empty.yaml"
done
head -c 104857600 /dev/zero | tr '\0' a >"$base/huge.yaml"
started=$(date +%s)
expect 2 "$RGX" policy check "$base/huge.yaml"
says "$err" "has 104857600 bytes; the limit is 196608"
expect 2 "$RGX" template check "$base/huge.yaml"
says "$err" "[file.too_large]"
expect 2 "$RGX" plan "$intent" --policy "$base/huge.yaml"
says "$err" "[file.too_large]"
[ $(($(date +%s) - started)) -le 5 ] || fail "a huge file takes long to refuse"
rm "$base/huge.yaml"

expect 2 "$RGX" plan "$intent" --policy "$base/none.yaml"
says "$err" "[file.missing]"
printf 'schema: rgx.policy/v1\nname: x\nlayer: org\n' >"$base/org.yaml"
expect 2 "$RGX" plan "$intent" --policy "$base/org.yaml"
says "$err" "org.yaml"
says "$err" '`layer: run`'

expect 0 "$RGX" plan "$intent" --out "$base/plan.json"
expect 2 "$RGX" run --plan "$base/none.json"
sed 's/ring_append/ring_upgend/' "$base/plan.json" >"$base/altered.json"
expect 4 "$RGX" run --plan "$base/altered.json"
says "$err" "[plan.digest_mismatch]"
head -c 300 "$base/plan.json" >"$base/half.json"
expect 2 "$RGX" run --plan "$base/half.json"
says "$err" "half.json"
expect 2 "$RGX" run "$intent" --plan "$base/plan.json"
says "$err" "--plan names a whole plan"
git diff --quiet || fail "something ran"

# ---- layers -------------------------------------------------------------------------------------
printf 'schema: rgx.policy/v1\nname: mine\nlayer: user\n' >"$HOME/.config/rgx/policy.yaml"
chmod 666 "$HOME/.config/rgx/policy.yaml"
expect 7 "$RGX" plan "$intent"
says "$err" "writable by others"
says "$err" "chmod go-w"
chmod 600 "$HOME/.config/rgx/policy.yaml"
expect 2 "$RGX" plan "$intent"
says "$err" "policy.yaml"
rm "$HOME/.config/rgx/policy.yaml"

# An edited policy of the repository counts once it is committed, not before.
sed -i 's/"make", "test"/"make", "check"/' .rgx/policy.yaml
expect 0 "$RGX" plan "$intent"
says "$err" "differs from the base revision and is not trusted"
commit_all .
expect 3 "$RGX" plan "$intent"
says "$err" "make test"
expect 0 "$RGX" plan "$intent" --base HEAD~1
git reset -q --hard HEAD~1
expect 2 "$RGX" plan "$intent" --base no-such-branch
says "$err" "no-such-branch"

# ---- runs ---------------------------------------------------------------------------------------
expect 2 "$RGX" show last
says "$err" "has no runs yet"
expect 2 "$RGX" verify r-000000000000
expect 2 "$RGX" verify ./none.jsonl
says "$err" "none.jsonl"

# ---- disks --------------------------------------------------------------------------------------
if [ "$(id -u)" = 0 ] && mkdir "$base/small" &&
  mount -t tmpfs -o size=64k tmpfs "$base/small" 2>/dev/null; then
  trap 'umount "$base/small" 2>/dev/null || true' EXIT
  head -c 65536 /dev/zero >"$base/small/filler" 2>/dev/null || true
  expect 7 "$RGX" plan "$intent" --out "$base/small/plan.json"
  says "$err" "No space left on device"
  [ "$(ls -A "$base/small")" = filler ] || fail "a failed write left $(ls -A "$base/small")"
  expect 7 env RGX_STATE_HOME="$base/small" "$RGX" run "$intent"
  says "$err" "space"
  git diff --quiet || fail "an effect without evidence, on a full disk"
  # Room for the first records only: whatever was done has its intent on record.
  head -c 40960 /dev/zero >"$base/small/filler"
  code=0
  RGX_STATE_HOME="$base/small" "$RGX" run "$intent" >"$out" 2>"$err" || code=$?
  [ "$code" = 7 ] || [ "$code" = 0 ] || fail "a disk that fills up: $code: $(cat "$err")"
  git checkout -q .
  umount "$base/small"
  mount -t tmpfs -o ro,size=64k tmpfs "$base/small"
  expect 7 "$RGX" plan "$intent" --out "$base/small/plan.json"
  says "$err" "Read-only file system"
  expect 7 env RGX_STATE_HOME="$base/small" "$RGX" run "$intent"
  says "$err" "Read-only file system"
  expect 7 env RGX_CONFIG_HOME="$base/small" "$RGX" init --yes
  says "$err" "Read-only file system"
  umount "$base/small"
  trap - EXIT
  git diff --quiet || fail "an effect without evidence, on a read-only disk"
else
  echo "not root, or no tmpfs: full and read-only disks were not tried" >&2
fi

# ---- and after all that, everything still works -------------------------------------------------
reviewed_run --plan "$base/plan.json"
expect 0 "$RGX" verify last

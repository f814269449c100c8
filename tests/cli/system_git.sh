#!/bin/sh
# Repositories that libgit2 does not read: planned, run, committed and rolled back through the
# program git; what they configure is never started; pipes in the place of files end at once.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs make

intent="replace ring_push with ring_append under src and tests"
go() {
  digest=$("$RGX" plan "$intent" 2>/dev/null | sed -n 's/^.*admission digest *//p' | head -n 1)
  "$RGX" run "$intent" --accept "$digest" "$@"
}
# in_full REASON: a whole run in the repository as it is now, and back.
in_full() {
  expect 0 "$RGX" doctor
  says "$out" "read by"
  says "$out" "$1"
  expect 0 go
  verified
  grep -rq ring_append src || fail "nothing was changed"
  expect 0 "$RGX" rollback last
  ! grep -rq ring_append src || fail "not everything was given back"
  ! [ -e "$base/mark" ] || fail "something of the repository was started"
  git diff --quiet || fail "git sees a change"
  rm -f "$base/mark"
}

printf '#!/bin/sh\necho ran >>"%s"\nexec cat\n' "$base/mark" >"$base/canary"
chmod +x "$base/canary"

sample repo
cd repo
printf 'test:\n\ttrue\n' >Makefile
tests_may_change
expect 0 "$RGX" init --yes -- make test
commit_all .
expect 0 "$RGX" doctor
says "$out" "libgit2"

# ---- a sparse checkout, with everything configured that git could start -------------------------
mkdir elsewhere
echo "ring_push(" >elsewhere/other.c
commit_all .
git sparse-checkout set src tests .rgx
for key in core.fsmonitor core.sshCommand core.pager diff.external filter.evil.clean \
  filter.evil.smudge filter.evil.process credential.helper; do
  git config "$key" "$base/canary"
done
mkdir -p .git/info
echo '*.evil filter=evil' >.git/info/attributes
git config alias.status "!$base/canary"
in_full "/usr/bin/git"
git config --unset core.fsmonitor
git config --unset diff.external
git sparse-checkout disable
[ "$(cat elsewhere/other.c)" = "ring_push(" ] || fail "a file outside the checkout was changed"
git config --unset extensions.worktreeConfig

# ---- an index in two parts ----------------------------------------------------------------------
git update-index --split-index
in_full "its index is split"
git update-index --no-split-index

# ---- a format of later --------------------------------------------------------------------------
cp .git/config "$base/config"
git config core.repositoryFormatVersion 1
git config extensions.refStorage of-later
expect 7 "$RGX" plan "$intent"
says "$err" "install a newer git"
expect 7 "$RGX" doctor
says "$out" "fail  repository"
cp "$base/config" .git/config

# ---- pipes and endless files --------------------------------------------------------------------
for place in .git/HEAD .git/config .git/index .git/packed-refs .git/refs/heads/other \
  .git/info/exclude .git/objects/info/alternates; do
  ! [ -e "$place" ] || mv "$place" "$base/kept"
  mkfifo "$place"
  expect 7 "$RGX" plan "$intent"
  says "$err" "is not a regular file"
  rm "$place"
  ! [ -e "$base/kept" ] || mv "$base/kept" "$place"
done
mkfifo src/.gitignore
expect 7 go
says "$err" 'src/.gitignore` is not a regular file'
rm src/.gitignore
cp .git/index "$base/kept"
truncate -s 300M .git/index
expect 7 "$RGX" plan "$intent"
says "$err" "is larger than"
mv "$base/kept" .git/index
expect 0 go
verified
git checkout -q -- .

# ---- objects named by SHA-256 -------------------------------------------------------------------
rm -rf .git
git init -q -b main --object-format=sha256 .
git config user.name t
git config user.email t@example.org
commit_all .
in_full "its objects are not named by SHA-1"

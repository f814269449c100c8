#!/bin/sh
# Repositories as they are: names with blanks, CR LF, bytes that are no UTF-8, binary and read-only
# files, links and submodules; test commands that fail, crash, fork, flood and hang. Each is handled
# or told in one clear message, with the right exit code.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs make

go() {
  digest=$("$RGX" plan "$intent" 2>/dev/null | sed -n 's/^.*admission digest *//p' | head -n 1)
  "$RGX" run "$intent" --accept "$digest" "$@"
}
intent="replace ring_push with ring_append under src and tests"

# recipe LINE...: what `make test` does, committed.
recipe() {
  {
    echo "test:"
    for recipe_line in "$@"; do
      printf '\t%s\n' "$recipe_line"
    done
  } >Makefile
  git checkout -q -- src tests
  git add Makefile
  git -c commit.gpgsign=false commit -q --allow-empty -m recipe
}

sample repo
cd repo
printf 'test:\n\ttrue\n' >Makefile
tests_may_change
expect 0 "$RGX" init --yes -- make test

# ---- files -------------------------------------------------------------------------------------
mkdir "src/a b"
printf 'ring_push(\r\n' >"src/a b/crlf.c"
printf 'ring_push(' >"src/no end.c"
printf '\377\376 ring_push(\n' >src/latin.c
printf 'ring_push\0ring_push' >src/binary.o
printf 'ring_push' >"$base/outside.c"
ln -s "$base/outside.c" src/link.c
git init -q module
git -C module -c commit.gpgsign=false commit -q --allow-empty -m one
mkdir -p src/module && mv module/.git src/module/.git
echo 'ring_push(' >src/module/inner.c
commit_all .
expect 0 go
[ "$(od -c "src/a b/crlf.c")" = "$(printf 'ring_append(\r\n' | od -c)" ] ||
  fail "line ends: $(od -c "src/a b/crlf.c")"
[ "$(cat "src/no end.c"; echo x)" = "ring_append(x" ] ||
  fail "the last line: $(cat "src/no end.c")"
[ "$(od -c src/latin.c)" = "$(printf '\377\376 ring_append(\n' | od -c)" ] || fail "not UTF-8"
[ "$(od -c src/binary.o)" = "$(printf 'ring_push\0ring_push' | od -c)" ] || fail "a binary file"
[ "$(cat "$base/outside.c")" = ring_push ] || fail "a link was followed"
[ -L src/link.c ] || fail "a link was replaced"
[ "$(cat src/module/inner.c)" = 'ring_push(' ] || fail "a submodule was entered"
verified
git checkout -q -- src tests

chmod a-w src/latin.c
expect 1 go
says "$err" '`src/latin.c` is read-only'
chmod u+w src/latin.c

# ---- test commands -----------------------------------------------------------------------------
recipe '@echo "50% tests passed, 1 tests failed out of 2"' \
  '@printf "The following tests FAILED:\n\t  2 - pushes (Failed)\n"' '@exit 8'
expect 1 go
says "$err" "1 of 2 tests failed: pushes"

recipe '@kill -SEGV $$$$'
expect 1 go
says "$err" "exit status 2"
says "$err" "Segmentation fault"

recipe '@yes flood | head -c 40000000' '@exit 3'
expect 1 go
says "$err" "flood"
[ "$(wc -c <"$err")" -lt 20000 ] || fail "the flood went to the terminal"

recipe '@(setsid sleep 987 >/dev/null 2>&1 &)' '@exit 0'
expect 0 go
! pgrep -f 'sleep 987' >/dev/null || fail "a process was left behind"

cat >>.rgx/policy.yaml <<'END'
budgets:
  step: {wall_ms: 1500}
END
git add .rgx
recipe '@sleep 600'
expect 1 go
says "$err" "timed out after 1500 ms"
verified

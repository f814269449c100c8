#!/bin/sh
# A run that went wrong is given back: content, modes, deletions, moves and new files; everything or
# nothing, once, and on record.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

# tree: every file with its mode and content, apart from what git ignores.
tree() {
  git ls-files -co --exclude-standard | while read -r file; do
    [ ! -e "$file" ] || echo "$(stat -c %a "$file") $(sha256sum <"$file") $file"
  done
}

sample repo
cd repo
chmod 755 src/average.c
chmod 600 src/average.h
cat >Makefile <<'END'
test:
	mkdir -p build && echo made >build/out
	echo "/* generated */" >>src/ring.c
	chmod 700 src/average.c
	rm src/average.h
	mv src/ring.h src/moved.h
	mkdir -p src/new && echo new >src/new/file.c
	exit 1
END
tests_may_change
expect 0 "$RGX" init --yes --test-writes "build/**" --test-writes "src/**" -- make test
commit_all .
tree >"$base/before"

intent="replace ring_push with ring_append under src and tests"
admission=$("$RGX" plan "$intent" 2>/dev/null | sed -n 's/^.*admission digest *//p' | head -n 1)
expect 1 "$RGX" run "$intent" --accept "$admission"
run=$(sed -n 's/^run  *\([^ ]*\) .*/\1/p' "$out")
[ "$(tail -n 1 "$out")" = "undo      rgx rollback $run" ] || fail "last line: $(tail -n 1 "$out")"
says "$out" "src/moved.h"
tree >"$base/after"
! cmp -s "$base/before" "$base/after" || fail "the run changed nothing"

# ---- nothing is given back where somebody has gone on working ------------------------------------
cp src/moved.h "$base/moved.h"
echo "/* mine */" >>src/moved.h
tree >"$base/mine"
expect 8 "$RGX" rollback "$run"
says "$err" '`src/moved.h` has changed since'
says "$err" "[rollback.changed_since]"
silent "$out"
tree | cmp - "$base/mine" || fail "a refused rollback changed files"
cp "$base/moved.h" src/moved.h

# ---- all of it ----------------------------------------------------------------------------------
expect 0 "$RGX" rollback last
says "$out" "run $run rolled back:"
says "$out" "src/average.h"
says "$err" "files that git ignores are not given back"
says "$err" "tests: build/**, src/**"
tree | diff "$base/before" - || fail "the tree is not as it was"
git diff --quiet || fail "git sees a difference"
[ -e build/out ] || fail "a file that git ignores was removed"

expect 2 "$RGX" rollback "$run"
says "$err" "is rolled back already"
says "$err" "[rollback.done]"
expect 0 "$RGX" runs
says "$out" "failed, undone"
expect 0 "$RGX" runs --json
[ "$(jq -r ".runs[0].rolled_back" "$out")" != null ] || fail "no time: $(cat "$out")"
index=$(echo "$HOME"/.local/state/rgx/repositories/*/index.jsonl)
[ "$(tail -n 2 "$index" | jq -r '.record.type + " " + .record.body.state' | tr '\n' ' ')" = \
  "run_rolled_back started run_rolled_back finished " ] || fail "records: $(tail -n 2 "$index")"
expect 0 "$RGX" verify "$run"

# ---- a run that succeeded, and what cannot be named ---------------------------------------------
printf 'test:\n\ttrue\n' >Makefile
commit_all .
tree >"$base/before"
admission=$("$RGX" plan "$intent" 2>/dev/null | sed -n 's/^.*admission digest *//p' | head -n 1)
expect 0 "$RGX" run "$intent" --accept "$admission"
expect 0 "$RGX" rollback last --json
[ "$(jq -r '.state + " " + (.restored | length | tostring)' "$out")" = "rolled_back 5" ] ||
  fail "report: $(cat "$out")"
tree | diff "$base/before" - || fail "the tree is not as it was"
expect 2 "$RGX" rollback r-ffff
says "$err" "[run.unknown]"

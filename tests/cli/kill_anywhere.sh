#!/bin/sh
# kill -9 at random moments of a run. Afterwards the ledger is VERIFIED, INCONCLUSIVE or TORN, never
# TAMPERED; each file of the workspace is its old or its new content as a whole; and the next run of
# the same repository works.
#
# RGX_KILLS is how many times (200), RGX_SEED picks the moments.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

kills=${RGX_KILLS:-200}
seed=${RGX_SEED:-$(date +%s)}
echo "seed $seed: RGX_SEED=$seed RGX_KILLS=$kills reproduces the moments"

sample repo
cd repo
# Tests that take a moment and write something, so that a kill meets a running program, too.
cat >Makefile <<'END'
test:
	mkdir -p build
	for i in 1 2 3; do echo $$i >build/$$i; sleep 0.02; done
END
rm -rf .git
commit_all .
expect 0 "$RGX" init --yes
commit_all .
expect 0 "$RGX" plan "replace ring_push with ring_append under src and tests" \
  --out "$base/plan.json"

# The old and the new content of every file of the plan, from one run that nobody killed.
files=$(jq -r '.plan.steps[].with.path | select(. != null)' "$base/plan.json")
started=$(date +%s%N)
for file in $files; do sha256sum "$file"; done >"$base/old"
expect 0 "$RGX" run --plan "$base/plan.json"
duration=$((($(date +%s%N) - started) / 1000000))
for file in $files; do sha256sum "$file"; done >"$base/new"
sort "$base/old" "$base/new" | uniq -d >"$base/same"
silent "$base/same"
sort "$base/old" "$base/new" >"$base/allowed"
git checkout -q .

# Moments in milliseconds, evenly over a run and a little longer.
awk -v seed="$seed" -v n="$kills" -v max="$((duration + duration / 5 + 5))" 'BEGIN {
  srand(seed)
  for (i = 0; i < n; i++) { ms = rand() * max; printf "%.4f\n", ms / 1000 }
}' >"$base/moments"

number=0
cut_short=0
: >"$base/verdicts"
while read -r moment; do
  number=$((number + 1))
  "$RGX" run --plan "$base/plan.json" >"$out" 2>"$err" </dev/null &
  child=$!
  sleep "$moment"
  kill -9 "$child" 2>/dev/null || true
  code=0
  wait "$child" 2>/dev/null || code=$?
  where="kill $number of $kills after $moment s (seed $seed)"
  case $code in
    137) cut_short=$((cut_short + 1)) ;;
    0) ;;
    *) fail "$where: rgx ended by itself with $code: $(cat "$err")" ;;
  esac
  for file in $files; do
    sum=$(sha256sum "$file")
    grep -qxF "$sum" "$base/allowed" || fail "$where: $file holds neither old nor new content"
  done
  for ledger in "$HOME"/.local/state/rgx/repositories/*/runs/*/ledger.jsonl; do
    [ -e "$ledger" ] || continue
    run=$(basename "$(dirname "$ledger")")
    ! grep -qF "$run " "$base/verdicts" || continue
    code=0
    "$RGX" verify "$run" >"$out" 2>"$err" || code=$?
    verdict=$(head -n 1 "$out" | cut -d' ' -f1)
    case $verdict in
      VERIFIED | INCONCLUSIVE | TORN) echo "$run $verdict" >>"$base/verdicts" ;;
      *) fail "$where: run $run is \`$verdict\` ($code): $(cat "$out" "$err")" ;;
    esac
  done
  git checkout -q .
done <"$base/moments"

# The workspace has no leftovers once a run has cleaned up, and everything still works.
expect 0 "$RGX" run --plan "$base/plan.json"
expect 0 "$RGX" verify last
git ls-files -o --exclude-standard >"$base/leftovers"
silent "$base/leftovers"
expect 0 "$RGX" runs
echo "$cut_short of $kills runs were cut short; verdicts:"
cut -d' ' -f2 "$base/verdicts" | sort | uniq -c
[ "$cut_short" -ge $((kills / 4)) ] || fail "too few runs were cut short to prove anything"

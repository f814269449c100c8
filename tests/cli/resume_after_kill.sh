#!/bin/sh
# kill -9 at random moments of a run, then `rgx resume`: the tree is that of an undisturbed run.
#
# RGX_KILLS is how many times (20), RGX_SEED picks the moments.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

kills=${RGX_KILLS:-20}
seed=${RGX_SEED:-$(date +%s)}
echo "seed $seed: RGX_SEED=$seed RGX_KILLS=$kills reproduces the moments"

sample repo
cd repo
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
started=$(date +%s%N)
expect 0 "$RGX" run --plan "$base/plan.json"
duration=$((($(date +%s%N) - started) / 1000000))
git diff >"$base/expected"
git checkout -q .

awk -v seed="$seed" -v n="$kills" -v max="$duration" 'BEGIN {
  srand(seed)
  for (i = 0; i < n; i++) { printf "%.4f\n", rand() * max / 1000 }
}' >"$base/moments"

number=0
went_on=0
while read -r moment; do
  number=$((number + 1))
  where="kill $number of $kills after $moment s (seed $seed)"
  before=$("$RGX" runs --json | jq '.runs | length')
  "$RGX" run --plan "$base/plan.json" >"$out" 2>"$err" </dev/null &
  child=$!
  sleep "$moment"
  kill -9 "$child" 2>/dev/null || true
  wait "$child" 2>/dev/null || true
  "$RGX" runs --json >"$base/runs.json"
  if [ "$(jq '.runs | length' "$base/runs.json")" != "$before" ]; then
    code=0
    "$RGX" resume last >"$out" 2>"$err" </dev/null || code=$?
    case $code in
      0)
        went_on=$((went_on + 1))
        git diff | cmp -s - "$base/expected" || fail "$where: another tree: $(git diff --stat)"
        verified
        ;;
      2) # it had ended, or not yet begun
        grep -q -e 'resume.finished' -e 'resume.nothing' -e 'run.unknown' -e 'storage.missing' \
          "$err" || fail "$where: $(cat "$err")"
        ;;
      6) # the program was under way, and nobody knows what it did
        says "$out" "was cut short"
        ;;
      *) fail "$where: resume exited with $code: $(cat "$out" "$err")" ;;
    esac
  fi
  git checkout -q .
done <"$base/moments"
echo "$went_on of $kills runs went on"
[ "$went_on" -ge 1 ] || fail "no run went on"

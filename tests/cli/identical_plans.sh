#!/bin/sh
# Two plans of one intent, made in two copies of a repository at different paths, under different
# TZ, LANG and umask, are byte-identical; so are the views, and the admission digests.
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

intent="replace ring_push with ring_append under src"
sample first
cp -R first/. elsewhere.with_another-name
mkdir -p deep/er
git clone -q first deep/er/third

cd "$base/first"
expect 0 "$RGX" init --yes
commit_all .
cd "$base"
rm -rf elsewhere.with_another-name deep/er/third
cp -R first elsewhere.with_another-name
git clone -q first deep/er/third

plan_in() {
  cd "$base/$1"
  (
    umask "$2"
    expect 0 env TZ="$3" LC_ALL="$4" LANG="$4" "$RGX" plan "$intent" --out "$base/$5.json"
    cp "$out" "$base/$5.tree"
    expect 0 env TZ="$3" LC_ALL="$4" LANG="$4" "$RGX" plan "$intent" --format json
    cmp "$out" "$base/$5.json" || fail "--out and --format json differ"
  )
  cd "$base"
}

plan_in first 022 UTC C one
plan_in elsewhere.with_another-name 077 Asia/Kathmandu de_DE.UTF-8 two
plan_in deep/er/third 000 America/St_Johns tr_TR.UTF-8 three

for other in two three; do
  cmp one.json "$other.json" || fail "the sealed plans one and $other differ"
  sed "s/$other\.json/one.json/" "$other.tree" | diff one.tree - ||
    fail "the views of one and $other differ"
done
says one.tree "admission digest"
says one.json '"schema":"rgx.sealed-plan/v1"'

# And another intent makes another plan: the comparison can fail.
cd first
expect 0 "$RGX" plan "replace ring_push with ring_add under src" --out "$base/other.json"
! cmp -s "$base/one.json" "$base/other.json" || fail "two intents, one plan"

# The digest is that of sha256sum over what the format says.
recorded=$(jq -r .digest "$base/one.json")
computed=$({ printf 'rgx.plan/v1\0'; jq -j -c -S .plan "$base/one.json"; } |
  sha256sum | cut -d' ' -f1)
[ "$recorded" = "sha256:$computed" ] || fail "plan digest: $recorded, computed $computed"

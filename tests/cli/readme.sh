#!/bin/sh
# README.md shows what the program prints, in a copy of the sample after rgx init.
# shellcheck disable=SC2016  # backticks of Markdown
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs python3 make

mkdir bin
ln -s "$RGX" bin/rgx
PATH=$base/bin:$PATH
LC_ALL=C.UTF-8
export PATH LC_ALL
sample repo
cd repo
expect 0 rgx init --yes
commit_all .
/usr/bin/python3 "$RGX_SOURCE/tests/cli/tutorial.py" "$RGX_SOURCE/README.md"

# The table has every template that is shipped, and no other.
expect 0 rgx template list
sed -n 's/^\([a-z][a-z-]*\)  *[0-9].*/\1/p' "$out" | sort >"$base/shipped"
sed -n 's/^| `\([a-z-]*\)` |.*/\1/p' "$RGX_SOURCE/README.md" | sort >"$base/told"
[ -s "$base/shipped" ] || fail "no templates in: $(cat "$out")"
same_as "$base/shipped" <"$base/told"

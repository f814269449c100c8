#!/bin/sh
# README.md shows what the program prints, in a copy of the sample after rgx init.
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

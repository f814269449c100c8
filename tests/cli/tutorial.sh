#!/bin/sh
# docs/tutorial.md, followed step by step: every command is run, and must print what stands there.
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs python3 ctest cmake make jq

mkdir bin
ln -s "$RGX" bin/rgx
LC_ALL=C.UTF-8
PATH=$base/bin:$PATH
export PATH LC_ALL
cd "$HOME"
/usr/bin/python3 "$RGX_SOURCE/tests/cli/tutorial.py" "$RGX_SOURCE/docs/tutorial.md"

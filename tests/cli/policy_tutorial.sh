#!/bin/sh
# docs/policy.md, followed step by step: every command is run, and must print what stands there.
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

mkdir bin
ln -s "$RGX" bin/rgx
LC_ALL=C.UTF-8
PATH=$base/bin:$PATH
export PATH LC_ALL
cd "$HOME"
/usr/bin/python3 "$RGX_SOURCE/tests/cli/tutorial.py" "$RGX_SOURCE/docs/policy.md"

# Each policy to start from has a page, which the table of that page links to.
for file in "$RGX_SOURCE"/policies/*.test.yaml; do
  name=$(basename "$file" .test.yaml)
  [ "$name" = default ] || says "$RGX_SOURCE/docs/policy.md" "[$name]("
done

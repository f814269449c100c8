#!/bin/sh
# usage: run_script.sh SCRATCH SCRIPT
# Runs SCRIPT in SCRATCH, made empty first, with a HOME of its own, so that no script sees the
# state, keys or configuration of the person who runs the tests.
set -eu
if [ $# -ne 2 ]; then
  echo "usage: run_script.sh SCRATCH SCRIPT" >&2
  exit 2
fi
scratch=$1
script=$2
case $scratch in
  */tests/cli/*) ;;
  *) echo "run_script.sh: \`$scratch\` is not a test's scratch folder" >&2; exit 2 ;;
esac
chmod -R u+rwX "$scratch" 2>/dev/null || true
rm -rf "$scratch"
mkdir -p "$scratch/home" "$scratch/work"
cd "$scratch/work"
unset XDG_STATE_HOME XDG_CONFIG_HOME XDG_CACHE_HOME GIT_DIR GIT_WORK_TREE
HOME=$scratch/home
GIT_CONFIG_NOSYSTEM=1
GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.org
GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org
export HOME GIT_CONFIG_NOSYSTEM GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME \
  GIT_COMMITTER_EMAIL
exec sh "$script"

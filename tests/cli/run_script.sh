#!/bin/sh
# usage: run_script.sh SCRIPT
# Runs SCRIPT in a new folder with a HOME of its own, so that no script sees the state, keys or
# configuration of the person who runs the tests. The folder is below the system's temporary one,
# outside every repository. It is removed, unless the script failed: then its path is printed.
set -eu
if [ $# -ne 1 ]; then
  echo "usage: run_script.sh SCRIPT" >&2
  exit 2
fi
script=$1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/rgx-cli-XXXXXX")
scratch=$(cd "$scratch" && pwd -P)
mkdir -p "$scratch/home" "$scratch/work"
unset XDG_STATE_HOME XDG_CONFIG_HOME XDG_CACHE_HOME GIT_DIR GIT_WORK_TREE
HOME=$scratch/home
GIT_CONFIG_NOSYSTEM=1
GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.org
GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org
export HOME GIT_CONFIG_NOSYSTEM GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME \
  GIT_COMMITTER_EMAIL
status=0
(cd "$scratch/work" && exec sh "$script") || status=$?
case $status in
  0 | 77)
    chmod -R u+rwX "$scratch"
    rm -rf "$scratch"
    ;;
  *) echo "the script's folder is kept: $scratch" >&2 ;;
esac
exit "$status"

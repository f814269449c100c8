#!/bin/sh
# dependency-upgrade of the Python and JavaScript samples against a registry on the loopback
# interface: the package manager itself makes the lock file anew, then the tests run. Without a
# policy that names the host, and for versions that do not exist, nothing is left half-done.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs python3
/usr/bin/python3 -m pip --version >/dev/null 2>&1 || skip "python3 has no pip"

/usr/bin/python3 "$RGX_SOURCE/tests/cli/registry.py" "$base/port" "$base/asked" &
registry=$!
trap 'kill "$registry"' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10; do
  [ -s "$base/port" ] && break
  sleep 0.2
done
port=$(cat "$base/port")

sample python sample-python
cd python
expect 0 "$RGX" init --yes
commit_all .

# The default policy lets nothing leave this machine.
intent="upgrade shelfmarks to 1.3.0 from http://localhost:$port/simple"
expect 3 "$RGX" run "$intent"
says "$err" "localhost:$port"
[ -z "$(git status --porcelain)" ] || fail "a refused run changed files"
[ ! -e "$base/asked" ] || fail "a refused run asked the registry"

# The person's own policy: the default, and package managers that may ask this registry.
user_policy=$HOME/.config/rgx/policy.yaml
{
  sed -e 's/^layer: org .*/layer: user/' -e 's/^name: .*/name: mine/' \
    "$RGX_SOURCE/policies/default.yaml" | sed '/^rules:/,$d'
  cat <<END_POLICY
rules:
  - id: pip-locks
    effect: allow
    tool: [exec]
    argv: [python3, "-m", pip, install, "--dry-run", "**"]
    read: ["**"]
    write: ["**/requirements.lock.json"]
    hosts: ["localhost:$port"]
    why: "lock files are made by their package manager, from our own registry"
    remedy: "name our registry in the intent"
  - id: npm-locks
    effect: allow
    tool: [exec]
    argv: [npm, install, "--package-lock-only", "--ignore-scripts", "**"]
    read: ["**"]
    write: ["**/package.json", "**/package-lock.json"]
    hosts: ["localhost:$port"]
    why: "as above"
    remedy: "name our registry in the intent"
END_POLICY
  sed '1,/^rules:/d' "$RGX_SOURCE/policies/default.yaml"
} >"$user_policy"
expect 0 "$RGX" policy check "$user_policy"
plan_and_run "$intent"
cat >"$base/expected" <<'END_LINES'
file pyproject.toml
-dependencies = ["shelfmarks==1.2.0"]
+dependencies = ["shelfmarks==1.3.0"]
file requirements.lock.json
file requirements.txt
-shelfmarks==1.2.0
+shelfmarks==1.3.0
END_LINES
# The report of pip names the system, too.
changed_lines >"$base/lines"
sed '/^file requirements.lock/,/^file requirements.txt/{/^[-+]/d}' "$base/lines" |
  same_as "$base/expected"
[ "$(jq -r '.install[] | .metadata.name + " " + .metadata.version + " " + .download_info.url' \
  requirements.lock.json)" = \
  "shelfmarks 1.3.0 http://localhost:$port/files/shelfmarks-1.3.0-py3-none-any.whl" ] ||
  fail "the lock file: $(cat requirements.lock.json)"
says "$base/asked" /simple/shelfmarks/
verified
commit_all .
expect 2 "$RGX" plan "$intent"
says "$err" "[instantiate.nothing_to_do]"

# A version that nobody has: the lock file can't be made, and rollback gives the rest back.
expect 1 "$RGX" run "upgrade shelfmarks to 9.9.9 from http://localhost:$port/simple"
says "$err" "shelfmarks==9.9.9"
says "$err" "1 step skipped"
verified
expect 0 "$RGX" rollback last
[ -z "$(git status --porcelain)" ] || fail "rolled back, but $(git status --porcelain)"
expect 2 "$RGX" plan "upgrade shelfmark to 1.3.0"
says "$err" "[fact.no_dependency]"

# ---- npm ----------------------------------------------------------------------------------------
cd "$base"
if [ ! -x /usr/bin/npm ] || [ ! -x /usr/bin/node ]; then
  echo "not tested: npm, which is not in /usr/bin" >&2
  exit 0
fi
sample node sample-node
cd node
expect 0 "$RGX" init --yes -- node --test
commit_all .
plan_and_run "upgrade berth-codes to 1.1.0 from http://localhost:$port"
changed_lines | sed 's/"sha512-.*"/"SHA-512"/' >"$base/lines"
cat >"$base/expected" <<END_LINES
file package-lock.json
-        "berth-codes": "^1.0.0"
+        "berth-codes": "^1.1.0"
-      "version": "1.0.0",
+      "version": "1.1.0",
+      "resolved": "http://localhost:$port/berth-codes/-/berth-codes-1.1.0.tgz",
+      "integrity": "SHA-512",
file package.json
-  "dependencies": {"berth-codes": "^1.0.0"}
+  "dependencies": {"berth-codes": "^1.1.0"}
END_LINES
same_as "$base/expected" <"$base/lines"
verified

#!/usr/bin/env bash
# Runs end-to-end tests as a user without rights; takes root:
#   tests/e2e/as_ordinary_user.sh DIST [NAME ...]
# The sandbox is another one then: a user namespace that the worker may make
# without being root, and no users of their own in it.
set -euo pipefail

if [[ $(id -u) != 0 || $# -lt 1 ]]; then
  echo "as_ordinary_user.sh: takes root, and the folder of tools/stage.sh" >&2
  exit 64
fi
# Nobody's.
user=64999

# A copy, because a checkout may lie where only root gets.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tests"
cp -r "$(dirname "${BASH_SOURCE[0]}")" "$work/tests/e2e"
cp -r "$1" "$work/dist"
chown -R "$user:$user" "$work"
cd "$work"
setpriv --reuid "$user" --regid "$user" --clear-groups --inh-caps=-all \
  --bounding-set=-all env -i PATH=/usr/bin:/bin HOME="$work" TMPDIR="$work" \
  /usr/bin/python3 tests/e2e/run.py --dist dist "${@:2}"

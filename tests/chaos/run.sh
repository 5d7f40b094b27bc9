#!/usr/bin/env bash
# Breaks a coordinator under load and checks that nothing is lost:
#   tests/chaos/run.sh [--dist FOLDER] [run.py's arguments]
# tests/chaos/run.sh --kills 100 --rounds 10 is the long form that
# docs/performance.md tells of. Tests the coordinator that is built here, or the
# one installed in FOLDER. Root, or user namespaces, are needed for the full
# disk and the cut network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
dist=
if [[ ${1:-} == --dist ]]; then
  dist=$2
  shift 2
fi
bazel build --noshow_progress --ui_event_filters=-info,-debug \
  //server:assay-coordinator //tests/chaos:assay-chaos
built=$(bazel info bazel-bin 2>/dev/null)
# A copy: a build meanwhile would change it under the test.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "${dist:-$built/server}${dist:+/bin}/assay-coordinator" \
  "$built/tests/chaos/assay-chaos" "$work"
/usr/bin/python3 tests/chaos/run.py --coordinator "$work/assay-coordinator" \
  --client "$work/assay-chaos" "$@"

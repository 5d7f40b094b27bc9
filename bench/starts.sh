#!/usr/bin/env bash
# Measures what the sandbox costs at the start of a process, and, when root runs
# it, what it costs below a worker that is an ordinary user:
#   bench/starts.sh [STARTS]
# The results in docs/performance.md come from here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
starts=${1:-50}

tools/stage.sh dist
bazel build --noshow_progress --ui_event_filters=-info //bench:start_benchmark
# A copy, because a checkout may lie where only root gets.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cp -r dist "$(bazel info bazel-bin 2>/dev/null)/bench/start_benchmark" "$work"

echo "machine: $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2-), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg), $(date -u +%F)"
"$work/start_benchmark" --dist "$work/dist" --starts "$starts"
[[ $(id -u) == 0 ]] || exit 0
setpriv --reuid 64999 --regid 64999 --clear-groups --bounding-set=-all \
  "$work/start_benchmark" --dist "$work/dist" --starts "$starts"

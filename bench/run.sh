#!/usr/bin/env bash
# Measures what Assay itself costs on this machine: bench/run.sh [ROUNDS]
# Starts a coordinator and a worker of its own and stops them at the end. The
# results in docs/performance.md come from here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rounds=${1:-20}

tools/stage.sh dist
bazel build --noshow_progress --ui_event_filters=-info //bench:overhead_benchmark
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT

dist/bin/assay-coordinator --listen 127.0.0.1:0 --store "$work/assay.db" \
  --port-file "$work/address" >"$work/coordinator.log" 2>&1 &
until [[ -s $work/address ]]; do sleep 0.05; done
server=$(<"$work/address")
dist/bin/assay-worker --device cpu --server "$server" --cache "$work/cache" \
  >"$work/worker.log" 2>&1 &
until grep -q " serving " "$work/worker.log"; do sleep 0.1; done
dist/bin/assay import kernels/traceset --server "$server" >/dev/null

echo "machine: $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2-), $(nproc) cores, $(date -u +%F)"
"$(bazel info bazel-bin 2>/dev/null)"/bench/overhead_benchmark --server "$server" --rounds "$rounds" \
  scale_f32_cpp_vectorized scale_h4096_cpp_tvm_ffi scale_f32_python_torch \
  rmsnorm_h4096_cpp_vectorized rmsnorm_h4096_python_torch

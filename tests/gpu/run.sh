#!/usr/bin/env bash
# Runs the GPU tests on a machine with an NVIDIA GPU, with an unpacked package
# that has the test programs (deploy/package.sh --with-gpu-tests):
#   tests/gpu/run.sh --dist DIR [--results FOLDER] [--cache FOLDER]
#                    [--worker-flag=FLAG]... [NAME...]
# NAME picks tests as unittest does (`test_faults`, `bench_accuracy`); without
# any all run. The python3 in PATH, which needs torch and triton, runs them and
# the references. The last line is "N passed, N failed"; a test that cannot run
# fails. --results gets the benchmarks' measurements as JSON.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")

python=$(command -v python3) || {
  echo "run.sh: there is no python3 in PATH" >&2
  echo "0 passed, 1 failed"
  exit 1
}
exec "$python" "$here/run.py" "$@"

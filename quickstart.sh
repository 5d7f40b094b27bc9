#!/usr/bin/env bash
# From nothing to a leaderboard: installs what is missing, builds Assay into
# dist/, and evaluates the part of the starter trace set that a CPU can run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

./setup.sh --no-checks
echo "quickstart: building Assay into dist/ (minutes the first time)"
tools/stage.sh dist
echo "quickstart: evaluating the starter trace set on this machine's CPU"
# Fewer samples than the defaults: a tour, not a measurement.
exec dist/bin/assay run --local kernels/traceset \
  --warmup 2 --iterations 10 --trials 2 "$@"

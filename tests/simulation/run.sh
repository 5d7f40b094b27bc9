#!/usr/bin/env bash
# Simulates the lease machine for long, see server/simulation/lease_simulation.h:
#   tests/simulation/run.sh [STEPS [SEED]]     default: 1,000,000 from seed 1
#   tests/simulation/run.sh --replay FILE      steps as a failed run printed them
#
# Exit code 1 with the steps that show a fault. results.md has the latest run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bazel build --ui_event_filters=error --noshow_progress \
  //server/simulation:lease_simulation_main
exec bazel-bin/server/simulation/lease_simulation_main "$@"

#!/usr/bin/env bash
# Measures the coordinator under load on this machine, with the generator on the
# same machine:
#   tests/load/run.sh [--dist FOLDER] [--results FILE] [SCENARIO...]
# Measures the coordinator that is built here, or the one installed in FOLDER.
# Scenarios: record staged idle submit operations board; default: all. Each runs
# on a store of its own in ASSAY_LOAD_FOLDER (default: a new folder in /tmp),
# seeded with ASSAY_LOAD_TRACES traces (default 1000; operations: each of 1000,
# 10000, 100000 and 1000000; board: 1000000). ASSAY_LOAD_SECONDS (default 20) is
# the length of each measurement. Prints a table, and appends JSON, an object a
# line, to the results.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
dist=
results=
while [[ ${1:-} == --* ]]; do
  case $1 in
    --dist) dist=$2 ;;
    --results) results=$2 ;;
    *)
      sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
      exit 64
      ;;
  esac
  shift 2
done
scenarios=("$@")
[[ ${#scenarios[@]} -gt 0 ]] || scenarios=(record staged idle submit operations board)
traces=${ASSAY_LOAD_TRACES:-}
seconds=${ASSAY_LOAD_SECONDS:-20}

bazel build --noshow_progress --ui_event_filters=-info \
  //server:assay-coordinator //tests/load:assay-load //tests/load:assay-load-seed
built=$(bazel info bazel-bin 2>/dev/null)
programs=$built/tests/load
program=${dist:+$dist/bin/assay-coordinator}
program=${program:-$built/server/assay-coordinator}
work=$(mktemp -d "${ASSAY_LOAD_FOLDER:-/tmp}/assay-load.XXXXXX")
coordinator=
stop() {
  [[ -z $coordinator ]] || { kill "$coordinator" && wait "$coordinator"; } || true
  coordinator=
}
trap 'stop 2>/dev/null; rm -rf "$work"' EXIT

# Seeded stores are kept for the next scenario, which gets a copy.
seed() {
  [[ -f $work/seed-$1.db ]] && return
  printf "%-12s " seed
  "$programs/assay-load-seed" --store "$work/seed-$1.db" --traces "$1" 2>/dev/null
}

# measure TRACES SCENARIO [ARGUMENT...]
measure() {
  local count=$1 definitions=$((($1 + 9999) / 10000))
  shift
  seed "$count"
  rm -rf "$work"/run.*
  cp --sparse=always "$work/seed-$count.db" "$work/run.db"
  sync -f "$work/run.db"
  "$program" --listen 127.0.0.1:0 --store "$work/run.db" \
    --log-level warning --port-file "$work/run.address" >"$work/run.log" 2>&1 &
  coordinator=$!
  local begin=$EPOCHREALTIME
  until [[ -s $work/run.address ]]; do
    kill -0 "$coordinator" || { cat "$work/run.log" >&2; exit 1; }
    sleep 0.01
  done
  printf '%-12s %s traces, coordinator ready after %.2f s\n' "$1" "$count" \
    "$(awk "BEGIN { print $EPOCHREALTIME - $begin }")"
  if [[ -n $results ]]; then
    printf '{"scenario": "%s", "what": "traces stored", "value": %d}\n' \
      "$1" "$count" >>"$results"
  fi
  "$programs/assay-load" --server "$(<"$work/run.address")" --pid "$coordinator" \
    --definitions "$definitions" --seconds "$seconds" \
    ${results:+--json "$results"} "$@"
  stop
}

# A thousand connections, on both ends.
ulimit -n "$(ulimit -Hn)"
machine="$(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2- | xargs), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg), $(date -u +%F)"
echo "machine: $machine"
if [[ -n $results ]]; then
  printf '{"machine": "%s", "commit": "%s", "command": "tests/load/run.sh %s"}\n' \
    "$machine" "$(git rev-parse --short HEAD)" "${scenarios[*]}" >>"$results"
fi
for scenario in "${scenarios[@]}"; do
  case $scenario in
    record) measure "${traces:-1000}" record ;;
    staged) measure "${traces:-1000}" record --stages 7 ;;
    idle) measure "${traces:-1000}" idle ;;
    submit) measure "${traces:-1000}" submit ;;
    operations)
      for count in ${traces:-1000 10000 100000 1000000}; do
        measure "$count" operations
      done
      ;;
    board)
      measure "${traces:-1000000}" board
      measure "${traces:-1000000}" board --workers 2
      ;;
    *)
      echo "tests/load/run.sh: unknown scenario \"$scenario\"" >&2
      exit 64
      ;;
  esac
done

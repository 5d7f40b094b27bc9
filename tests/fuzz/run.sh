#!/usr/bin/env bash
# Searches for inputs that break the fuzz targets:
#   tests/fuzz/run.sh [--seconds=N] [--keep] [TARGET...]
#
# Each TARGET (default: all) runs for N seconds (default: 600) in one process,
# one after the other, with address and undefined behaviour sanitizers. A line per
# target goes to standard output; inputs that broke something are left in
# fuzz-findings/. With --keep what was learnt is added to corpus/, minimised.
# Exit code 0 when nothing was found, 1 when something was, 2 when it could not run.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

seconds=600
keep=false
targets=()
for argument in "$@"; do
  case $argument in
  --seconds=*) seconds=${argument#*=} ;;
  --keep) keep=true ;;
  -*)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
  *) targets+=("$argument") ;;
  esac
done
[[ ${#targets[@]} -gt 0 ]] || targets=(json lease_reports safetensors)

mapfile -t labels < <(printf '//tests/fuzz:%s_fuzzer\n' "${targets[@]}")
bazel build --config=fuzz "${labels[@]}" || exit 2

programs=$(mktemp -d)
trap 'rm -rf "$programs"' EXIT
# Another build may replace bazel-bin while they run.
for target in "${targets[@]}"; do
  cp "$(bazel info --config=fuzz bazel-bin 2>/dev/null)/tests/fuzz/${target}_fuzzer" \
    "$programs/$target" || exit 2
done

found=0
mkdir -p fuzz-findings
for target in "${targets[@]}"; do
  corpus=tests/fuzz/corpus/$target
  learnt=$programs/$target.corpus
  log=fuzz-findings/$target.log
  mkdir -p "$learnt"
  UBSAN_OPTIONS=print_stacktrace=1 nice -n 19 "$programs/$target" \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
    -print_final_stats=1 -artifact_prefix="fuzz-findings/$target-" \
    "$learnt" "$corpus" >"$log" 2>&1
  code=$?
  executions=$(awk '/stat::number_of_executed_units/ { print $2 }' "$log")
  covered=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1)
  if [[ $code -eq 0 ]]; then verdict="no finding"; else
    verdict="FINDING, see $log"
    found=1
  fi
  echo "$(date -u +%F) $target: ${seconds} s, ${executions:-?} inputs, ${covered:-cov: ?}, $verdict"
  if [[ $keep == true && $code -eq 0 ]]; then
    mkdir "$programs/$target.merged"
    "$programs/$target" -use_counters=0 -set_cover_merge=1 "$programs/$target.merged" "$corpus" "$learnt" \
      >>"$log" 2>&1 || exit 2
    rm -f "$corpus"/*
    cp "$programs/$target.merged"/* "$corpus"
  fi
done
exit $found

#!/usr/bin/env bash
# Runs the tests under sanitizers:
#   tools/sanitizers.sh [asan|tsan] [--unit] [--e2e]
#
#   asan    AddressSanitizer with leaks, and UndefinedBehaviorSanitizer
#   tsan    ThreadSanitizer
#   --unit  the unit tests
#   --e2e   the end-to-end tests
#
# Default: both, each with both. First of all each sanitizer has to find the
# defects of tests/sanitizers. What a program reports counts as a failure even
# where its test passes. The last line is "N passed, N failed".
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sanitizers=()
parts=()
for argument in "$@"; do
  case $argument in
    asan | tsan) sanitizers+=("$argument") ;;
    --unit | --e2e) parts+=("${argument#--}") ;;
    *)
      sed -n '2,12s/^# \{0,1\}//p' "$0" >&2
      exit 2
      ;;
  esac
done
[[ ${#sanitizers[@]} -gt 0 ]] || sanitizers=(asan tsan)
[[ ${#parts[@]} -gt 0 ]] || parts=(unit e2e)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

pass() { passed=$((passed + 1)); }
fail() {
  echo "FAILED: $*"
  failed=$((failed + 1))
}

# expect_report DEFECT TEXT: the program reports it, and ends with a failure.
expect_report() {
  if "$work/assay-defect" "$1" >"$work/output" 2>&1; then
    fail "$sanitizer is silent about $1"
  elif grep -q "$2" "$work/output"; then
    pass
  else
    fail "$sanitizer does not report $1 as \"$2\": $(cat "$work/output")"
  fi
}

check_defects() {
  echo "== $sanitizer: defects"
  bazel build --noshow_progress --ui_event_filters=-info,-debug \
    --config="$sanitizer" //tests/sanitizers:assay-defect || {
    fail "$sanitizer: no build of assay-defect"
    return
  }
  # A copy: what is built next would take its place.
  cp -f "$(bazel info bazel-bin 2>/dev/null)/tests/sanitizers/assay-defect" \
    "$work"
  case $sanitizer in
    asan)
      expect_report use-after-free "AddressSanitizer: heap-use-after-free"
      expect_report overflow "runtime error: signed integer overflow"
      expect_report leak "LeakSanitizer: detected memory leaks"
      ;;
    tsan)
      expect_report race "ThreadSanitizer: data race"
      expect_report grpc-race "ThreadSanitizer: data race"
      ;;
  esac
  if "$work/assay-defect" none >"$work/output" 2>&1; then pass; else
    fail "$sanitizer reports what is no defect: $(cat "$work/output")"
  fi
}

# A program that prints "N passed, N failed" last.
suite() {
  local code last
  "$@" 2>&1 | tee "$work/log"
  code=${PIPESTATUS[0]}
  last=$(tail -n 1 "$work/log")
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
    [[ $code -eq 0 || ${BASH_REMATCH[2]} -gt 0 ]] || fail "$1: exit code $code"
  else
    fail "$1 ended without a count (exit code $code)"
  fi
}

run_unit() {
  echo "== $sanitizer: unit tests"
  suite tools/unit_tests.sh --config="$sanitizer"
}

# Programs that a test starts write reports to files: nobody reads the output of
# all of them, and ThreadSanitizer lets a program go on.
run_e2e() {
  echo "== $sanitizer: end-to-end tests"
  local dist=$work/$sanitizer reports=$work/reports-$sanitizer report
  tools/stage.sh --config="$sanitizer" "$dist" || {
    fail "$sanitizer: no installation"
    return
  }
  mkdir -m 777 "$reports"
  # All that the programs read; the sanitizer built in picks what is its own.
  ASAN_OPTIONS=log_path=$reports/report TSAN_OPTIONS=log_path=$reports/report \
    suite /usr/bin/python3 tests/e2e/run.py --dist "$dist" \
    --cache "$work/cache"
  for report in "$reports"/*; do
    [[ -e $report ]] || continue
    cat "$report"
    fail "$sanitizer: $(grep -m 1 SUMMARY "$report" || echo "a report")"
  done
}

for sanitizer in "${sanitizers[@]}"; do
  check_defects
  for part in "${parts[@]}"; do
    "run_$part"
  done
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]

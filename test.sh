#!/usr/bin/env bash
# Runs every check that needs no GPU: unit tests, end-to-end tests with real
# processes, formatting and thread-safety analysis. The last line counts test
# cases; the exit code is 0 only when none failed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
passed=0
failed=0

# count PASSED FAILED
count() {
  passed=$((passed + $1))
  failed=$((failed + $2))
}

# A check that passes or fails as a whole.
check() {
  local name=$1
  shift
  echo "== $name"
  if "$@"; then count 1 0; else
    echo "FAILED: $name" >&2
    count 0 1
  fi
}

# A program that prints "N passed, N failed" last.
suite() {
  local name=$1 last
  shift
  echo "== $name"
  local log
  log=$(mktemp)
  "$@" 2>&1 | tee "$log"
  local code=${PIPESTATUS[0]}
  last=$(tail -n 1 "$log")
  rm -f "$log"
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    # A suite that failed has to have said so in its count.
    [[ $code -ne 0 && ${BASH_REMATCH[2]} -eq 0 ]] && count 0 1
  else
    echo "FAILED: $name ended without a count (exit code $code)" >&2
    count 0 1
  fi
}

finish() {
  echo "$passed passed, $failed failed"
  [[ $failed -eq 0 && $passed -gt 0 ]]
  exit
}

./setup.sh || { count 0 1; finish; }
suite "unit tests" tools/unit_tests.sh
check "format" tools/lint.sh --format-only
check "thread safety" tools/thread_safety.sh
check "stage" tools/stage.sh dist
suite "end-to-end tests" /usr/bin/python3 tests/e2e/run.py --dist dist
suite "hostile clients" /usr/bin/python3 tests/hostile_clients/run.py --dist dist
# The sandbox of a worker that is root is another than that of one that is not.
if [[ $(id -u) == 0 ]]; then
  suite "escapes from an ordinary user's worker" \
    tests/e2e/as_ordinary_user.sh dist test_escapes
else
  echo "test.sh: escapes were tried as an ordinary user alone; root tries both"
fi
suite "hostile solutions" /usr/bin/python3 tests/hostile/run.py --dist dist
suite "chaos" tests/chaos/run.sh --dist dist --kills 5 --rounds 1
finish

#!/usr/bin/env bash
# Builds everything, runs all Bazel tests and counts their cases:
#   tools/unit_tests.sh [BAZEL_FLAG ...]
# The last line is "N passed, N failed". A case that skips itself is named, and
# counts as neither.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bazel test --noshow_progress --test_summary=terse --keep_going "$@" //...
code=$?
# A test that crashes leaves a report without its cases: Bazel's exit code then
# says that something failed.
/usr/bin/python3 - "$code" "$(bazel info bazel-testlogs 2>/dev/null)" <<'PYTHON'
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

code = int(sys.argv[1])
passed = failed = 0
for report in sorted(pathlib.Path(sys.argv[2]).rglob("test.xml")):
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except ElementTree.ParseError:
        print(f"FAILED: {report} cannot be read")
        failed += 1
        continue
    for case in cases:
        if case.get("status") == "notrun":
            continue
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
            print(f"FAILED: {case.get('classname')}.{case.get('name')}")
        elif (skipped := case.find("skipped")) is not None:
            reason = " ".join((skipped.get("message") or skipped.text or "").split())
            print(f"SKIPPED: {case.get('classname')}.{case.get('name')}: {reason}")
        else:
            passed += 1
if code != 0 and failed == 0:
    print(f"FAILED: bazel test ended with code {code}")
    failed = 1
print(f"{passed} passed, {failed} failed")
sys.exit(0 if code == 0 and failed == 0 else 1)
PYTHON

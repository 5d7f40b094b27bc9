#!/usr/bin/env bash
# Builds the programs and lays them out as an installation:
#   tools/stage.sh [--portable | --config=asan | --config=tsan] [FOLDER]
# Default: dist/.
# The folder can be moved; its bin/ goes on PATH. With --portable the programs
# need no library of this machine but the C library's; see deploy/package.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
config=()
case ${1:-} in
  --portable)
    config=(--config=portable)
    shift
    ;;
  --config=*)
    config=("$1")
    shift
    ;;
esac
stage=${1:-dist}

# Progress is for people who wait in front of it.
progress=--noshow_progress
[[ -t 2 ]] && progress=--show_progress
build() {
  bazel build "$progress" --ui_event_filters=-info,-debug "$@"
}

# Copies only what changed, and replaces instead of overwriting, so that
# programs that are running from the folder are not disturbed.
put() {
  local target="$2/$(basename "$1")"
  cmp -s "$1" "$target" && return
  install -D -m 755 "$1" "$target.new"
  mv "$target.new" "$target"
}
built=$(bazel info bazel-bin 2>/dev/null)

# Never portable: the system's archives are for programs, not for a library.
build //worker/runner:libassay_harness.so
put "$built"/worker/runner/libassay_harness.so "$stage/libexec/assay"
build ${config[@]+"${config[@]}"} \
  //client/cli:assay //server:assay-coordinator //worker:assay-worker \
  //worker/launcher:assay-launcher //worker/runner:assay-runner \
  //worker/sandbox:assay-enter //worker/sandbox:assay-sandbox-probe
put "$built"/client/cli/assay "$stage/bin"
put "$built"/server/assay-coordinator "$stage/bin"
put "$built"/worker/assay-worker "$stage/bin"
put "$built"/worker/launcher/assay-launcher "$stage/libexec/assay"
put "$built"/worker/runner/assay-runner "$stage/libexec/assay"
put "$built"/worker/sandbox/assay-enter "$stage/libexec/assay"
put "$built"/worker/sandbox/assay-sandbox-probe "$stage/libexec/assay"

copy_tree() {
  rm -rf "$2.new"
  mkdir -p "$(dirname "$2")"
  cp -r "$1" "$2.new"
  rm -rf "$2"
  mv "$2.new" "$2"
}
copy_tree worker/runner/python "$stage/libexec/assay/python"
copy_tree kernels/traceset "$stage/share/assay/traceset"
if ! cmp -s .deps/python/tvm_ffi/_version.py \
  "$stage/share/assay/tvm_ffi/_version.py"; then
  mkdir -p "$stage/share/assay"
  rm -rf "$stage/share/assay/"*tvm_ffi*
  mkdir -p "$stage/share/assay/tvm_ffi"
  cp -r .deps/python/tvm_ffi/{include,lib} "$stage/share/assay/tvm_ffi"
  cp -r .deps/python/apache_tvm_ffi-*.dist-info "$stage/share/assay"
  cp .deps/python/tvm_ffi/_version.py "$stage/share/assay/tvm_ffi"
fi

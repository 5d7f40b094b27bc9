# For scripts that run a compiler or a checker over single files, without
# Bazel. Source it in the root:
#
#   source tools/compile_flags.sh
#   set_compile_flags [BAZEL_BIN] || exit 2     # fills `compile_flags`
#
# BAZEL_BIN is where generated headers are; default: the bazel-bin link.

set_compile_flags() {
  local bin=${1:-bazel-bin} folder
  if ! compgen -G "$bin/proto/assay/v1/*.pb.h" >/dev/null; then
    echo "$0: no generated headers in \"$bin\"; run bazel build //..." \
      "or name another folder with --bin" >&2
    return 1
  fi
  compile_flags=(-std=c++17 -I. "-I$bin")
  # Headers that are included by another path than the one they are built at.
  for folder in "$bin"/*/_virtual_includes/* "$bin"/*/*/_virtual_includes/* \
    "$bin"/*/*/*/_virtual_includes/*; do
    [[ -d $folder ]] && compile_flags+=("-isystem$folder")
  done
  compile_flags+=(-isystem.deps/python/tvm_ffi/include
    -isystem.deps/cuda/nvidia/cu13/include)
}

# C++ sources of the repository that match the git patterns given, also those
# not committed yet. What third_party/ holds is not ours.
list_sources() {
  git ls-files --cached --others --exclude-standard --deduplicate -- "$@" \
    ':!third_party' |
    while read -r file; do [[ -f $file && ! -L $file ]] && echo "$file"; done
}

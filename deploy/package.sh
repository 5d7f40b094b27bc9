#!/usr/bin/env bash
# Makes one tarball of Assay that runs from wherever it is unpacked, on any
# x86-64 Linux with glibc 2.36 or later, with nothing to install:
#   deploy/package.sh [--output FILE] [--with-gpu-tests]
# Default FILE: dist/assay-VERSION-linux-x86_64.tar.gz. The same sources make the
# same bytes. --with-gpu-tests adds the programs that tests/gpu/run.sh runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source deploy/portable.sh

output=
gpu_tests=
while [[ $# -gt 0 ]]; do
  case $1 in
  --output)
    output=${2:?"package.sh: --output needs a file"}
    shift 2
    ;;
  --with-gpu-tests)
    gpu_tests=yes
    shift
    ;;
  *)
    echo "package.sh: unknown argument \"$1\"; known: --output FILE, --with-gpu-tests" >&2
    exit 64
    ;;
  esac
done
version=$(sed -n 's/.*kVersion\[\] = "\(.*\)";/\1/p' base/version.h)
name=assay-$version-linux-x86_64
output=${output:-dist/$name.tar.gz}

for tool in patchelf bwrap strip objdump; do
  command -v $tool >/dev/null && continue
  echo "package.sh: \"$tool\" is missing; install the packages patchelf, bubblewrap and binutils" >&2
  exit 1
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/$name
libexec=$root/libexec/assay
tools/stage.sh --portable "$root"
if [[ $gpu_tests ]]; then
  found=$(bazel query --noshow_progress --ui_event_filters=-info \
    'kind(cc_binary, filter("_gpu_(test|benchmark)$", //kernels/... + //worker/...))')
  mapfile -t targets <<<"$found"
  targets+=(//tests/gpu:cupti_reference)
  bazel build --config=portable --noshow_progress \
    --ui_event_filters=-info,-debug "${targets[@]}"
  for target in "${targets[@]}"; do
    path=${target#//}
    install -D -m 755 "$(bazel info bazel-bin 2>/dev/null)/${path/:/\/}" \
      "$libexec/tests/${path#*:}"
  done
fi

# The Python side loads the harness as a library. What it needs lies in the
# package's folder, which every sandbox shows.
bring_libraries "$libexec/libassay_harness.so" "$libexec/python/lib" \
  '$ORIGIN/python/lib'
bring_libraries "$root/bin/assay-coordinator" "$libexec/lib" \
  '$ORIGIN/../libexec/assay/lib'
install -m 755 "$(command -v bwrap)" "$libexec/bwrap"
bring_libraries "$libexec/bwrap" "$libexec/lib" '$ORIGIN/lib'

find "$root" -name __pycache__ -prune -exec rm -rf {} +
portable_files "$root" | while read -r file; do
  chmod u+w "$file"
  strip --strip-unneeded "$file"
done

cp deploy/package/README.md "$root/README.md"
deploy/package/licenses.sh "$root/LICENSES"
check_portable "$root"

chmod -R u+rwX,go+rX,go-w "$root"
mkdir -p "$(dirname "$output")"
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --format=gnu \
  -C "$work" -cf - "$name" | gzip -9n >"$output.new"
mv "$output.new" "$output"
echo "$output: $(($(stat -c %s "$output") / 1000)) kB, unpacked" \
  "$(du -sk --apparent-size "$root" | cut -f 1) kB"

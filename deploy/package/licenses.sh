#!/usr/bin/env bash
# Collects the licences of what a package of Assay holds beside Assay:
#   deploy/package/licenses.sh FOLDER
# Each as the distribution or the wheel that it came from states it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$1
mkdir -p "$folder"

# Linked in, or brought along beside the programs.
packages=(
  libabsl-dev libc-ares-dev libcli11-dev libgrpc-dev libprotobuf-dev libre2-dev
  libseccomp-dev libsqlite3-dev libssl-dev libyaml-dev nlohmann-json3-dev zlib1g-dev libgtest-dev
  libbenchmark-dev libboost-dev prometheus-cpp-dev bubblewrap libcap2 libpcre2-8-0 libselinux1
)
for package in "${packages[@]}"; do
  cp -L "/usr/share/doc/$package/copyright" "$folder/$package.txt"
done
compiler=$(gcc -dumpversion | cut -d . -f 1)
cp -L "/usr/share/doc/gcc-$compiler-base/copyright" "$folder/libstdc++.txt"
cp .deps/cuda/nvidia_cuda_runtime-*.dist-info/licenses/License.txt \
  "$folder/nvidia-cuda-runtime.txt"
cp .deps/python/apache_tvm_ffi-*.dist-info/licenses/LICENSE \
  "$folder/apache-tvm-ffi.txt"

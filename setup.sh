#!/usr/bin/env bash
# Installs what Assay needs to build, test and run, and nothing else: packages
# of Debian 12 or Ubuntu 24.04, and from PyPI, in .deps/, apache-tvm-ffi and
# NVIDIA's compiler with the headers of CUDA's runtime and CUPTI.
# Does nothing, quickly, when all is there. Needs root only to install packages.
#   ./setup.sh              everything
#   ./setup.sh --no-checks  without what only the checks of test.sh and
#                           deploy/package.sh need
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# What compiles Assay.
build_packages=(
  bazel-bootstrap bazel-rules-java bazel-rules-proto
  g++ protobuf-compiler protobuf-compiler-grpc python3-pip
  libgrpc++-dev libprotobuf-dev libabsl-dev libssl-dev libsqlite3-dev
  libseccomp-dev libyaml-dev libboost-dev prometheus-cpp-dev
  nlohmann-json3-dev libcli11-dev libgtest-dev libgmock-dev libbenchmark-dev
)
# What a CPU worker runs: the compiler above for solutions, the sandbox, and
# torch for references and Python solutions.
run_packages=(bubblewrap python3 python3-numpy python3-torch)
# What the checks of test.sh use.
check_packages=(clang clang-format clang-tidy git python3-h2)
# What deploy/package.sh uses.
package_packages=(binutils patchelf)

case "${1:-}" in
"") ;;
--no-checks)
  check_packages=()
  package_packages=()
  ;;
*)
  echo "setup.sh: unknown argument \"$1\"; use none or --no-checks" >&2
  exit 64
  ;;
esac

# Header and library of the tvm-ffi binding; fixed, so that builds repeat.
tvm_ffi_version=0.1.15.post2
python_folder=.deps/python

# CUDA's compiler and headers; fixed, too, whatever toolkit the machine has. A
# worker compiles solutions with the toolkit of its own machine.
cuda_packages=(
  nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88
  nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85
  nvidia-cuda-cupti==13.0.85
)
cuda_folder=.deps/cuda

missing_packages() {
  local installed
  # Fails when it does not know one of them, which is what we are here for.
  installed=$({ dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true; } |
    awk '$2 == "installed" { print $1 }')
  comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages \
    "${build_packages[@]}" "${run_packages[@]}" "${check_packages[@]}" \
    "${package_packages[@]}")
  [[ ${#missing[@]} -eq 0 ]] && return
  local install=(apt-get install -y --no-install-recommends "${missing[@]}")
  if [[ $EUID -ne 0 ]]; then
    echo "setup.sh: packages are missing and installing them needs root. Run:" >&2
    echo "  sudo apt-get update && sudo ${install[*]}" >&2
    exit 1
  fi
  echo "setup.sh: installing ${#missing[@]} packages: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  quietly apt-get update
  quietly "${install[@]}"
}

# pip_install FOLDER PACKAGE...: the folder appears when all is in it.
pip_install() {
  local folder=$1
  shift
  mkdir -p .deps
  fresh=$(mktemp -d .deps/fresh.XXXXXX)
  trap 'rm -rf "$fresh"' EXIT
  quietly /usr/bin/python3 -m pip install --disable-pip-version-check \
    --root-user-action ignore --no-deps --target "$fresh" "$@"
  rm -rf "$folder"
  mv "$fresh" "$folder"
  trap - EXIT
  chmod 755 "$folder"
}

install_tvm_ffi() {
  [[ -f $python_folder/apache_tvm_ffi-$tvm_ffi_version.dist-info/RECORD ]] && return
  echo "setup.sh: installing apache-tvm-ffi $tvm_ffi_version into $python_folder"
  pip_install "$python_folder" "apache-tvm-ffi==$tvm_ffi_version"
}

install_cuda() {
  local wanted="${cuda_packages[*]}"
  [[ -f $cuda_folder/packages && $(<$cuda_folder/packages) == "$wanted" ]] && return
  echo "setup.sh: installing CUDA's compiler and headers into $cuda_folder"
  pip_install "$cuda_folder" "${cuda_packages[@]}"
  echo "$wanted" >$cuda_folder/packages
}

# Runs a command whose output matters only when it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    echo "setup.sh: failed: $*" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup.sh: this script knows Debian 12 and Ubuntu 24.04 only (no apt-get here)" >&2
  exit 1
fi
install_packages
install_tvm_ffi
install_cuda

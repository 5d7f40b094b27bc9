#!/usr/bin/env bash
# Makes a container image of Assay:
#   deploy/container/build.sh [--tag NAME] [--base IMAGE] [--package FILE]
# Default NAME: assay. --base: an image that has what a worker runs, see
# Dockerfile; nothing is installed into it then. --package: a tarball of
# deploy/package.sh; made when none is given. Uses docker, else buildah.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tag=assay
package=
arguments=()
while [[ $# -gt 0 ]]; do
  case $1 in
  --tag) tag=${2:?"build.sh: --tag needs a name"} ;;
  --base) arguments+=(--build-arg "BASE=${2:?"build.sh: --base needs an image"}" --build-arg PACKAGES=) ;;
  --package) package=${2:?"build.sh: --package needs a file"} ;;
  *)
    echo "build.sh: unknown argument \"$1\"; known: --tag NAME, --base IMAGE, --package FILE" >&2
    exit 64
    ;;
  esac
  shift 2
done

builder=()
# A docker without its service builds nothing.
if docker info >/dev/null 2>&1; then
  builder=(docker build)
elif command -v buildah >/dev/null; then
  # Runs the steps without making a container for them, so it needs no more
  # than it is given.
  builder=(buildah bud --isolation chroot)
else
  echo "build.sh: neither docker (with its service running) nor buildah is here; install one of them" >&2
  exit 1
fi

context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
if [[ -z $package ]]; then
  package=$context/package.tar.gz
  deploy/package.sh --output "$package"
else
  cp "$package" "$context/package.tar.gz"
fi
cp deploy/container/Dockerfile "$context/"
"${builder[@]}" --tag "$tag" --build-arg PACKAGE=package.tar.gz \
  ${arguments[@]+"${arguments[@]}"} "$context"

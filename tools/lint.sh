#!/usr/bin/env bash
# Checks formatting (all files) and clang-tidy (files that changed):
#   tools/lint.sh [--all] [--format-only] [--base=REVISION] [--bin=BAZEL_BIN]
#
#   --all          clang-tidy on all files: 10 s of processor time for each
#   --format-only  no clang-tidy
#   --base         changed means: different from this revision; default HEAD
#   --bin          where generated headers are; default bazel-bin
#
# Prints a line per finding and a summary. Exit code 0 when there is none, 1 when
# there are some, 2 when it could not run.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/compile_flags.sh

all=false
format_only=false
base=HEAD
bin=
for argument in "$@"; do
  case $argument in
    --all) all=true ;;
    --format-only) format_only=true ;;
    --base=*) base=${argument#*=} ;;
    --bin=*) bin=${argument#*=} ;;
    *)
      sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
      exit 2
      ;;
  esac
done

check_format() {
  list_sources '*.h' '*.cc' '*.cuh' '*.cu' | tr '\n' '\0' |
    xargs -0 -r -n 50 -P "$(nproc)" clang-format --dry-run -Werror 2>&1 |
    sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: error: code should.*/\1/p' | sort -u |
    sed 's/.*/&: not formatted, run clang-format -i &/'
}

# A header is checked through the source of the same name.
changed_sources() {
  { git diff --name-only --diff-filter=d "$base" -- '*.h' '*.cc' &&
    git ls-files --others --exclude-standard -- '*.h' '*.cc'; } |
    sed 's/\.h$/.cc/' | sort -u
}

# The starter kernels are written for their own compilers and flags.
tidy_sources() {
  list_sources '*.cc' ':!kernels/traceset' | sort -u |
    if $all; then cat; else comm -12 - <(changed_sources); fi
}

check_tidy() {
  tr '\n' '\0' |
    xargs -0 -r -I{} -P "$(nproc)" bash -c \
      'file=$1; shift; clang-tidy --quiet "$file" -- "$@" 2>/dev/null' \
      lint {} "${compile_flags[@]}" |
    grep -E '^[^ ]+:[0-9]+:[0-9]+: (error|warning):' |
    sed "s|^$PWD/||; s|^\./||; s|,-warnings-as-errors\]$|]|" | sort -u
}

for tool in clang-format clang-tidy; do
  command -v "$tool" >/dev/null && continue
  echo "tools/lint.sh: $tool is missing; run ./setup.sh" >&2
  exit 2
done
git rev-parse --quiet --verify "$base^{commit}" >/dev/null || {
  echo "tools/lint.sh: no revision \"$base\"" >&2
  exit 2
}

findings=$(check_format)
checked="$(list_sources '*.h' '*.cc' '*.cuh' '*.cu' | wc -l) files for format"
if ! $format_only; then
  set_compile_flags "$bin" || exit 2
  sources=$(tidy_sources)
  tidy=$(grep . <<<"$sources" | check_tidy)
  findings=$(printf '%s\n%s' "$findings" "$tidy" | grep .)
  checked+=", $(grep -c . <<<"$sources") with clang-tidy"
fi
[[ -n $findings ]] && printf '%s\n' "$findings"
count=$(grep -c . <<<"$findings")
echo "lint: $count findings ($checked)"
[[ $count -eq 0 ]]

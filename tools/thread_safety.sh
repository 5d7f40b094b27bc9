#!/usr/bin/env bash
# Checks with clang that fields marked ABSL_GUARDED_BY are only touched under
# their mutex, which g++ does not check:
#   tools/thread_safety.sh [--bin=BAZEL_BIN]     default: bazel-bin
#
# Prints a line per finding and a summary. Exit code 0 when there is none, 1 when
# there are some, 2 when it could not run.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/compile_flags.sh

bin=
for argument in "$@"; do
  case $argument in
    --bin=*) bin=${argument#*=} ;;
    *)
      sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
      exit 2
      ;;
  esac
done
command -v clang++ >/dev/null || {
  echo "tools/thread_safety.sh: clang++ is missing; run ./setup.sh" >&2
  exit 2
}
set_compile_flags "$bin" || exit 2

# Sources with a mutex of their own, or that include a header which has one.
sources_with_mutex() {
  local pattern='absl/synchronization/mutex\.h' header
  for header in $(list_sources '*.h' | xargs -r grep -l "$pattern"); do
    pattern+="|\"${header//./\\.}\""
  done
  list_sources '*.cc' ':!kernels/traceset' |
    xargs -r grep -lE "^#include .*($pattern)" | sort -u
}

# A file that does not compile is a finding too: nothing in it was checked.
check() {
  tr '\n' '\0' |
    xargs -0 -r -I{} -P "$(nproc)" bash -c \
      'file=$1; shift
       clang++ -fsyntax-only -Wno-everything -Wthread-safety -Werror=thread-safety \
         "$@" "$file" 2>&1' lint {} "${compile_flags[@]}" |
    grep -E '^[^ ]+: (fatal )?error:' | sed 's|^\./||' | sort -u
}

sources=$(sources_with_mutex)
findings=$(grep . <<<"$sources" | check)
[[ -n $findings ]] && printf '%s\n' "$findings"
count=$(grep -c . <<<"$findings")
echo "thread safety: $count findings ($(grep -c . <<<"$sources") files)"
[[ $count -eq 0 ]]

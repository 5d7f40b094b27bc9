#include "worker/build/compile_options.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "schema/relative_path.h"
#include "worker/build/option_words.h"

namespace assay {
namespace {

constexpr absl::string_view kWholeOptions[] = {
    "-O",     "-O0", "-O1", "-O2",   "-O3",      "-Os",      "-Og",
    "-Ofast", "-g0", "-w",  "-ansi", "-pthread", "-pedantic"};

constexpr absl::string_view kStandards[] = {
    "c++11",   "c++14",   "c++17",   "c++20",   "c++23",
    "gnu++11", "gnu++14", "gnu++17", "gnu++20", "gnu++23"};

constexpr absl::string_view kLibraries[] = {"m", "dl", "rt", "pthread", "gomp"};

// Each allowed as -fNAME and -fno-NAME.
constexpr absl::string_view kFlags[] = {
    "aggressive-loop-optimizations",
    "associative-math",
    "builtin",
    "char8_t",
    "concepts",
    "coroutines",
    "cx-limited-range",
    "data-sections",
    "delete-null-pointer-checks",
    "exceptions",
    "fast-math",
    "finite-loops",
    "finite-math-only",
    "function-sections",
    "inline",
    "inline-functions",
    "inline-small-functions",
    "ivopts",
    "loop-interchange",
    "loop-nest-optimize",
    "loop-unroll-and-jam",
    "math-errno",
    "omit-frame-pointer",
    "openmp",
    "openmp-simd",
    "peel-loops",
    "permissive",
    "plt",
    "prefetch-loop-arrays",
    "reciprocal-math",
    "rounding-math",
    "rtti",
    "semantic-interposition",
    "signed-zeros",
    "split-loops",
    "stack-protector",
    "strict-aliasing",
    "strict-overflow",
    "trapping-math",
    "trapv",
    "tree-loop-distribution",
    "tree-loop-vectorize",
    "tree-slp-vectorize",
    "tree-vectorize",
    "unroll-all-loops",
    "unroll-loops",
    "unsafe-math-optimizations",
    "variable-expansion-in-unroller",
    "wrapv",
};

// Each allowed as -fNAME=VALUE.
constexpr absl::string_view kFlagsWithValue[] = {
    "constexpr-depth",  "constexpr-loop-limit", "constexpr-ops-limit",
    "excess-precision", "fp-contract",          "inline-limit",
    "simd-cost-model",  "template-depth",       "vect-cost-model",
    "visibility",
};

bool IsAllowedFlag(absl::string_view flag) {
  const size_t equals = flag.find('=');
  if (equals != absl::string_view::npos) {
    return IsOneOf(flag.substr(0, equals), kFlagsWithValue) &&
           IsPlainWord(flag.substr(equals + 1));
  }
  absl::ConsumePrefix(&flag, "no-");
  return IsOneOf(flag, kFlags);
}

bool IsAllowed(absl::string_view option) {
  if (option.find('\0') != absl::string_view::npos) return false;
  if (IsOneOf(option, kWholeOptions)) return true;
  if (absl::ConsumePrefix(&option, "-std=")) return IsOneOf(option, kStandards);
  if (absl::ConsumePrefix(&option, "-f")) return IsAllowedFlag(option);
  // A comma makes -Wl, -Wa and -Wp of it, which speak to other programs.
  if (absl::ConsumePrefix(&option, "-W")) return IsPlainWord(option);
  if (absl::ConsumePrefix(&option, "-m")) return IsPlainWord(option);
  if (absl::ConsumePrefix(&option, "-D")) return IsMacro(option);
  if (absl::ConsumePrefix(&option, "-U")) return IsMacro(option);
  if (absl::ConsumePrefix(&option, "-l")) return IsOneOf(option, kLibraries);
  if (absl::ConsumePrefix(&option, "-I")) return CheckRelativePath(option).ok();
  return false;
}

}  // namespace

absl::Status CheckCompileOption(absl::string_view option) {
  if (IsAllowed(option)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "compile option \"", option,
      "\" is not allowed; allowed are -O..., -std=(",
      absl::StrJoin(kStandards, "|"), "), -D..., -U..., -W... without commas, ",
      "-m..., -pthread, -I of a folder of the solution, -l(",
      absl::StrJoin(kLibraries, "|"), "), -f[no-](", absl::StrJoin(kFlags, "|"),
      ") and -f(", absl::StrJoin(kFlagsWithValue, "|"), ")=..."));
}

}  // namespace assay

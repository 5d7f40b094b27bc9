#include "worker/build/compile_options.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "schema/relative_path.h"

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

template <typename Words>
bool IsOneOf(absl::string_view word, const Words& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Letters, digits and a few signs: no path, no list, no second option.
bool IsPlain(absl::string_view value) {
  return !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' ||
           c == '_' || c == '.' || c == '+' || c == '=';
  });
}

bool IsAllowedFlag(absl::string_view flag) {
  const size_t equals = flag.find('=');
  if (equals != absl::string_view::npos) {
    return IsOneOf(flag.substr(0, equals), kFlagsWithValue) &&
           IsPlain(flag.substr(equals + 1));
  }
  absl::ConsumePrefix(&flag, "no-");
  return IsOneOf(flag, kFlags);
}

// NAME or NAME=VALUE.
bool IsMacro(absl::string_view macro) {
  const absl::string_view name = macro.substr(0, macro.find('='));
  return !name.empty() &&
         !absl::ascii_isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                  c == '_';
         });
}

bool IsAllowed(absl::string_view option) {
  if (option.find('\0') != absl::string_view::npos) return false;
  if (IsOneOf(option, kWholeOptions)) return true;
  if (absl::ConsumePrefix(&option, "-std=")) return IsOneOf(option, kStandards);
  if (absl::ConsumePrefix(&option, "-f")) return IsAllowedFlag(option);
  // A comma makes -Wl, -Wa and -Wp of it, which speak to other programs.
  if (absl::ConsumePrefix(&option, "-W")) return IsPlain(option);
  if (absl::ConsumePrefix(&option, "-m")) return IsPlain(option);
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

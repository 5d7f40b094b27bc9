#include "worker/build/nvcc_options.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "schema/relative_path.h"
#include "worker/build/compile_options.h"
#include "worker/build/option_words.h"

namespace assay {
namespace {

bool IsNumber(absl::string_view value) {
  return !value.empty() && value.size() <= 5 &&
         std::all_of(value.begin(), value.end(), [](char c) {
           return absl::ascii_isdigit(static_cast<unsigned char>(c));
         });
}

bool IsLevel(absl::string_view value) {
  return value.size() == 1 && value >= "0" && value <= "3";
}

bool IsBool(absl::string_view value) {
  return value == "true" || value == "false";
}

bool IsStandard(absl::string_view value) {
  return value == "c++11" || value == "c++14" || value == "c++17" ||
         value == "c++20";
}

bool IsStream(absl::string_view value) {
  return value == "legacy" || value == "null" || value == "per-thread";
}

bool IsFastCompile(absl::string_view value) {
  return value == "0" || value == "min" || value == "mid" || value == "max";
}

template <typename Check>
bool AllParts(absl::string_view list, const Check& check) {
  const std::vector<absl::string_view> parts = absl::StrSplit(list, ',');
  return std::all_of(parts.begin(), parts.end(), check);
}

bool AreNumbers(absl::string_view list) { return AllParts(list, IsNumber); }

// One option of the assembler, with one dash or two.
bool IsAssemblerOption(absl::string_view option) {
  if (!absl::ConsumePrefix(&option, "-")) return false;
  if (option == "v") return true;
  if (absl::ConsumePrefix(&option, "O")) return IsLevel(option);
  absl::ConsumePrefix(&option, "-");
  constexpr absl::string_view kWhole[] = {"verbose",
                                          "warn-on-spills",
                                          "warn-spills",
                                          "warn-lmem-usage",
                                          "warn-on-local-memory-usage",
                                          "warn-double-usage",
                                          "warn-on-double-precision-use",
                                          "disable-optimizer-constants"};
  if (IsOneOf(option, kWhole)) return true;
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(option, absl::MaxSplits('=', 1));
  constexpr absl::string_view kWithValue[] = {"dlcm",
                                              "dscm",
                                              "def-load-cache",
                                              "def-store-cache",
                                              "allow-expensive-optimizations",
                                              "opt-level",
                                              "maxrregcount",
                                              "register-usage-level"};
  return IsOneOf(parts.first, kWithValue) && IsPlainWord(parts.second);
}

bool AreAssemblerOptions(absl::string_view list) {
  return AllParts(list, IsAssemblerOption);
}

// These reach a shell as they are: nothing but plain words.
bool AreHostOptions(absl::string_view list) {
  return AllParts(list, [](absl::string_view option) {
    return absl::StartsWith(option, "-") && IsPlainWord(option) &&
           CheckCompileOption(option).ok();
  });
}

bool AreFrontEndOptions(absl::string_view list) {
  return AllParts(list, [](absl::string_view option) {
    return option == "--display_error_number" ||
           (absl::ConsumePrefix(&option, "--diag_suppress=") &&
            IsPlainWord(option));
  });
}

// An option with a value: all spellings of its name, without dashes.
struct ValueOption {
  absl::string_view name;
  absl::string_view alias;
  bool (*is_allowed)(absl::string_view value);
  absl::string_view values;
};

constexpr ValueOption kValueOptions[] = {
    {"std", "", IsStandard, "c++(11|14|17|20)"},
    {"ftz", "", IsBool, "true|false"},
    {"prec-div", "", IsBool, "true|false"},
    {"prec-sqrt", "", IsBool, "true|false"},
    {"fmad", "", IsBool, "true|false"},
    {"maxrregcount", "", IsNumber, "N"},
    {"default-stream", "", IsStream, "legacy|null|per-thread"},
    {"relocatable-device-code", "rdc", IsBool, "true|false"},
    {"static-global-template-stub", "", IsBool, "true|false"},
    {"diag-suppress", "", AreNumbers, "N,..."},
    {"threads", "t", IsNumber, "N"},
    {"split-compile", "", IsNumber, "N"},
    {"Ofast-compile", "Ofc", IsFastCompile, "0|min|mid|max"},
    {"ptxas-options", "Xptxas", AreAssemblerOptions,
     "-v, -O..., --warn-on-spills, -dlcm=..., -dscm=..., "
     "-allow-expensive-optimizations=..., ..."},
    {"compiler-options", "Xcompiler", AreHostOptions,
     "options that language cpp allows"},
    {"Xcudafe", "", AreFrontEndOptions, "--diag_suppress=..."},
};

// Allowed with one dash or two.
constexpr absl::string_view kFlags[] = {
    "use_fast_math",   "generate-line-info",   "expt-relaxed-constexpr",
    "extended-lambda", "expt-extended-lambda", "extra-device-vectorization",
    "restrict",        "resource-usage",       "disable-warnings"};

// Allowed with one dash.
constexpr absl::string_view kShortFlags[] = {"w",
                                             "lineinfo",
                                             "res-usage",
                                             "Wreorder",
                                             "Wdefault-stream-launch",
                                             "Wext-lambda-captures-this",
                                             "Wmissing-launch-bounds",
                                             "Wno-deprecated-declarations",
                                             "Wno-deprecated-gpu-targets"};

constexpr absl::string_view kArchitectureOptions[] = {
    "arch", "gpu-architecture", "gencode", "generate-code", "code", "gpu-code"};

// What the double quotes that the compiler puts around words do not cover.
bool IsSafeInShell(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != 0x7f && c != '$' &&
           c != '`' && c != '"' && c != '\'' && c != '\\';
  });
}

// The name and value of an option like --name=value or -name=value.
struct Parsed {
  int dashes = 0;
  absl::string_view name;
  absl::string_view value;
  bool has_value = false;
};

Parsed Parse(absl::string_view option) {
  Parsed parsed;
  while (parsed.dashes < 2 && absl::ConsumePrefix(&option, "-")) {
    ++parsed.dashes;
  }
  const size_t equals = option.find('=');
  parsed.has_value = equals != absl::string_view::npos;
  parsed.name = option.substr(0, equals);
  if (parsed.has_value) parsed.value = option.substr(equals + 1);
  // The value of this one may follow the name at once: -t4.
  if (!parsed.has_value && parsed.dashes == 1 && parsed.name.size() > 1 &&
      parsed.name[0] == 't' && IsNumber(parsed.name.substr(1))) {
    parsed.has_value = true;
    parsed.value = parsed.name.substr(1);
    parsed.name = parsed.name.substr(0, 1);
  }
  return parsed;
}

const ValueOption* FindValueOption(absl::string_view name) {
  if (name.empty()) return nullptr;
  for (const ValueOption& option : kValueOptions) {
    if (name == option.name || name == option.alias) return &option;
  }
  return nullptr;
}

// -D, -U, -I, -O and their values in one word.
bool IsAttachedOption(absl::string_view option) {
  if (absl::ConsumePrefix(&option, "-D")) return IsMacro(option);
  if (absl::ConsumePrefix(&option, "-U")) return IsMacro(option);
  if (absl::ConsumePrefix(&option, "-O")) return IsLevel(option);
  if (absl::ConsumePrefix(&option, "-I")) return CheckRelativePath(option).ok();
  return false;
}

bool IsAllowed(absl::string_view option) {
  if (!IsSafeInShell(option)) return false;
  if (IsAttachedOption(option)) return true;
  const Parsed parsed = Parse(option);
  if (parsed.dashes == 0) return false;
  if (!parsed.has_value) {
    return IsOneOf(parsed.name, kFlags) ||
           (parsed.dashes == 1 && IsOneOf(parsed.name, kShortFlags));
  }
  const ValueOption* known = FindValueOption(parsed.name);
  return known != nullptr && known->is_allowed(parsed.value);
}

std::string DescribeValueOptions() {
  return absl::StrJoin(
      kValueOptions, ", ", [](std::string* out, const ValueOption& option) {
        const absl::string_view name =
            option.alias.empty() ? option.name : option.alias;
        absl::StrAppend(out, "-", name, "=(", option.values, ")");
      });
}

// What to do instead, for mistakes that people make; else empty.
std::string Hint(absl::string_view option) {
  const std::pair<absl::string_view, absl::string_view> words =
      absl::StrSplit(option, absl::MaxSplits(' ', 1));
  const Parsed parsed = Parse(words.first);
  if (parsed.dashes > 0 && IsOneOf(parsed.name, kArchitectureOptions)) {
    return "the worker compiles for the architecture of its device; remove it";
  }
  if (parsed.dashes > 0 && !parsed.has_value &&
      FindValueOption(parsed.name) != nullptr) {
    return absl::StrCat("an option and its value are one word; write \"",
                        words.first, "=",
                        words.second.empty() ? "VALUE" : words.second, "\"");
  }
  if (absl::StartsWith(option, "-l")) {
    return "name the library in dependencies";
  }
  return "";
}

}  // namespace

absl::Status CheckNvccOption(absl::string_view option) {
  if (IsAllowed(option)) return absl::OkStatus();
  const std::string hint = Hint(option);
  if (!hint.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("compile option \"", option, "\" is not allowed: ", hint));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "compile option \"", option,
      "\" is not allowed; allowed for language cuda are -O(0|1|2|3), -D..., "
      "-U..., -I of a folder of the solution, --(",
      absl::StrJoin(kFlags, "|"), "), -(", absl::StrJoin(kShortFlags, "|"),
      "), ", DescribeValueOptions(), R"(; none with quotes, "$" or "\")"));
}

std::string NvccSetting(absl::string_view option) {
  if (absl::StartsWith(option, "-O") && IsLevel(option.substr(2))) {
    return "optimize";
  }
  const Parsed parsed = Parse(option);
  const ValueOption* known = FindValueOption(parsed.name);
  return std::string(known != nullptr ? known->name : parsed.name);
}

bool IsSafeForNvcc(absl::string_view path) { return IsSafeInShell(path); }

}  // namespace assay

#include "worker/build/option_words.h"

#include "absl/strings/ascii.h"

namespace assay {
namespace {

bool IsAlnum(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c));
}

}  // namespace

bool IsPlainWord(absl::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return IsAlnum(c) || c == '-' || c == '_' || c == '.' || c == '+' ||
           c == '=';
  });
}

bool IsMacro(absl::string_view macro) {
  const absl::string_view name = macro.substr(0, macro.find('='));
  return !name.empty() &&
         !absl::ascii_isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return IsAlnum(c) || c == '_'; });
}

}  // namespace assay

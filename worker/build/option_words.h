// Tests on the words of compiler options, shared by the allow-lists.

#ifndef ASSAY_WORKER_BUILD_OPTION_WORDS_H_
#define ASSAY_WORKER_BUILD_OPTION_WORDS_H_

#include <algorithm>
#include <iterator>

#include "absl/strings/string_view.h"

namespace assay {

template <typename Word, typename Words>
bool IsOneOf(const Word& word, const Words& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Letters, digits and a few signs, at least one: no path, no list, no second
// option.
bool IsPlainWord(absl::string_view word);

// NAME or NAME=VALUE.
bool IsMacro(absl::string_view macro);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_OPTION_WORDS_H_

// Names that somebody may have meant.

#ifndef ASSAY_CLIENT_CLI_CLOSE_MATCHES_H_
#define ASSAY_CLIENT_CLI_CLOSE_MATCHES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay {

// The names nearest to `name`, best first, at most three; none when all are
// far from it.
std::vector<std::string> CloseMatches(absl::string_view name,
                                      const std::vector<std::string>& names);

// What to do about an unknown `name`, for the end of a message: "did you mean
// \"a\" or \"b\"?", or a few of `names` when none is near; empty when there are
// none at all. `noun` is what the names stand for, in the plural.
std::string SuggestNames(absl::string_view name,
                         const std::vector<std::string>& names,
                         absl::string_view noun);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_CLOSE_MATCHES_H_

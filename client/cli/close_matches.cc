#include "client/cli/close_matches.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay {
namespace {

constexpr size_t kMaxSuggestions = 3;

// Levenshtein distance, one row at a time.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

// How far apart, small is near; an excerpt of a name is near to it.
size_t Score(absl::string_view name, absl::string_view candidate) {
  const std::string a = absl::AsciiStrToLower(name);
  const std::string b = absl::AsciiStrToLower(candidate);
  const size_t distance = EditDistance(a, b);
  if (a.size() >= 3 && absl::StrContains(b, a)) {
    return std::min<size_t>(distance, 1);
  }
  return distance;
}

std::string Quote(const std::string& name) {
  return absl::StrCat("\"", name, "\"");
}

}  // namespace

std::vector<std::string> CloseMatches(absl::string_view name,
                                      const std::vector<std::string>& names) {
  const size_t limit = std::max<size_t>(2, name.size() / 3);
  std::vector<std::pair<size_t, std::string>> scored;
  for (const std::string& candidate : names) {
    const size_t score = Score(name, candidate);
    if (score <= limit) scored.emplace_back(score, candidate);
  }
  std::sort(scored.begin(), scored.end());
  std::vector<std::string> matches;
  for (const auto& [score, candidate] : scored) {
    if (matches.size() == kMaxSuggestions) break;
    matches.push_back(candidate);
  }
  return matches;
}

std::string SuggestNames(absl::string_view name,
                         const std::vector<std::string>& names,
                         absl::string_view noun) {
  if (names.empty()) return absl::StrCat("there are no ", noun);
  std::vector<std::string> quoted;
  for (const std::string& match : CloseMatches(name, names)) {
    quoted.push_back(Quote(match));
  }
  if (!quoted.empty()) {
    return absl::StrCat("did you mean ", absl::StrJoin(quoted, " or "), "?");
  }
  for (const std::string& candidate : names) {
    if (quoted.size() == kMaxSuggestions) break;
    quoted.push_back(Quote(candidate));
  }
  return absl::StrCat(
      "the ", noun, " are ", absl::StrJoin(quoted, ", "),
      names.size() > kMaxSuggestions
          ? absl::StrCat(" and ", names.size() - kMaxSuggestions, " more")
          : "");
}

}  // namespace assay

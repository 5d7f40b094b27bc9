#include "client/cli/listing.h"

#include "absl/strings/str_cat.h"
#include "client/cli/close_matches.h"

namespace assay {
namespace {

// Enough to choose from, without reading a whole catalog for a typing error.
constexpr size_t kMaxNames = 5000;

absl::Status Suggest(const absl::Status& status, absl::string_view name,
                     absl::string_view noun,
                     const std::vector<std::string>& names) {
  return absl::NotFoundError(absl::StrCat(std::string(status.message()), "; ",
                                          SuggestNames(name, names, noun)));
}

}  // namespace

absl::Status SuggestDefinitions(const absl::Status& status, Client& client,
                                absl::string_view name) {
  if (status.code() != absl::StatusCode::kNotFound) return status;
  const auto records = client.ListDefinitions().Collect(kMaxNames);
  if (!records.ok()) return status;
  std::vector<std::string> names;
  for (const v1::DefinitionRecord& record : *records) {
    names.push_back(record.definition().name());
  }
  return Suggest(status, name, "definitions", names);
}

absl::Status SuggestSolutions(const absl::Status& status, Client& client,
                              absl::string_view name) {
  if (status.code() != absl::StatusCode::kNotFound) return status;
  const auto records = client.ListSolutions().Collect(kMaxNames);
  if (!records.ok()) return status;
  std::vector<std::string> names;
  for (const v1::SolutionRecord& record : *records) {
    names.push_back(record.solution().name());
  }
  return Suggest(status, name, "solutions", names);
}

}  // namespace assay

// What the `list` commands share, and names that turn out unknown.

#ifndef ASSAY_CLIENT_CLI_LISTING_H_
#define ASSAY_CLIENT_CLI_LISTING_H_

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "client/cli/command.h"
#include "client/cli/table.h"
#include "client/pager.h"

namespace assay {

// `--limit N`.
struct LimitFlag {
  void AddTo(Command command) {
    command.Number("--limit", limit, 1, std::numeric_limits<int>::max(),
                   {"At most so many (default: all)", "N"});
  }
  size_t get() const {
    return limit.has_value() ? static_cast<size_t>(*limit)
                             : std::numeric_limits<size_t>::max();
  }
  std::optional<int> limit;
};

// Prints the items as the rows that `add_row` makes of them, or as
// {"<noun>": [...]}.
template <typename Item>
absl::StatusOr<ExitCode> PrintList(
    CommandContext& context, Pager<Item> pager, const LimitFlag& limit,
    const std::string& noun, Table table,
    const std::function<std::vector<std::string>(const Item&)>& make_row) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Item> items,
                         pager.Collect(limit.get()));
  if (context.json) {
    context.PrintJson(Json().Set(noun, JsonArray(items)));
    return ExitCode::kOk;
  }
  if (items.empty()) {
    context.console.Note(absl::StrCat("no ", noun));
    return ExitCode::kOk;
  }
  for (const Item& item : items) table.Add(make_row(item));
  context.console.Print(table.Render(context.console.width()));
  return ExitCode::kOk;
}

// `status` with names near `name` when it is NOT_FOUND.
absl::Status SuggestDefinitions(const absl::Status& status, Client& client,
                                absl::string_view name);
absl::Status SuggestSolutions(const absl::Status& status, Client& client,
                              absl::string_view name);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_LISTING_H_

#include "client/cli/selection.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/close_matches.h"

namespace assay {
namespace {

constexpr char kGroup[] = "Selection";

// INVALID_ARGUMENT unless every one of `wanted` is among `known`.
absl::Status CheckKnown(const std::vector<std::string>& wanted,
                        const std::set<std::string>& known,
                        absl::string_view noun, const std::string& root) {
  for (const std::string& name : wanted) {
    if (known.count(name) > 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("no ", noun, " \"", name, "\" in ", root, "; ",
                     SuggestNames(name, {known.begin(), known.end()},
                                  absl::StrCat(noun, "s"))));
  }
  return absl::OkStatus();
}

bool Wanted(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() ||
         std::find(names.begin(), names.end(), name) != names.end();
}

template <typename Item, typename Keep>
void KeepIf(std::vector<Item>& items, const Keep& keep) {
  items.erase(
      std::remove_if(items.begin(), items.end(),
                     [&keep](const Item& item) { return !keep(item.value); }),
      items.end());
}

absl::Status CheckNames(const Selection& selection, const TraceSet& set) {
  std::set<std::string> definitions;
  std::set<std::string> op_types;
  std::set<std::string> solutions;
  for (const auto& item : set.definitions) {
    definitions.insert(item.value.name());
    op_types.insert(item.value.op_type());
  }
  for (const auto& item : set.solutions) solutions.insert(item.value.name());
  ASSAY_RETURN_IF_ERROR(
      CheckKnown(selection.definitions, definitions, "definition", set.root));
  ASSAY_RETURN_IF_ERROR(
      CheckKnown(selection.solutions, solutions, "solution", set.root));
  if (selection.op_type.empty()) return absl::OkStatus();
  return CheckKnown({selection.op_type}, op_types, "op_type", set.root);
}

}  // namespace

void Selection::AddTo(Command command) {
  command.List("--definitions", definitions,
               {"Only these definitions", "NAME", kGroup});
  command.List("--solutions", solutions,
               {"Only these solutions", "NAME", kGroup});
  command.Text("--op-type", op_type,
               {"Only definitions of this op_type", "WORD", kGroup});
}

absl::Status ApplySelection(const Selection& selection, TraceSet& set) {
  if (selection.is_everything()) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(CheckNames(selection, set));
  KeepIf(set.solutions, [&](const v1::Solution& solution) {
    return Wanted(selection.solutions, solution.name()) &&
           Wanted(selection.definitions, solution.definition());
  });
  // With solutions alone selected, the definitions follow from them.
  std::set<std::string> needed;
  for (const auto& item : set.solutions) {
    needed.insert(item.value.definition());
  }
  KeepIf(set.definitions, [&](const v1::Definition& definition) {
    return Wanted(selection.definitions, definition.name()) &&
           (selection.op_type.empty() ||
            definition.op_type() == selection.op_type) &&
           (selection.solutions.empty() || needed.count(definition.name()) > 0);
  });
  std::set<std::string> kept;
  for (const auto& item : set.definitions) kept.insert(item.value.name());
  const auto belongs = [&kept](const auto& value) {
    return kept.count(value.definition()) > 0;
  };
  KeepIf(set.solutions, belongs);
  KeepIf(set.workloads, belongs);
  KeepIf(set.traces, [&](const v1::Trace& trace) {
    return belongs(trace) && Wanted(selection.solutions, trace.solution());
  });
  return absl::OkStatus();
}

}  // namespace assay

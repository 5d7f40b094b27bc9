#include "client/cli/leaderboard_command.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/board_text.h"
#include "client/cli/follow.h"
#include "client/cli/listing.h"

namespace assay {
namespace {

struct Flags {
  std::string definition;
  std::string hardware;
  bool workloads = false;
};

// Definition and hardware of the boards asked for, in their order.
absl::StatusOr<std::vector<std::pair<std::string, std::string>>> Wanted(
    const Flags& flags, Client& client) {
  std::vector<std::pair<std::string, std::string>> boards;
  if (!flags.definition.empty()) {
    boards.emplace_back(flags.definition, flags.hardware);
    return boards;
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<v1::LeaderboardKey> keys,
                         client.ListLeaderboards().Collect());
  // A request does not name the timer: keys that differ in it give one board.
  std::set<std::pair<std::string, std::string>> seen;
  for (const v1::LeaderboardKey& key : keys) {
    if (!flags.hardware.empty() && key.hardware() != flags.hardware) continue;
    if (seen.emplace(key.definition(), key.hardware()).second) {
      boards.emplace_back(key.definition(), key.hardware());
    }
  }
  return boards;
}

absl::Status PrintText(const v1::Leaderboard& board, bool workloads,
                       Client& client, Console& console) {
  console.Print(BoardText(board, console.width()));
  if (workloads) {
    ASSAY_ASSIGN_OR_RETURN(const Labels labels,
                           LoadLabels(client, {board.key().definition()}));
    console.Print(
        absl::StrCat("\n", BoardCellsText(board, labels, console.width())));
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Show(const Flags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ASSAY_ASSIGN_OR_RETURN(const auto wanted, Wanted(flags, *client));
  Json boards = Json::EmptyArray();
  bool explained = false;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto& [definition, hardware] = wanted[i];
    const auto board = client->GetLeaderboard(definition, hardware);
    if (!board.ok()) {
      return SuggestDefinitions(board.status(), *client, definition);
    }
    if (context.json) {
      boards.Append(Json(*board));
      continue;
    }
    if (i > 0) context.console.Print("");
    if (!explained && !board->entries().empty()) {
      context.console.Print(absl::StrCat(kBoardLegend, "\n"));
      explained = true;
    }
    ASSAY_RETURN_IF_ERROR(
        PrintText(*board, flags.workloads, *client, context.console));
  }
  if (context.json) {
    context.PrintJson(Json().Set("leaderboards", boards));
  } else if (wanted.empty()) {
    context.console.Note("no results yet");
  }
  return ExitCode::kOk;
}

}  // namespace

void AddLeaderboardCommand(Command root, CommandContext& context) {
  const auto flags = std::make_shared<Flags>();
  Command command = root.AddCommand("leaderboard", "Show rankings");
  command.Optional("definition", flags->definition,
                   "Name of a definition (default: every board)");
  command.Text("--hardware", flags->hardware,
               "Device model, e.g. NVIDIA_H200 (default: the one with "
               "the most results)");
  command.Switch("--workloads", flags->workloads,
                 "Show the result on each workload too");
  FinishCommand(command, context, [flags](CommandContext& invoked) {
    return Show(*flags, invoked);
  });
}

}  // namespace assay

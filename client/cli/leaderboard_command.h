// assay leaderboard [DEFINITION]

#ifndef ASSAY_CLIENT_CLI_LEADERBOARD_COMMAND_H_
#define ASSAY_CLIENT_CLI_LEADERBOARD_COMMAND_H_

#include "client/cli/command.h"

namespace assay {

void AddLeaderboardCommand(Command root, CommandContext& context);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_LEADERBOARD_COMMAND_H_

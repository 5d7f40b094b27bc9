// Reports about a trace set as text.

#ifndef ASSAY_CLIENT_CLI_REPORT_TEXT_H_
#define ASSAY_CLIENT_CLI_REPORT_TEXT_H_

#include <string>
#include <vector>

#include "assay/v1/leaderboard_service.pb.h"
#include "client/report/folder_summary.h"

namespace assay {

// Counts of verdicts and a table of authors. `width` as Table takes it.
std::string SummaryText(const FolderSummary& summary, int width);

// The best of each board; why there is none where there is none.
std::string BestText(const std::vector<v1::Leaderboard>& boards, int width);

// A board with a bar for each entry, as long as its speed-up is of the best's.
std::string BarsText(const v1::Leaderboard& board, int width);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_REPORT_TEXT_H_

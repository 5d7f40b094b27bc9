// Boards of a trace set on disk, by the rule of the coordinator's.

#ifndef ASSAY_CLIENT_REPORT_FOLDER_BOARDS_H_
#define ASSAY_CLIENT_REPORT_FOLDER_BOARDS_H_

#include <vector>

#include "assay/v1/leaderboard_service.pb.h"
#include "schema/trace_set.h"

namespace assay {

// A board for each definition and hardware model with a trace, by name; results
// of different models or timers never meet. The latest trace of a solution on a
// workload counts, by its timestamp. A board's workloads are those of the
// folder that say they are for the hardware, and all that were evaluated on it.
// Solutions that are not in the folder have no author.
std::vector<v1::Leaderboard> FolderBoards(const TraceSet& set);

}  // namespace assay

#endif  // ASSAY_CLIENT_REPORT_FOLDER_BOARDS_H_

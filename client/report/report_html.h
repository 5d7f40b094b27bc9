// A trace set's results as one page.

#ifndef ASSAY_CLIENT_REPORT_REPORT_HTML_H_
#define ASSAY_CLIENT_REPORT_REPORT_HTML_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "assay/v1/leaderboard_service.pb.h"
#include "client/report/folder_summary.h"

namespace assay {

// A whole document that needs nothing else: no script, no other file, no other
// host. Names and reasons are shown as text, whatever is in them.
std::string ReportHtml(absl::string_view title, const FolderSummary& summary,
                       const std::vector<v1::Leaderboard>& boards);

}  // namespace assay

#endif  // ASSAY_CLIENT_REPORT_REPORT_HTML_H_

#include "client/cli/export_text.h"

#include "absl/strings/str_cat.h"
#include "client/cli/text.h"

namespace assay {

void ReportLeftOut(Console& console, const ExportReport& report) {
  if (report.traces_of_other_revisions > 0) {
    console.Note(absl::StrCat(
        "left out: ", Count(report.traces_of_other_revisions, "trace"),
        " of other revisions of the solutions"));
  }
  if (report.blobs_missing > 0) {
    console.Note(absl::StrCat(
        "left out: ",
        Count(report.blobs_missing, "input file of imported traces",
              "input files of imported traces"),
        " that the coordinator does not have any more"));
  }
}

}  // namespace assay

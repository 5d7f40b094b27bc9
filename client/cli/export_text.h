// What the commands that export have in common.

#ifndef ASSAY_CLIENT_CLI_EXPORT_TEXT_H_
#define ASSAY_CLIENT_CLI_EXPORT_TEXT_H_

#include "client/cli/console.h"
#include "client/export.h"

namespace assay {

// Notes what an export had to leave out; nothing when it is complete.
void ReportLeftOut(Console& console, const ExportReport& report);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_EXPORT_TEXT_H_

// What an import could not take, told to the user.

#ifndef ASSAY_CLIENT_CLI_IMPORT_TEXT_H_
#define ASSAY_CLIENT_CLI_IMPORT_TEXT_H_

#include <cstdint>

#include "assay/v1/catalog_service.pb.h"
#include "client/cli/command.h"
#include "schema/trace_set.h"

namespace assay {

// Notes each file that could not be read; returns how many that were, warnings
// aside.
int64_t ReportUnreadable(CommandContext& context, const TraceSet& set);

// Notes each item that the coordinator refused.
void ReportRejections(CommandContext& context,
                      const v1::ImportTraceSetResponse& response);

// Removes the refused items from the set: what is done with it next would only
// meet the same refusal again.
void DropRejected(const v1::ImportTraceSetResponse& response, TraceSet& set);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_IMPORT_TEXT_H_

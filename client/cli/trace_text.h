// A trace in full, for people.

#ifndef ASSAY_CLIENT_CLI_TRACE_TEXT_H_
#define ASSAY_CLIENT_CLI_TRACE_TEXT_H_

#include <string>

#include "assay/v1/evaluation_service.pb.h"

namespace assay {

std::string TraceText(const v1::TraceRecord& record);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_TRACE_TEXT_H_

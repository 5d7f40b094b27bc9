// Where a submission stands in the queue, for people.

#ifndef ASSAY_CLIENT_CLI_QUEUE_TEXT_H_
#define ASSAY_CLIENT_CLI_QUEUE_TEXT_H_

#include <string>

#include "assay/v1/evaluation_service.pb.h"

namespace assay {

// "next", "3rd: 17 jobs go first, about 2 min 5 s", or why nobody takes it.
std::string QueueText(const v1::QueueStatus& queue);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_QUEUE_TEXT_H_

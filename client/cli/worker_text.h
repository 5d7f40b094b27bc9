// Workers and their devices, for people.

#ifndef ASSAY_CLIENT_CLI_WORKER_TEXT_H_
#define ASSAY_CLIENT_CLI_WORKER_TEXT_H_

#include <string>

#include "assay/v1/worker_service.pb.h"

namespace assay {

// "IDLE"; "UNKNOWN" for a state of a newer coordinator.
std::string WorkerStateWord(v1::WorkerRecord::State state);

// A worker in full.
std::string WorkerText(const v1::WorkerRecord& record);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_WORKER_TEXT_H_

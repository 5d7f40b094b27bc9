// Follows submissions until their last job has ended.

#ifndef ASSAY_CLIENT_WATCH_H_
#define ASSAY_CLIENT_WATCH_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "assay/v1/evaluation_service.pb.h"
#include "client/client.h"

namespace assay {

struct WatchOptions {
  // How long to go on trying when the coordinator is away or too busy.
  absl::Duration patience = absl::Seconds(60);
  // Pause between tries.
  absl::Duration retry_interval = absl::Milliseconds(500);
  // Told, once per outage, that the connection was lost and is sought again.
  std::function<void(const absl::Status&)> on_reconnect;
};

// Calls `visit` with every event of the submissions, each outcome once, however
// often the connection breaks or the coordinator restarts. Returns after the
// last submission is done. NOT_FOUND when one of the ids is unknown; CANCELLED
// when the client's cancellation was used. Blocks.
absl::Status WatchSubmissions(
    Client& client, const std::vector<std::string>& ids,
    const WatchOptions& options,
    const std::function<void(const v1::SubmissionEvent&)>& visit);

}  // namespace assay

#endif  // ASSAY_CLIENT_WATCH_H_

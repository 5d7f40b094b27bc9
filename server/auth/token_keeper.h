// Keeps KnownTokens as the store has them, and ends streams whose token is not
// valid any more. Also notices what `assay-coordinator create-token` adds to
// the store from outside.

#ifndef ASSAY_SERVER_AUTH_TOKEN_KEEPER_H_
#define ASSAY_SERVER_AUTH_TOKEN_KEEPER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "server/auth/call_check.h"
#include "server/auth/known_tokens.h"
#include "server/rpc/open_calls.h"
#include "server/rpc/rate_limiter.h"
#include "server/store/store.h"

namespace assay {

// What it refers to outlives it; the store is stopped before it ends.
// Thread-safe.
class TokenKeeper {
 public:
  // How soon a change by another process is noticed.
  static constexpr absl::Duration kRefreshInterval = absl::Seconds(2);

  TokenKeeper(Store& store, OpenCalls& open_calls, Clock& clock)
      : store_(store), open_calls_(open_calls), clock_(clock) {}

  // Reads the tokens for the first time, and waits for that.
  absl::Status Load();

  // Reads them again soon; to call after a change.
  void Refresh();

  // Refreshes when it is time to, and stores when tokens were used.
  void Tick();

  // Asks whether a call may be made.
  CallCheck Check();

  // For how long a caller with the token (empty: none) has to wait before it
  // may submit, or upload so many bytes; zero: not at all, and that is counted.
  absl::Duration AdmitSubmission(const std::string& token_id);
  absl::Duration AdmitUpload(const std::string& token_id, int64_t bytes);

  // Whether calls are asked for a token.
  bool required() const { return tokens_.required(); }

 private:
  // True once for every interval.
  bool IsDue();
  void Take(std::vector<TokenRow> rows);
  void StoreUses();

  Store& store_;
  OpenCalls& open_calls_;
  Clock& clock_;
  KnownTokens tokens_;
  RateLimiter submissions_;
  RateLimiter uploads_;
  absl::Mutex mutex_;
  absl::Duration next_refresh_ ABSL_GUARDED_BY(mutex_) = absl::ZeroDuration();
};

}  // namespace assay

#endif  // ASSAY_SERVER_AUTH_TOKEN_KEEPER_H_

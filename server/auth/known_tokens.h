// The tokens of the store, in memory, so that a call is checked without
// waiting for anything.

#ifndef ASSAY_SERVER_AUTH_KNOWN_TOKENS_H_
#define ASSAY_SERVER_AUTH_KNOWN_TOKENS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "server/store/token_table.h"

namespace assay {

// Thread-safe.
class KnownTokens {
 public:
  // The whole table. Once there was a token, calls are asked for one: to revoke
  // the last must not open the coordinator to everybody.
  void Replace(std::vector<TokenRow> rows);

  // Whether calls are asked for a token.
  bool required() const;

  // Whether a call may be made. `authorization` is the value of that header, or
  // empty. UNAUTHENTICATED without a valid token; PERMISSION_DENIED when its
  // role is not the one needed; UNIMPLEMENTED when there is no such call.
  // Messages never hold a secret.
  absl::Status Check(absl::string_view method, absl::string_view authorization,
                     absl::Time now);

  // Whether a stream that was opened with the token (empty: with none) may stay
  // open.
  bool MayStay(absl::string_view token_id) const;

  // What the token may do; no limits for one that is not known.
  v1::TokenQuota QuotaOf(absl::string_view token_id) const;

  // Tokens used since the last time, with when in microseconds, to a minute.
  std::vector<std::pair<std::string, int64_t>> TakeUses();

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<std::string, TokenRow> tokens_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, int64_t> uses_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_AUTH_KNOWN_TOKENS_H_

// Tokens, and which of them speaks for which worker.

#ifndef ASSAY_SERVER_STORE_TOKEN_TABLE_H_
#define ASSAY_SERVER_STORE_TOKEN_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "assay/v1/token_service.pb.h"
#include "server/store/paging.h"
#include "server/store/sqlite.h"

namespace assay {

struct TokenRow {
  v1::Token token;
  // SHA-256 of the secret, in lower-case hex.
  std::string secret_sha256;
};

class TokenTable {
 public:
  explicit TokenTable(Database& database) : database_(database) {}

  absl::Status Insert(const TokenRow& row);
  absl::StatusOr<absl::optional<v1::Token>> Find(absl::string_view id);
  // Oldest first.
  absl::StatusOr<std::vector<TokenRow>> All();
  absl::StatusOr<v1::ListTokensResponse> List(Paging paging);
  // The first revocation counts.
  absl::Status Revoke(absl::string_view id, int64_t now_us);
  // Notes a use, unless a later one is known.
  absl::Status NoteUse(absl::string_view id, int64_t time_us);

  // Jobs of its submissions, but for one, that are queued or running.
  absl::StatusOr<int64_t> CountOpenJobs(absl::string_view id,
                                        absl::string_view but_for);
  absl::Status NoteSubmission(absl::string_view id,
                              absl::string_view submission_id);

  // From now on only this token speaks for the worker, who is registered.
  absl::Status BindWorker(absl::string_view worker_id,
                          absl::string_view token_id);
  // The token that speaks for the worker; none when it was registered without,
  // or when the token is revoked.
  absl::StatusOr<absl::optional<v1::Token>> OfWorker(
      absl::string_view worker_id);

 private:
  Database& database_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_TOKEN_TABLE_H_

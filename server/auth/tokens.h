// What is done with tokens in the store: each function is one unit of work.

#ifndef ASSAY_SERVER_AUTH_TOKENS_H_
#define ASSAY_SERVER_AUTH_TOKENS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/evaluation_service.pb.h"
#include "assay/v1/token_service.pb.h"
#include "server/store/session.h"

namespace assay {

// INVALID_ARGUMENT names the field that is wrong.
absl::Status CheckCreateToken(const v1::CreateTokenRequest& request);

// Draws a token and stores its digest. Expects a request that was checked.
absl::StatusOr<v1::CreateTokenResponse> CreateToken(
    Session& session, const v1::CreateTokenRequest& request);

// NOT_FOUND when there is no such token.
absl::StatusOr<v1::Token> RevokeToken(Session& session, absl::string_view id);

// Whether a submission that was just created leaves the token (empty: none)
// within its quota of open jobs, and counts it. RESOURCE_EXHAUSTED names both
// numbers; to return it undoes the submission.
absl::Status ChargeSubmission(Session& session, absl::string_view token_id,
                              const v1::Submission& submission);

// Whether a caller with this token (empty: with none) may speak for the worker.
// PERMISSION_DENIED when another token registered it and is still valid.
absl::Status CheckSpeaksFor(Session& session, absl::string_view worker_id,
                            absl::string_view token_id);

// Binds a worker that has just been registered to the token. Without one, or
// where no token is known, nothing is bound.
absl::Status BindToToken(Session& session, absl::string_view worker_id,
                         absl::string_view token_id);

}  // namespace assay

#endif  // ASSAY_SERVER_AUTH_TOKENS_H_

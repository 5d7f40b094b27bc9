#include "server/auth/tokens.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "server/auth/token_text.h"

namespace assay {
namespace {

constexpr size_t kMaxNameBytes = 100;

v1::TokenQuota DefaultQuota(v1::TokenRole role) {
  v1::TokenQuota quota;
  if (role != v1::SUBMIT) return quota;
  quota.set_submissions_per_second(10);
  quota.set_open_jobs(100'000);
  quota.set_upload_bytes_per_hour(int64_t{10} << 30);
  return quota;
}

absl::Status NoSuchToken(absl::string_view id) {
  return absl::NotFoundError(
      absl::StrCat("there is no token \"", id.substr(0, kMaxNameBytes),
                   "\": list the tokens for the right id"));
}

}  // namespace

absl::Status CheckCreateToken(const v1::CreateTokenRequest& request) {
  if (request.name().empty() || request.name().size() > kMaxNameBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("name has ", request.name().size(), " bytes: use 1 to ",
                     kMaxNameBytes, " that say whose the token is"));
  }
  if (request.role() != v1::SUBMIT && request.role() != v1::WORKER &&
      request.role() != v1::ADMIN) {
    return absl::InvalidArgumentError(
        absl::StrCat("role \"", static_cast<int>(request.role()),
                     "\" is unknown: use SUBMIT, WORKER or ADMIN"));
  }
  const v1::TokenQuota& quota = request.quota();
  // Also false for what is no number.
  if (!(quota.submissions_per_second() >= 0) || quota.open_jobs() < 0 ||
      quota.upload_bytes_per_hour() < 0) {
    return absl::InvalidArgumentError("a quota is below 0: use 0 for no limit");
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::CreateTokenResponse> CreateToken(
    Session& session, const v1::CreateTokenRequest& request) {
  const TokenText text = DrawTokenText();
  TokenRow row;
  row.token.set_id(text.id);
  row.token.set_name(request.name());
  row.token.set_role(request.role());
  row.token.set_create_time_us(session.now_us());
  *row.token.mutable_quota() =
      request.has_quota() ? request.quota() : DefaultQuota(request.role());
  row.secret_sha256 = SecretDigest(text.secret);
  ASSAY_RETURN_IF_ERROR(session.tokens().Insert(row));
  v1::CreateTokenResponse response;
  *response.mutable_token() = std::move(row.token);
  response.set_text(text.ToString());
  return response;
}

absl::StatusOr<v1::Token> RevokeToken(Session& session, absl::string_view id) {
  ASSAY_RETURN_IF_ERROR(session.tokens().Revoke(id, session.now_us()));
  ASSAY_ASSIGN_OR_RETURN(absl::optional<v1::Token> token,
                         session.tokens().Find(id));
  if (!token.has_value()) return NoSuchToken(id);
  return *std::move(token);
}

absl::Status ChargeSubmission(Session& session, absl::string_view token_id,
                              const v1::Submission& submission) {
  if (token_id.empty()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const absl::optional<v1::Token> token,
                         session.tokens().Find(token_id));
  if (!token.has_value() || token->quota().open_jobs() == 0) {
    return absl::OkStatus();
  }
  ASSAY_ASSIGN_OR_RETURN(const int64_t open, session.tokens().CountOpenJobs(
                                                 token_id, submission.id()));
  const int64_t limit = token->quota().open_jobs();
  if (open + submission.queued() > limit) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the token \"", token_id, "\" has ", open,
        " jobs queued or running, this submission has ", submission.queued(),
        ", and ", limit, " are allowed: wait for some to end, or cancel some"));
  }
  return session.tokens().NoteSubmission(token_id, submission.id());
}

absl::Status CheckSpeaksFor(Session& session, absl::string_view worker_id,
                            absl::string_view token_id) {
  ASSAY_ASSIGN_OR_RETURN(const absl::optional<v1::Token> owner,
                         session.tokens().OfWorker(worker_id));
  if (!owner.has_value() || owner->id() == token_id) return absl::OkStatus();
  return absl::PermissionDeniedError(absl::StrCat(
      "the worker \"", worker_id, "\" belongs to the token \"", owner->id(),
      "\": use that one or another worker id, or revoke it"));
}

absl::Status BindToToken(Session& session, absl::string_view worker_id,
                         absl::string_view token_id) {
  if (token_id.empty()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const absl::optional<v1::Token> token,
                         session.tokens().Find(token_id));
  // Before the first token is created, callers can claim any.
  if (!token.has_value()) return absl::OkStatus();
  return session.tokens().BindWorker(worker_id, token_id);
}

}  // namespace assay

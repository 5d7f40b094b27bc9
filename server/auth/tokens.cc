#include "server/auth/tokens.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "server/auth/token_text.h"

namespace assay {
namespace {

constexpr size_t kMaxNameBytes = 100;

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

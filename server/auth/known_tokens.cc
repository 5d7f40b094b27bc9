#include "server/auth/known_tokens.h"

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "server/auth/access_rules.h"
#include "server/auth/token_text.h"

namespace assay {
namespace {

constexpr int64_t kMinuteUs = 60'000'000;

absl::Status Missing(Access access) {
  return absl::UnauthenticatedError(absl::StrCat(
      "the coordinator asks for ", NeededFor(access),
      ": set ASSAY_TOKEN, or ASSAY_TOKEN_FILE to a file that holds it"));
}

// Whether the id exists is nobody's business.
absl::Status NotValid() {
  return absl::UnauthenticatedError(
      "the token is not valid here: ask an operator of the coordinator for one "
      "(assay tokens create)");
}

absl::Status Revoked(const v1::Token& token) {
  return absl::UnauthenticatedError(
      absl::StrCat("the token \"", token.id(),
                   "\" was revoked: ask an operator of the coordinator for "
                   "another one (assay tokens create)"));
}

absl::Status WrongRole(const v1::Token& token, absl::string_view method,
                       Access access) {
  return absl::PermissionDeniedError(absl::StrCat(
      "the token \"", token.id(), "\" has the role \"", RoleWord(token.role()),
      "\", and ", method.substr(method.rfind('/') + 1), " needs ",
      NeededFor(access)));
}

}  // namespace

void KnownTokens::Replace(std::vector<TokenRow> rows) {
  absl::flat_hash_map<std::string, TokenRow> tokens;
  for (TokenRow& row : rows) {
    std::string id = row.token.id();
    tokens.emplace(std::move(id), std::move(row));
  }
  absl::MutexLock lock(&mutex_);
  tokens_ = std::move(tokens);
}

bool KnownTokens::required() const {
  absl::MutexLock lock(&mutex_);
  return !tokens_.empty();
}

absl::Status KnownTokens::Check(absl::string_view method,
                                absl::string_view authorization,
                                absl::Time now) {
  const Access access = AccessOf(method);
  if (access == Access::kPublic || !required()) return absl::OkStatus();
  if (authorization.empty()) return Missing(access);
  const absl::optional<TokenText> text = ParseBearer(authorization);
  if (!text.has_value()) return NotValid();
  const std::string digest = SecretDigest(text->secret);
  absl::MutexLock lock(&mutex_);
  const auto found = tokens_.find(text->id);
  if (found == tokens_.end() ||
      !EqualInConstantTime(found->second.secret_sha256, digest)) {
    return NotValid();
  }
  const v1::Token& token = found->second.token;
  if (token.revoke_time_us() != 0) return Revoked(token);
  if (access == Access::kNoRule) {
    return absl::UnimplementedError(
        absl::StrCat("there is no call \"", method, "\""));
  }
  if (!Allows(access, token.role())) return WrongRole(token, method, access);
  const int64_t minute = absl::ToUnixMicros(now) / kMinuteUs * kMinuteUs;
  if (minute > token.last_use_time_us()) uses_[token.id()] = minute;
  return absl::OkStatus();
}

bool KnownTokens::MayStay(absl::string_view token_id) const {
  absl::MutexLock lock(&mutex_);
  if (tokens_.empty()) return true;
  const auto found = tokens_.find(token_id);
  return found != tokens_.end() && found->second.token.revoke_time_us() == 0;
}

v1::TokenQuota KnownTokens::QuotaOf(absl::string_view token_id) const {
  absl::MutexLock lock(&mutex_);
  const auto found = tokens_.find(token_id);
  return found == tokens_.end() ? v1::TokenQuota()
                                : found->second.token.quota();
}

std::vector<std::pair<std::string, int64_t>> KnownTokens::TakeUses() {
  absl::MutexLock lock(&mutex_);
  std::vector<std::pair<std::string, int64_t>> uses(uses_.begin(), uses_.end());
  uses_.clear();
  return uses;
}

}  // namespace assay

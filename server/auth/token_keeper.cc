#include "server/auth/token_keeper.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/log.h"
#include "base/status_macros.h"

namespace assay {
namespace {

absl::StatusOr<std::vector<TokenRow>> ReadAll(Session& session) {
  return session.tokens().All();
}

absl::Status NotValidAnyMore() {
  return absl::UnauthenticatedError(
      "the token of this stream was revoked, or calls are asked for one now: "
      "set ASSAY_TOKEN to a valid token");
}

}  // namespace

absl::Status TokenKeeper::Load() {
  ASSAY_ASSIGN_OR_RETURN(std::vector<TokenRow> rows,
                         store_.WriteAndWait<std::vector<TokenRow>>(&ReadAll));
  Take(std::move(rows));
  return absl::OkStatus();
}

void TokenKeeper::Refresh() {
  store_.Read<std::vector<TokenRow>>(
      &ReadAll, [this](absl::StatusOr<std::vector<TokenRow>> rows) {
        // What is known stays in force; the next tick tries again.
        if (rows.ok()) Take(*std::move(rows));
      });
}

void TokenKeeper::Tick() {
  if (!IsDue()) return;
  StoreUses();
  Refresh();
}

bool TokenKeeper::IsDue() {
  const absl::Duration now = clock_.Monotonic();
  absl::MutexLock lock(&mutex_);
  if (now < next_refresh_) return false;
  next_refresh_ = now + kRefreshInterval;
  return true;
}

void TokenKeeper::Take(std::vector<TokenRow> rows) {
  const bool was_required = tokens_.required();
  tokens_.Replace(std::move(rows));
  if (!tokens_.required()) return;
  if (!was_required) LogInfo("calls are asked for a token");
  // Each time: a stream may have been let in just before its token was revoked.
  open_calls_.StopUnless(
      [this](const std::string& token_id) { return tokens_.MayStay(token_id); },
      NotValidAnyMore());
}

void TokenKeeper::StoreUses() {
  std::vector<std::pair<std::string, int64_t>> uses = tokens_.TakeUses();
  if (uses.empty()) return;
  store_.Write<bool>(
      [uses = std::move(uses)](Session& session) -> absl::StatusOr<bool> {
        for (const auto& [id, time_us] : uses) {
          ASSAY_RETURN_IF_ERROR(session.tokens().NoteUse(id, time_us));
        }
        return true;
      },
      // Lost with the store at worst: it is not worth a retry.
      [](const absl::StatusOr<bool>&) {});
}

absl::Duration TokenKeeper::AdmitSubmission(const std::string& token_id) {
  constexpr double kBurstSeconds = 10;
  const double rate = tokens_.QuotaOf(token_id).submissions_per_second();
  if (rate <= 0) return absl::ZeroDuration();
  return submissions_.Take(token_id,
                           {rate, std::max(1.0, rate * kBurstSeconds)}, 1,
                           clock_.Monotonic());
}

absl::Duration TokenKeeper::AdmitUpload(const std::string& token_id,
                                        int64_t bytes) {
  constexpr double kBurstSeconds = 600;
  const auto hourly =
      static_cast<double>(tokens_.QuotaOf(token_id).upload_bytes_per_hour());
  if (hourly <= 0) return absl::ZeroDuration();
  const double rate = hourly / absl::ToDoubleSeconds(absl::Hours(1));
  return uploads_.Take(token_id, {rate, rate * kBurstSeconds},
                       static_cast<double>(bytes), clock_.Monotonic());
}

CallCheck TokenKeeper::Check() {
  return [this](absl::string_view method, absl::string_view authorization) {
    return tokens_.Check(method, authorization, clock_.Now());
  };
}

}  // namespace assay

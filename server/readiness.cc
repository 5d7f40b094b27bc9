#include "server/readiness.h"

#include "absl/strings/str_cat.h"
#include "base/log.h"

namespace assay {

void Readiness::Tick() {
  {
    absl::MutexLock lock(&mutex_);
    const absl::Duration now = clock_.Monotonic();
    if (is_probing_ || now < next_probe_) return;
    is_probing_ = true;
    probe_start_ = now;
    next_probe_ = now + kProbeInterval;
  }
  probe_([this](const absl::Status& status) { OnProbed(status); });
}

void Readiness::OnProbed(const absl::Status& status) {
  absl::MutexLock lock(&mutex_);
  is_probing_ = false;
  if (status.ok() != last_.ok()) {
    if (status.ok()) {
      LogInfo("ready again: the store takes writes");
    } else {
      LogError("not ready: the store takes no writes",
               {{"error", status.ToString()}});
    }
  }
  last_ = status;
}

absl::Status Readiness::Check() const {
  absl::MutexLock lock(&mutex_);
  if (!last_.ok()) {
    return absl::UnavailableError(
        absl::StrCat("the store takes no writes: ", last_.message()));
  }
  const absl::Duration waited = clock_.Monotonic() - probe_start_;
  if (is_probing_ && waited > kProbePatience) {
    return absl::UnavailableError(absl::StrCat(
        "the store has not answered a write for ",
        absl::FormatDuration(absl::Trunc(waited, absl::Seconds(1)))));
  }
  return absl::OkStatus();
}

}  // namespace assay

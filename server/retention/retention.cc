#include "server/retention/retention.h"

#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/log.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// Traces or workloads in one step: a few milliseconds of the writer.
constexpr int kStep = 200;
// What tells how far logs have been swept: the `seq` of the last trace that is
// done with.
constexpr char kLogsSwept[] = "logs_swept";

struct LogStep {
  int64_t cut = 0;
  bool is_last = false;
};

absl::StatusOr<int64_t> ReadMark(Session& session) {
  ASSAY_ASSIGN_OR_RETURN(const absl::optional<std::string> text,
                         session.state().Find(kLogsSwept));
  int64_t mark = 0;
  if (text.has_value() && !absl::SimpleAtoi(*text, &mark)) {
    return absl::DataLossError(absl::StrCat("store: ", kLogsSwept, " is \"",
                                            *text, "\", not a number"));
  }
  return mark;
}

// Whether the trace's log can go: a reviewer may still want to read it.
bool HasOldLog(const v1::TraceRecord& record, const std::string& notice) {
  return record.review_state() != v1::Review::PENDING &&
         record.trace().evaluation().log().size() > notice.size();
}

// Cuts the logs of the next few traces that are older than `before_us`.
absl::StatusOr<LogStep> CutLogs(Session& session, int64_t before_us,
                                const std::string& notice) {
  LogStep step;
  ASSAY_ASSIGN_OR_RETURN(int64_t mark, ReadMark(session));
  ASSAY_ASSIGN_OR_RETURN(std::vector<TraceRow> rows,
                         session.traces().After(mark, kStep));
  step.is_last = rows.size() < kStep;
  for (TraceRow& row : rows) {
    if (row.record.create_time_us() >= before_us) {
      step.is_last = true;
      break;
    }
    mark = row.seq;
    if (!HasOldLog(row.record, notice)) continue;
    row.record.mutable_trace()->mutable_evaluation()->set_log(notice);
    ASSAY_RETURN_IF_ERROR(session.traces().Replace(row));
    ++step.cut;
  }
  ASSAY_RETURN_IF_ERROR(session.state().Put(kLogsSwept, absl::StrCat(mark)));
  return step;
}

}  // namespace

void Retention::Start() {
  thread_ = std::thread([this] { Loop(); });
}

void Retention::Stop() {
  if (!stopping_.HasBeenNotified()) stopping_.Notify();
  if (thread_.joinable()) thread_.join();
}

void Retention::Loop() {
  absl::Duration pause = options_.interval / 10;
  while (!stopping_.WaitForNotificationWithTimeout(pause)) {
    pause = options_.interval;
    const absl::StatusOr<Report> report = Sweep();
    if (!report.ok()) {
      LogWarning("retention failed", {{"error", report.status().ToString()}});
    } else if (report->logs + report->blobs > 0) {
      LogInfo("retention", {{"logs", report->logs},
                            {"blobs", report->blobs},
                            {"blob_bytes", report->blob_bytes}});
    }
  }
}

absl::StatusOr<Retention::Report> Retention::Sweep() {
  Report report;
  if (options_.keep_logs != absl::InfiniteDuration()) {
    ASSAY_ASSIGN_OR_RETURN(report.logs, SweepLogs());
  }
  if (options_.keep_unused_blobs != absl::InfiniteDuration()) {
    ASSAY_RETURN_IF_ERROR(SweepBlobs(report));
  }
  return report;
}

absl::StatusOr<int64_t> Retention::SweepLogs() {
  const int64_t before_us =
      absl::ToUnixMicros(options_.clock->Now() - options_.keep_logs);
  const std::string notice =
      absl::StrCat("the log was removed: it was older than ",
                   absl::FormatDuration(options_.keep_logs));
  int64_t cut = 0;
  while (!stopping_.HasBeenNotified()) {
    ASSAY_ASSIGN_OR_RETURN(const LogStep step,
                           store_.WriteAndWait<LogStep>([&](Session& session) {
                             return CutLogs(session, before_us, notice);
                           }));
    cut += step.cut;
    if (step.is_last) break;
  }
  return cut;
}

absl::StatusOr<absl::flat_hash_set<std::string>> Retention::BlobsInUse() {
  absl::flat_hash_set<std::string> in_use;
  int64_t mark = 0;
  while (!stopping_.HasBeenNotified()) {
    ASSAY_ASSIGN_OR_RETURN(
        const WorkloadBlobs step,
        store_.ReadAndWait<WorkloadBlobs>([mark](Session& session) {
          return session.workloads().BlobsAfter(mark, kStep);
        }));
    in_use.insert(step.sha256.begin(), step.sha256.end());
    if (step.last_seq == mark) return in_use;
    mark = step.last_seq;
  }
  return absl::CancelledError("stopping");
}

absl::Status Retention::SweepBlobs(Report& report) {
  // Before it is known what is in use: what becomes so later was uploaded, or
  // asked for, later.
  const absl::Time before = options_.clock->Now() - options_.keep_unused_blobs;
  ASSAY_ASSIGN_OR_RETURN(const std::vector<BlobStore::Blob> blobs,
                         blobs_.List());
  if (blobs.empty()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const absl::flat_hash_set<std::string> in_use,
                         BlobsInUse());
  for (const BlobStore::Blob& blob : blobs) {
    if (stopping_.HasBeenNotified()) break;
    if (in_use.contains(blob.sha256)) continue;
    ASSAY_ASSIGN_OR_RETURN(const bool removed,
                           blobs_.RemoveIfUnused(blob.sha256, before));
    if (!removed) continue;
    ++report.blobs;
    report.blob_bytes += blob.size_bytes;
  }
  return absl::OkStatus();
}

}  // namespace assay

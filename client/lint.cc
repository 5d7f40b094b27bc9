#include "client/lint.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "client/lint_probes.h"
#include "client/watch.h"
#include "schema/freshness.h"
#include "schema/hardware.h"
#include "schema/shape.h"

namespace assay {
namespace {

constexpr absl::Duration kCancelTimeout = absl::Seconds(5);
// As many as one call takes.
constexpr size_t kMaxWatched = 10000;

absl::StatusOr<std::vector<v1::Device>> LiveDevices(Client& client) {
  std::vector<v1::Device> devices;
  ASSAY_RETURN_IF_ERROR(
      client.ListWorkers().ForEach([&](const v1::WorkerRecord& worker) {
        if (worker.state() != v1::WorkerRecord::LOST) {
          devices.push_back(worker.device());
        }
        return true;
      }));
  if (devices.empty()) {
    return absl::UnavailableError(
        "no worker is connected, and lint has to run the reference: start "
        "assay-worker, or name a folder to lint it here");
  }
  return devices;
}

// Uuids of at most `count` of those that a device can take.
std::vector<std::string> ChooseWorkloads(const LintSubject& subject,
                                         const std::vector<v1::Device>& devices,
                                         int count) {
  std::vector<std::string> fitting;
  for (const v1::Workload& workload : subject.workloads) {
    if (std::any_of(
            devices.begin(), devices.end(), [&](const v1::Device& device) {
              return AnyHardwareMatches(workload.target_hardware(), device);
            })) {
      fitting.push_back(workload.uuid());
    }
  }
  const auto wanted = static_cast<size_t>(std::max(count, 1));
  if (fitting.size() <= wanted) return fitting;
  if (wanted == 1) return {fitting.front()};
  std::vector<std::string> chosen;
  for (size_t i = 0; i < wanted; ++i) {
    chosen.push_back(fitting[i * (fitting.size() - 1) / (wanted - 1)]);
  }
  return chosen;
}

// Uuids of workloads whose answers can be stored.
std::vector<std::string> StorableOf(const LintSubject& subject) {
  std::vector<std::string> uuids;
  for (const v1::Workload& workload : subject.workloads) {
    const absl::StatusOr<ResolvedCase> sizes =
        ResolveCase(subject.definition, workload);
    // What cannot be run has no answers.
    if (sizes.ok() && FreshnessOf(*sizes, workload) == Freshness::kStored) {
      uuids.push_back(workload.uuid());
    }
  }
  return uuids;
}

bool IsJudged(const v1::Evaluation& evaluation) {
  return evaluation.status() == v1::PASSED ||
         evaluation.status() == v1::INCORRECT_NUMERICAL;
}

// Whether `a` is nearer to a pass than `b`.
bool IsNearer(const v1::Correctness& a, const v1::Correctness& b) {
  if (a.matched_ratio() != b.matched_ratio()) {
    return a.matched_ratio() > b.matched_ratio();
  }
  return a.max_absolute_error() < b.max_absolute_error();
}

std::string Trouble(const v1::Evaluation& evaluation) {
  // What the worker has to say, or what was printed last.
  std::string line;
  for (const absl::string_view each : absl::StrSplit(evaluation.log(), '\n')) {
    if (!each.empty()) line = std::string(each);
  }
  return absl::StrCat(v1::EvaluationStatus_Name(evaluation.status()), ": ",
                      line);
}

class Lint {
 public:
  Lint(Client& client, const LintOptions& options)
      : client_(client), options_(options) {}

  absl::StatusOr<LintReport> Run(const std::vector<LintSubject>& subjects) {
    ASSAY_ASSIGN_OR_RETURN(devices_, LiveDevices(client_));
    absl::Status status = SubmitAndWatch(subjects);
    if (!status.ok()) {
      CancelAll();
      return status;
    }
    return std::move(report_);
  }

 private:
  absl::Status SubmitAndWatch(const std::vector<LintSubject>& subjects) {
    for (const LintSubject& subject : subjects) {
      ASSAY_RETURN_IF_ERROR(Submit(subject));
    }
    std::vector<std::string> ids;
    for (const auto& [id, index] : results_) ids.push_back(id);
    for (size_t begin = 0; begin < ids.size(); begin += kMaxWatched) {
      const size_t end = std::min(begin + kMaxWatched, ids.size());
      ASSAY_RETURN_IF_ERROR(WatchSubmissions(
          client_, {ids.begin() + begin, ids.begin() + end}, {},
          [this](const v1::SubmissionEvent& event) { Take(event); }));
    }
    return absl::OkStatus();
  }

  absl::Status Submit(const LintSubject& subject) {
    const std::string& name = subject.definition.name();
    std::vector<std::string> storable = StorableOf(subject);
    if (!storable.empty()) {
      report_.storable.push_back({name, std::move(storable)});
    }
    const std::vector<std::string> workloads =
        ChooseWorkloads(subject, devices_, options_.workloads);
    if (workloads.empty()) {
      report_.not_probed.push_back(
          {name, subject.workloads.empty()
                     ? "it has no workloads"
                     : "no connected worker has the hardware that its "
                       "workloads need"});
      return absl::OkStatus();
    }
    for (Probe& probe : ProbesFor(subject.definition)) {
      v1::CreateSubmissionRequest request;
      *request.mutable_solution() = std::move(probe.solution);
      request.mutable_workload_uuids()->Add(workloads.begin(), workloads.end());
      *request.mutable_config() = options_.config;
      ASSAY_ASSIGN_OR_RETURN(const v1::Submission submission,
                             client_.CreateSubmission(request));
      jobs_ += submission.queued();
      results_[submission.id()] = report_.results.size();
      LintResult& result = report_.results.emplace_back();
      result.definition = name;
      result.output = probe.output;
      result.probe = probe.kind;
    }
    Say(absl::StrCat("submitted the probes of ", name));
    return absl::OkStatus();
  }

  void Take(const v1::SubmissionEvent& event) {
    const auto found = results_.find(event.submission_id());
    if (found == results_.end()) return;
    LintResult& result = report_.results[found->second];
    if (event.has_trace()) {
      TakeTrace(event.trace().trace(), result);
    } else if (event.job().state() == v1::FAILED) {
      result.trouble = absl::StrCat(event.job().failure().reason(), ": ",
                                    event.job().failure().message());
    } else if (event.job().state() == v1::CANCELLED) {
      result.trouble = "cancelled";
    } else {
      return;
    }
    Say(absl::StrCat(++ended_, " of ", jobs_, " evaluations"));
  }

  static void TakeTrace(const v1::Trace& trace, LintResult& result) {
    const v1::Evaluation& evaluation = trace.evaluation();
    if (!IsJudged(evaluation)) {
      result.trouble = Trouble(evaluation);
      return;
    }
    const bool passed = evaluation.status() == v1::PASSED;
    // One that passed is nearer than any that did not.
    const bool first_pass = passed && result.passed == 0;
    const bool comparable = passed || result.passed == 0;
    if (result.judged == 0 || first_pass ||
        (comparable && IsNearer(evaluation.correctness(), result.nearest))) {
      result.nearest = evaluation.correctness();
      result.nearest_workload = trace.workload().uuid();
    }
    ++result.judged;
    if (passed) ++result.passed;
  }

  void CancelAll() {
    Cancellation* cancellation = client_.cancellation();
    const bool interrupted =
        cancellation != nullptr && cancellation->cancelled();
    if (interrupted) cancellation->Reset();
    for (const auto& [id, index] : results_) {
      if (!client_.CancelSubmission(id, kCancelTimeout).ok()) break;
    }
    if (interrupted) cancellation->Cancel();
  }

  void Say(absl::string_view what) {
    if (options_.on_progress) options_.on_progress(what);
  }

  Client& client_;
  const LintOptions& options_;
  std::vector<v1::Device> devices_;
  LintReport report_;
  // From the id of a submission to the place of its result.
  std::map<std::string, size_t> results_;
  int jobs_ = 0;
  int ended_ = 0;
};

void AddOnce(const std::string& name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    names.push_back(name);
  }
}

}  // namespace

std::vector<std::string> LintReport::WeakDefinitions() const {
  std::vector<std::string> names;
  for (const LintResult& result : results) {
    if (result.passes()) AddOnce(result.definition, names);
  }
  return names;
}

std::vector<std::string> LintReport::UnjudgedDefinitions() const {
  std::vector<std::string> names;
  for (const LintResult& result : results) {
    if (!result.trouble.empty() || result.judged == 0) {
      AddOnce(result.definition, names);
    }
  }
  for (const NotProbed& one : not_probed) AddOnce(one.definition, names);
  return names;
}

absl::StatusOr<LintReport> LintDefinitions(
    Client& client, const std::vector<LintSubject>& subjects,
    const LintOptions& options) {
  return Lint(client, options).Run(subjects);
}

}  // namespace assay

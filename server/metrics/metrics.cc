#include "server/metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <ctime>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/evaluation_service.pb.h"
#include "base/version.h"

namespace assay {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;
using Buckets = Histogram::BucketBoundaries;

// Upper bounds; the last bucket has none.
const Buckets& CallSeconds() {
  static const Buckets& buckets = *new Buckets{
      0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30};
  return buckets;
}
const Buckets& StageSeconds() {
  static const Buckets& buckets =
      *new Buckets{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000};
  return buckets;
}
const Buckets& GroupTasks() {
  static const Buckets& buckets =
      *new Buckets{1, 2, 4, 8, 16, 32, 64, 128, 256};
  return buckets;
}

}  // namespace

class Metrics::Impl {
 public:
  Family<Counter>& NewCounter(const std::string& name,
                              const std::string& help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
  }
  Family<Histogram>& NewHistogram(const std::string& name,
                                  const std::string& help) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(
        registry);
  }
  Gauge& NewGauge(const std::string& name, const std::string& help,
                  const prometheus::Labels& labels = {}) {
    return prometheus::BuildGauge()
        .Name(name)
        .Help(help)
        .Register(registry)
        .Add(labels);
  }

  // For each state in which a worker is alive.
  std::map<v1::WorkerRecord::State, Gauge*> NewWorkerGauges() {
    std::map<v1::WorkerRecord::State, Gauge*> gauges;
    for (const v1::WorkerRecord::State state :
         {v1::WorkerRecord::IDLE, v1::WorkerRecord::BUSY,
          v1::WorkerRecord::UNWELL, v1::WorkerRecord::DRAINING,
          v1::WorkerRecord::DRAINED, v1::WorkerRecord::QUARANTINED}) {
      const std::string name =
          absl::AsciiStrToLower(v1::WorkerRecord::State_Name(state));
      gauges[state] = &NewGauge("assay_workers", "Workers that are alive.",
                                {{"state", name}});
    }
    return gauges;
  }

  prometheus::Registry registry{prometheus::Registry::InsertBehavior::Merge};

  Family<Counter>& calls_started =
      NewCounter("assay_rpc_started_total", "Calls that began, by method.");
  Family<Counter>& calls_ended = NewCounter(
      "assay_rpc_ended_total", "Calls that ended, by method and gRPC code.");
  Family<Histogram>& call_seconds =
      NewHistogram("assay_rpc_duration_seconds",
                   "How long calls took; streams and long polls included.");

  Counter& transactions_ok =
      NewCounter("assay_store_transactions_total",
                 "Transactions of the store's writer, by result.")
          .Add({{"result", "ok"}});
  Counter& transactions_failed =
      NewCounter("assay_store_transactions_total",
                 "Transactions of the store's writer, by result.")
          .Add({{"result", "failed"}});
  Histogram& transaction_seconds =
      NewHistogram("assay_store_transaction_seconds",
                   "How long transactions took, the commit to disk included.")
          .Add({}, CallSeconds());
  Histogram& transaction_tasks =
      NewHistogram("assay_store_transaction_tasks",
                   "Units of work that shared a transaction.")
          .Add({}, GroupTasks());

  Family<Counter>& evaluations = NewCounter(
      "assay_evaluations_total", "Evaluations that were stored, by status.");
  Family<Histogram>& stage_seconds =
      NewHistogram("assay_evaluation_stage_seconds",
                   "What workers said of the time of each stage.");
  Family<Counter>& jobs_ended =
      NewCounter("assay_jobs_ended_total",
                 "Jobs that ended: completed, failed or cancelled.");
  Counter& leases_expired =
      NewCounter("assay_leases_expired_total",
                 "Leases whose worker was silent for too long.")
          .Add({});

  Gauge& jobs_waiting = NewGauge("assay_jobs", "Jobs that have not ended.",
                                 {{"state", "waiting"}});
  Gauge& jobs_running = NewGauge("assay_jobs", "Jobs that have not ended.",
                                 {{"state", "running"}});
  Gauge& leases_active = NewGauge("assay_leases_active", "Leases in force.");
  std::map<v1::WorkerRecord::State, Gauge*> workers = NewWorkerGauges();
  Gauge& writes_waiting =
      NewGauge("assay_store_waiting", "Units of work that wait for the store.",
               {{"kind", "write"}});
  Gauge& reads_waiting =
      NewGauge("assay_store_waiting", "Units of work that wait for the store.",
               {{"kind", "read"}});
  Gauge& store_bytes = NewGauge("assay_store_bytes",
                                "Size of the store's files, without blobs.");
  Gauge& free_bytes =
      NewGauge("assay_store_free_bytes",
               "What is left of the file system that the store lies on.");
  Gauge& ready = NewGauge("assay_ready", "1 when the coordinator takes work.");

  // Standard names of every Prometheus client. The first is a counter by its
  // nature; its value comes from elsewhere.
  Gauge& cpu_seconds =
      NewGauge("process_cpu_seconds_total", "User and system CPU time.");
  Gauge& resident_bytes =
      NewGauge("process_resident_memory_bytes", "Resident memory.");
  Gauge& threads = NewGauge("process_threads", "Threads.");
  Gauge& open_fds = NewGauge("process_open_fds", "Open file descriptors.");
  Gauge& max_fds = NewGauge("process_max_fds", "Most open file descriptors.");
  Gauge& start_time = NewGauge("process_start_time_seconds",
                               "When the process started, Unix time.");

  // Between setting the gauges and reading them.
  absl::Mutex text_mutex;

  void CountEvaluation(const v1::Evaluation& evaluation);
  void CountJob(v1::JobState state);
};

void Metrics::Impl::CountEvaluation(const v1::Evaluation& evaluation) {
  evaluations.Add({{"status", v1::EvaluationStatus_Name(evaluation.status())}})
      .Increment();
  for (const v1::StageTime& stage : evaluation.stage_times()) {
    // A word that a worker made up gets no series of its own.
    v1::JobStage known;
    if (!v1::JobStage_Parse(absl::AsciiStrToUpper(stage.stage()), &known)) {
      continue;
    }
    stage_seconds.Add({{"stage", stage.stage()}}, StageSeconds())
        .Observe(static_cast<double>(stage.duration().seconds()) +
                 stage.duration().nanos() * 1e-9);
  }
}

void Metrics::Impl::CountJob(v1::JobState state) {
  if (state != v1::COMPLETED && state != v1::FAILED && state != v1::CANCELLED) {
    return;
  }
  jobs_ended.Add({{"state", absl::AsciiStrToLower(v1::JobState_Name(state))}})
      .Increment();
}

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {
  impl_->NewGauge("assay_build_info", "Always 1.", {{"version", kVersion}})
      .Set(1);
  impl_->start_time.Set(static_cast<double>(std::time(nullptr)));
}

Metrics::~Metrics() = default;

void Metrics::OnCallStarted(absl::string_view method) {
  impl_->calls_started.Add({{"method", std::string(method)}}).Increment();
}

void Metrics::OnCallEnded(absl::string_view method, absl::StatusCode code,
                          absl::Duration duration) {
  const std::string name(method);
  impl_->calls_ended
      .Add({{"method", name}, {"code", absl::StatusCodeToString(code)}})
      .Increment();
  impl_->call_seconds.Add({{"method", name}}, CallSeconds())
      .Observe(absl::ToDoubleSeconds(duration));
}

void Metrics::OnTransaction(size_t tasks, absl::Duration duration,
                            const absl::Status& status) {
  (status.ok() ? impl_->transactions_ok : impl_->transactions_failed)
      .Increment();
  impl_->transaction_seconds.Observe(absl::ToDoubleSeconds(duration));
  impl_->transaction_tasks.Observe(static_cast<double>(tasks));
}

void Metrics::OnCommit(const Effects& effects) {
  for (const SubmissionChange& change : effects.changes) {
    if (change.event.has_trace()) {
      impl_->CountEvaluation(change.event.trace().trace().evaluation());
      impl_->CountJob(v1::COMPLETED);
    } else if (change.event.has_job()) {
      impl_->CountJob(change.event.job().state());
    }
  }
}

void Metrics::OnLeaseExpired() { impl_->leases_expired.Increment(); }

std::string Metrics::Text(const CoordinatorState& state) {
  absl::MutexLock lock(&impl_->text_mutex);
  const auto set = [](Gauge& gauge, auto value) {
    gauge.Set(static_cast<double>(value));
  };
  set(impl_->jobs_waiting, state.jobs_waiting);
  set(impl_->jobs_running, state.jobs_running);
  set(impl_->leases_active, state.leases_active);
  for (const auto& [worker_state, gauge] : impl_->workers) {
    const auto count = state.workers.find(worker_state);
    set(*gauge, count == state.workers.end() ? 0 : count->second);
  }
  set(impl_->writes_waiting, state.writes_waiting);
  set(impl_->reads_waiting, state.reads_waiting);
  set(impl_->store_bytes, state.store_bytes);
  set(impl_->free_bytes, state.free_bytes);
  set(impl_->ready, state.is_ready ? 1 : 0);
  set(impl_->cpu_seconds, state.process.cpu_seconds);
  set(impl_->resident_bytes, state.process.resident_bytes);
  set(impl_->threads, state.process.threads);
  set(impl_->open_fds, state.process.open_fds);
  set(impl_->max_fds, state.process.max_fds);
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

}  // namespace assay

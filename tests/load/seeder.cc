#include "tests/load/seeder.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/random_id.h"
#include "base/status_macros.h"
#include "server/blob/blob_store.h"
#include "server/catalog/catalog.h"
#include "server/lease/job_transitions.h"
#include "server/store/store.h"
#include "tests/load/samples.h"

namespace assay::load {
namespace {

constexpr char kWorker[] = "seeder";

int64_t TracesOfDefinition(const SeedShape& shape) {
  return int64_t{shape.workloads} * shape.solutions * shape.rounds;
}

absl::Status RegisterSeeder(Session& session) {
  v1::RegisterWorkerRequest worker;
  worker.set_worker_id(kWorker);
  worker.set_session_id("seeder");
  *worker.mutable_device() = MakeDevice();
  return session.workers().Save(worker, session.now_us());
}

absl::Status CreateCatalog(Session& session, const BlobStore& blobs,
                           const SeedShape& shape, int definition) {
  ASSAY_ASSIGN_OR_RETURN(const auto stored,
                         CreateDefinition(session, MakeDefinition(definition)));
  if (!stored.created) {
    return absl::AlreadyExistsError(absl::StrCat(
        "the store has the definition \"", DefinitionName(definition),
        "\" already: name a store that does not exist"));
  }
  for (int i = 0; i < shape.workloads; ++i) {
    ASSAY_RETURN_IF_ERROR(CreateWorkload(session, DefinitionName(definition),
                                         MakeWorkload(definition, i), blobs)
                              .status());
  }
  for (int i = 0; i < shape.solutions; ++i) {
    ASSAY_RETURN_IF_ERROR(
        CreateSolution(session, MakeSolution(definition, i)).status());
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::Submission> InsertSubmission(
    Session& session, const v1::SolutionRecord& solution) {
  v1::Submission submission;
  submission.set_id(SortableId("sub-"));
  submission.set_definition(solution.solution().definition());
  submission.set_solution(solution.solution().name());
  submission.set_solution_digest(solution.digest());
  submission.set_author(solution.solution().author());
  submission.set_create_time_us(session.now_us());
  Requirements requirements;
  requirements.language = solution.solution().spec().language();
  ASSAY_RETURN_IF_ERROR(
      session.submissions().Insert(submission, "", requirements));
  return submission;
}

absl::StatusOr<std::string> InsertLease(Session& session,
                                        const v1::Submission& submission,
                                        int64_t reports) {
  LeaseRow lease;
  lease.id = SortableId("lea-");
  lease.worker_id = kWorker;
  lease.session_id = "seeder";
  lease.submission_id = submission.id();
  lease.state = LeaseState::kFinished;
  lease.last_number = reports;
  ASSAY_RETURN_IF_ERROR(session.leases().Insert(lease, session.now_us()));
  return lease.id;
}

v1::TraceRecord MakeTrace(const v1::Submission& submission,
                          const std::string& job_id,
                          const v1::WorkloadRecord& workload, uint64_t number,
                          int64_t now_us) {
  v1::TraceRecord record;
  record.set_id(SortableId("tra-"));
  record.mutable_trace()->set_definition(submission.definition());
  record.mutable_trace()->set_solution(submission.solution());
  *record.mutable_trace()->mutable_workload() = workload.workload();
  *record.mutable_trace()->mutable_evaluation() = MakeEvaluation(number);
  record.set_job_id(job_id);
  record.set_submission_id(submission.id());
  record.set_worker(kWorker);
  record.set_solution_digest(submission.solution_digest());
  record.set_workload_digest(workload.digest());
  record.set_create_time_us(now_us);
  return record;
}

absl::Status Complete(Session& session, const v1::Submission& submission,
                      const std::string& lease_id,
                      const v1::WorkloadRecord& workload, uint64_t number) {
  const std::string job_id = SortableId("job-");
  ASSAY_RETURN_IF_ERROR(session.jobs().Insert(
      job_id, submission.id(), workload.workload().uuid(), {{"cpu"}}));
  ASSAY_ASSIGN_OR_RETURN(absl::optional<JobRow> row,
                         session.jobs().Find(job_id));
  v1::TraceRecord trace =
      MakeTrace(submission, job_id, workload, number, session.now_us());
  ASSAY_RETURN_IF_ERROR(session.traces().Insert(trace).status());
  Assign(*row, lease_id);
  assay::Complete(*row, trace.id());
  return session.jobs().Save(*row, std::move(trace));
}

// One solution on the first `count` workloads: as much as one submission does.
absl::Status EvaluateOnce(Session& session, int definition, int solution,
                          int count, uint64_t first_number) {
  ASSAY_ASSIGN_OR_RETURN(
      const v1::SolutionRecord record,
      session.solutions().Get(SolutionName(definition, solution), ""));
  ASSAY_ASSIGN_OR_RETURN(const v1::Submission submission,
                         InsertSubmission(session, record));
  ASSAY_ASSIGN_OR_RETURN(const std::string lease,
                         InsertLease(session, submission, count + 1));
  for (int i = 0; i < count; ++i) {
    ASSAY_ASSIGN_OR_RETURN(
        const v1::WorkloadRecord workload,
        session.workloads().Get(WorkloadUuid(definition, i)));
    ASSAY_RETURN_IF_ERROR(
        Complete(session, submission, lease, workload, first_number + i));
  }
  return absl::OkStatus();
}

// Runs `work` as one transaction.
absl::Status InOneStep(Store& store,
                       const std::function<absl::Status(Session&)>& work) {
  return store
      .WriteAndWait<bool>([&](Session& session) -> absl::StatusOr<bool> {
        ASSAY_RETURN_IF_ERROR(work(session));
        return true;
      })
      .status();
}

absl::Status SeedDefinition(Store& store, const BlobStore& blobs,
                            const SeedShape& shape, int definition,
                            int64_t traces, uint64_t& number) {
  ASSAY_RETURN_IF_ERROR(InOneStep(store, [&](Session& session) {
    return CreateCatalog(session, blobs, shape, definition);
  }));
  while (traces > 0) {
    // A round of all solutions.
    ASSAY_RETURN_IF_ERROR(
        InOneStep(store, [&](Session& session) -> absl::Status {
          for (int i = 0; i < shape.solutions && traces > 0; ++i) {
            const int count =
                static_cast<int>(std::min<int64_t>(shape.workloads, traces));
            ASSAY_RETURN_IF_ERROR(
                EvaluateOnce(session, definition, i, count, number));
            number += count;
            traces -= count;
          }
          return absl::OkStatus();
        }));
  }
  return absl::OkStatus();
}

}  // namespace

int DefinitionCount(const SeedShape& shape) {
  const int64_t each = TracesOfDefinition(shape);
  return static_cast<int>(
      std::max<int64_t>(1, (shape.traces + each - 1) / each));
}

absl::Status Seed(const std::string& path, const SeedShape& shape) {
  Store::Options options;
  options.path = path;
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Store> store,
                         Store::Open(std::move(options)));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<BlobStore> blobs,
                         BlobStore::Open(store->path() + ".blobs"));
  ASSAY_RETURN_IF_ERROR(InOneStep(*store, RegisterSeeder));
  int64_t left = shape.traces;
  uint64_t number = 0;
  for (int i = 0; i < DefinitionCount(shape); ++i) {
    const int64_t traces = std::min(left, TracesOfDefinition(shape));
    ASSAY_RETURN_IF_ERROR(
        SeedDefinition(*store, *blobs, shape, i, traces, number));
    left -= traces;
  }
  return absl::OkStatus();
}

}  // namespace assay::load

#include "tests/chaos/report_queue.h"

#include <utility>

#include "base/random_id.h"
#include "tests/load/samples.h"

namespace assay::chaos {

ReportQueue::ReportQueue(std::string worker_id, std::string session_id,
                         const v1::Lease& lease)
    : worker_id_(std::move(worker_id)),
      session_id_(std::move(session_id)),
      lease_(lease) {}

v1::LeaseReport ReportQueue::Make() const {
  v1::LeaseReport report;
  report.set_lease_id(lease_.id());
  report.set_worker_id(worker_id_);
  report.set_session_id(session_id_);
  return report;
}

v1::LeaseReport ReportQueue::Accept() const {
  v1::LeaseReport report = Make();
  report.mutable_accept();
  return report;
}

v1::LeaseReport ReportQueue::Heartbeat() const {
  v1::LeaseReport report = Make();
  report.mutable_heartbeat();
  return report;
}

v1::LeaseReport& ReportQueue::Append() {
  v1::LeaseReport& report = reports_.emplace_back(Make());
  report.set_number(++last_);
  return report;
}

bool ReportQueue::AddNext(bool fails) {
  if (finished_) return false;
  while (next_job_ < lease_.jobs_size() &&
         dropped_.contains(lease_.jobs(next_job_).job_id())) {
    ++next_job_;
  }
  if (next_job_ == lease_.jobs_size()) {
    finished_ = true;
    Append().mutable_finished();
    return true;
  }
  const v1::LeasedJob& job = lease_.jobs(next_job_++);
  v1::LeaseReport::Stage& stage = *Append().mutable_stage();
  stage.set_job_id(job.job_id());
  stage.set_fence(job.fence());
  stage.set_stage(v1::MEASURE);
  if (fails) {
    v1::LeaseReport::Failed& failed = *Append().mutable_failed();
    failed.set_job_id(job.job_id());
    failed.set_fence(job.fence());
    failed.set_retryable(true);
    failed.mutable_failure()->set_reason("WORKER_ERROR");
    failed.mutable_failure()->set_message("the chaos test wants it to fail");
    return true;
  }
  v1::LeaseReport::Completed& completed = *Append().mutable_completed();
  completed.set_job_id(job.job_id());
  completed.set_fence(job.fence());
  *completed.mutable_evaluation() =
      load::MakeEvaluation(static_cast<uint64_t>(next_job_));
  completed.mutable_evaluation()->set_log(RandomId("mark-"));
  return true;
}

const v1::LeaseReport* ReportQueue::Find(int64_t number) const {
  if (number <= acknowledged_ || number > last_) return nullptr;
  return &reports_[static_cast<size_t>(number - acknowledged_ - 1)];
}

std::vector<ReportQueue::Mark> ReportQueue::Acknowledge(int64_t number) {
  std::vector<Mark> marks;
  while (acknowledged_ < number && !reports_.empty()) {
    const v1::LeaseReport& report = reports_.front();
    if (report.has_completed() &&
        !dropped_.contains(report.completed().job_id())) {
      marks.push_back(
          {report.completed().job_id(), report.completed().evaluation().log()});
    }
    reports_.pop_front();
    ++acknowledged_;
  }
  return marks;
}

void ReportQueue::Drop(const std::string& job_id) { dropped_.insert(job_id); }

}  // namespace assay::chaos

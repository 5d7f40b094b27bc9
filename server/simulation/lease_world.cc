#include "server/simulation/lease_world.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/catalog/samples_testing.h"
#include "server/lease/admissions.h"

namespace assay {
namespace {

constexpr size_t kMaxSubmissions = 12;
constexpr size_t kMaxLeases = 3;
constexpr size_t kMaxSeen = 200;
// Everything is looked at again, not only what changed.
constexpr int64_t kThoroughEvery = 50;

absl::StatusOr<v1::WorkerRecord> Drain(Session& session,
                                       absl::string_view worker_id) {
  return DrainWorker(session, worker_id, "");
}

absl::StatusOr<v1::WorkerRecord> Quarantine(Session& session,
                                            absl::string_view worker_id) {
  return QuarantineWorker(session, worker_id, "");
}

SimulatedWorker MakeWorker(const std::string& id, const std::string& kind) {
  SimulatedWorker worker;
  worker.id = id;
  worker.device = SampleDevice();
  worker.device.set_kind(kind);
  return worker;
}

}  // namespace

LeaseWorld::LeaseWorld() : coordinator_(clock_), ledger_(coordinator_) {
  workers_.push_back(MakeWorker("a", "cpu"));
  workers_.push_back(MakeWorker("b", "cpu"));
  workers_.push_back(MakeWorker("g", "cuda"));
  for (SimulatedWorker& worker : workers_) StartWorker(worker);
}

uint32_t LeaseWorld::Choice::Below(uint32_t n) {
  // SplitMix64.
  state_ += 0x9e3779b97f4a7c15;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return static_cast<uint32_t>(z % n);
}

void LeaseWorld::Run(const Step& step) {
  Do(step.kind, Choice(step.choice));
  ledger_.Check(++steps_ % kThoroughEvery == 0);
}

void LeaseWorld::Do(Step::Kind kind, Choice choice) {
  switch (kind) {
    case Step::kSubmit:
      return Submit(choice);
    case Step::kCancelSubmission:
      return CancelSubmission(choice);
    case Step::kStartWorker:
      return StartWorker(PickWorker(choice));
    case Step::kKillWorker: {
      SimulatedWorker& worker = PickWorker(choice);
      worker.running = false;
      worker.leases.clear();
      return;
    }
    case Step::kDieAtWork:
      return DieAtWork(PickWorker(choice));
    case Step::kRegisterReplaced:
      return RegisterReplaced(choice);
    case Step::kAcquire:
    case Step::kAcquireUnheard:
    case Step::kAcquireAbandoned: {
      SimulatedWorker& worker = PickWorker(choice);
      return Acquire(worker, 1 + static_cast<int>(choice.Below(6)),
                     kind != Step::kAcquireAbandoned, kind == Step::kAcquire);
    }
    case Step::kSayUnwell:
      return SayUnwell(PickWorker(choice), choice);
    case Step::kDrain:
      return Decide(PickWorker(choice), &Drain);
    case Step::kUndrain:
      return Decide(PickWorker(choice), &UndrainWorker);
    case Step::kQuarantine:
      return Decide(PickWorker(choice), &Quarantine);
    case Step::kRelease:
      return Decide(PickWorker(choice), &ReleaseWorker);
    case Step::kBreak:
      return Break(choice);
    case Step::kAdvance:
      // Now and then long enough for a lease to run out.
      return Advance(absl::Seconds(choice.Once(4) ? 1 + choice.Below(40)
                                                  : 1 + choice.Below(5)));
    case Step::kRestart:
      late_.clear();
      ledger_.NoteRestart();
      return coordinator_.Restart();
    case Step::kFailCommit:
      return coordinator_.FailNextCommit();
    case Step::kForge:
      return Forge(choice);
    case Step::kReceive:
      if (!late_.empty() && choice.Once(3)) {
        return Receive(
            late_[choice.Below(static_cast<uint32_t>(late_.size()))]);
      }
      break;
    default:
      break;
  }
  SimulatedLease* lease = PickLease(choice);
  if (lease == nullptr) return;
  switch (kind) {
    case Step::kConnect:
      return lease->Connect(coordinator_);
    case Step::kWork:
      return Work(*lease, choice);
    case Step::kStop:
      return lease->Finish();
    case Step::kSend:
      return lease->Send();
    case Step::kReceive:
      return Receive(lease->stream());
    case Step::kHear:
      return Hear(*lease);
    case Step::kExchange:
      return Exchange(*lease);
    default:
      return;
  }
}

SimulatedWorker& LeaseWorld::PickWorker(Choice& choice) {
  return workers_[choice.Below(static_cast<uint32_t>(workers_.size()))];
}

SimulatedLease* LeaseWorld::PickLease(Choice& choice) {
  std::vector<SimulatedLease*> leases;
  for (SimulatedWorker& worker : workers_) {
    worker.leases.erase(
        std::remove_if(worker.leases.begin(), worker.leases.end(),
                       [](const auto& lease) { return lease->over(); }),
        worker.leases.end());
    for (const auto& lease : worker.leases) leases.push_back(lease.get());
  }
  if (leases.empty()) return nullptr;
  return leases[choice.Below(static_cast<uint32_t>(leases.size()))];
}

void LeaseWorld::NoteRefusal(const absl::Status& status) {
  if (!status.ok()) ++refused_;
}

void LeaseWorld::Submit(Choice& choice) {
  if (submissions_.size() >= kMaxSubmissions) return;
  v1::CreateSubmissionRequest request;
  const uint32_t author = choice.Below(3);
  const bool cuda = choice.Once(4);
  *request.mutable_solution() =
      SampleSolution(absl::StrCat("solution_", author, cuda ? "_cuda" : ""),
                     absl::StrCat("author_", author), cuda ? "cuda" : "cpu");
  const uint32_t workloads = 1 + choice.Below(6);
  for (uint32_t i = 0; i < workloads; ++i) {
    request.add_workload_uuids(absl::StrCat("w", i));
  }
  request.set_priority(static_cast<int>(choice.Below(3)) - 1);
  const auto submission = coordinator_.Submit(request);
  if (!submission.ok()) return NoteRefusal(submission.status());
  submissions_.push_back(submission->id());
  ledger_.NoteSubmission(*submission);
  ledger_.Check(/*thoroughly=*/true);
}

void LeaseWorld::CancelSubmission(Choice& choice) {
  if (submissions_.empty()) return;
  const auto cancelled = coordinator_.Cancel(
      submissions_[choice.Below(static_cast<uint32_t>(submissions_.size()))]);
  NoteRefusal(cancelled.status());
}

void LeaseWorld::StartWorker(SimulatedWorker& worker) {
  worker.leases.clear();
  worker.request_id.clear();
  worker.unwell_reason.clear();
  ++worker.process;
  v1::RegisterWorkerRequest request;
  request.set_worker_id(worker.id);
  request.set_session_id(worker.SessionId(worker.process));
  *request.mutable_device() = worker.device;
  const absl::Status registered = coordinator_.Register(request);
  worker.running = registered.ok();
  NoteRefusal(registered);
}

void LeaseWorld::DieAtWork(SimulatedWorker& worker) {
  if (!worker.running) return;
  if (worker.leases.empty()) Acquire(worker, 2, /*there=*/true, /*heard=*/true);
  for (int stage = v1::BUILD; stage <= v1::BASELINE; ++stage) {
    for (const auto& lease : worker.leases) {
      Exchange(*lease);
      lease->Work(SimulatedLease::Progress::kStage);
    }
  }
  ledger_.Check(/*thoroughly=*/false);
  StartWorker(worker);
}

void LeaseWorld::RegisterReplaced(Choice& choice) {
  const SimulatedWorker& worker = PickWorker(choice);
  if (!worker.running || worker.process < 2) return;
  v1::RegisterWorkerRequest request;
  request.set_worker_id(worker.id);
  request.set_session_id(
      worker.SessionId(1 + static_cast<int>(choice.Below(
                               static_cast<uint32_t>(worker.process - 1)))));
  *request.mutable_device() = worker.device;
  NoteRefusal(coordinator_.Register(request));
}

void LeaseWorld::Acquire(SimulatedWorker& worker, int max_jobs, bool there,
                         bool heard) {
  if (!worker.running || worker.leases.size() >= kMaxLeases) return;
  if (worker.request_id.empty()) {
    worker.request_id = absl::StrCat(worker.id, "-", steps_);
  }
  v1::AcquireLeaseRequest request;
  request.set_worker_id(worker.id);
  request.set_session_id(worker.SessionId(worker.process));
  request.set_request_id(worker.request_id);
  request.set_max_jobs(max_jobs);
  request.set_unwell_reason(worker.unwell_reason);
  const auto response = coordinator_.Acquire(request, there);
  if (!response.ok()) return NoteRefusal(response.status());
  if (!heard || !response->has_lease()) return;
  const bool repeated = ledger_.IsLeased(response->lease());
  if (!repeated) ledger_.NoteLease(response->lease(), worker);
  worker.request_id.clear();
  worker.leases.push_back(std::make_unique<SimulatedLease>(
      response->lease(), worker.id, worker.SessionId(worker.process)));
}

void LeaseWorld::SayUnwell(SimulatedWorker& worker, Choice& choice) {
  worker.unwell_reason = choice.Once(2) ? "no memory" : "";
}

void LeaseWorld::Decide(const SimulatedWorker& worker,
                        SimulatedCoordinator::Verb verb) {
  NoteRefusal(coordinator_.Decide(verb, worker.id));
}

void LeaseWorld::Break(Choice& choice) {
  SimulatedLease* lease = PickLease(choice);
  if (lease == nullptr || lease->stream() == nullptr) return;
  // What was sent may still arrive.
  if (choice.Once(2)) late_.push_back(lease->stream());
  lease->Break();
}

void LeaseWorld::Work(SimulatedLease& lease, Choice& choice) {
  using Progress = SimulatedLease::Progress;
  const uint32_t draw = choice.Below(16);
  if (draw < 8) return lease.Work(Progress::kStage);
  if (draw < 12) return lease.Work(Progress::kComplete);
  return lease.Work(draw < 15 ? Progress::kFailRetryable
                              : Progress::kFailFinally);
}

void LeaseWorld::Receive(const std::shared_ptr<SimulatedStream>& stream) {
  if (stream == nullptr || stream->to_coordinator.empty()) return;
  const v1::LeaseReport report = stream->to_coordinator.front();
  if (seen_.size() < kMaxSeen) seen_.push_back(report);
  if (coordinator_.Receive(stream)) ledger_.NoteStored(report);
  if (stream->end.has_value()) NoteRefusal(*stream->end);
}

void LeaseWorld::Hear(SimulatedLease& lease) {
  for (const v1::LeaseReport& report : lease.Hear()) {
    ledger_.NoteAcknowledged(report);
  }
}

void LeaseWorld::Exchange(SimulatedLease& lease) {
  lease.Connect(coordinator_);
  for (int i = 0; i < 4; ++i) {
    while (lease.stream() != nullptr &&
           !lease.stream()->to_coordinator.empty() &&
           !lease.stream()->end.has_value()) {
      Receive(lease.stream());
      ledger_.Check(/*thoroughly=*/false);
    }
    while (lease.stream() != nullptr && (!lease.stream()->to_worker.empty() ||
                                         lease.stream()->end.has_value())) {
      Hear(lease);
    }
    lease.Send();
  }
}

void LeaseWorld::Advance(absl::Duration step) {
  clock_.Advance(step);
  coordinator_.Tick();
}

void LeaseWorld::Forge(Choice& choice) {
  if (seen_.empty()) return;
  v1::LeaseReport report =
      seen_[choice.Below(static_cast<uint32_t>(seen_.size()))];
  const SimulatedWorker& other = PickWorker(choice);
  switch (choice.Below(4)) {
    case 0:
      // As it was: the network repeats it.
      break;
    case 1:
      report.set_session_id("forged");
      break;
    case 2:
      report.set_worker_id(other.id);
      report.set_session_id(other.SessionId(other.process));
      break;
    default:
      // A process that was replaced.
      report.set_session_id(absl::StrCat(report.worker_id(), "-0"));
      break;
  }
  const std::shared_ptr<SimulatedStream> stream = coordinator_.Connect();
  v1::LeaseReport accept;
  accept.set_lease_id(report.lease_id());
  accept.set_worker_id(report.worker_id());
  accept.set_session_id(report.session_id());
  accept.mutable_accept();
  stream->to_coordinator.push_back(std::move(accept));
  stream->to_coordinator.push_back(report);
  for (int i = 0; i < 2; ++i) {
    if (coordinator_.Receive(stream) && i == 1) ledger_.NoteStored(report);
  }
  if (stream->end.has_value()) NoteRefusal(*stream->end);
}

void LeaseWorld::Settle() {
  // Whoever had a lease is silent until it is lost.
  for (SimulatedWorker& worker : workers_) {
    worker.running = false;
    worker.leases.clear();
  }
  late_.clear();
  for (int i = 0; i < 4; ++i) {
    Advance(SimulatedCoordinator::kTtl / 2 + absl::Seconds(1));
    ledger_.Check(/*thoroughly=*/true);
  }
  ledger_.CheckNothingIsHeld();
  bool worked = true;
  while (worked && fault().empty()) {
    worked = false;
    for (SimulatedWorker& worker : workers_) worked |= WorkOff(worker);
  }
  ledger_.CheckEnd();
}

bool LeaseWorld::WorkOff(SimulatedWorker& worker) {
  if (!worker.running) StartWorker(worker);
  // An injected failure may still hit this one.
  if (!worker.running) return true;
  Decide(worker, &ReleaseWorker);
  Decide(worker, &UndrainWorker);
  ledger_.Check(/*thoroughly=*/false);
  Acquire(worker, 100, /*there=*/true, /*heard=*/true);
  if (worker.leases.empty()) return false;
  SimulatedLease& lease = *worker.leases.back();
  for (int i = 0; i < 1000 && !lease.over(); ++i) {
    Exchange(lease);
    lease.Work(SimulatedLease::Progress::kComplete);
  }
  worker.leases.clear();
  ledger_.Check(/*thoroughly=*/true);
  return true;
}

}  // namespace assay

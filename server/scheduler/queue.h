// Which waiting jobs a worker gets. Pure decisions: no clock, no store, no
// locks. Thread-safe.
//
// Higher priority goes first. Among equals the author who was served longest
// ago has the turn, so that nobody's thousand submissions hold up another's
// one. Of the author's jobs those go first that the worker has something at
// hand for, a build or a baseline, but only a few times in a row; then the
// oldest.

#ifndef ASSAY_SERVER_SCHEDULER_QUEUE_H_
#define ASSAY_SERVER_SCHEDULER_QUEUE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "assay/v1/device.pb.h"
#include "assay/v1/solution.pb.h"

namespace assay {

// Words of which a device must answer to one.
using HardwareWords = std::vector<std::string>;

// What a device must offer.
struct Requirements {
  v1::BuildSpec::Language language = v1::BuildSpec::LANGUAGE_UNSPECIFIED;
  // The effective one; unspecified where the language has none.
  v1::BuildSpec::Binding binding = v1::BuildSpec::BINDING_UNSPECIFIED;
  // The device must fit each list: several may come together that no single
  // list of words can stand for. None: any device.
  std::vector<HardwareWords> hardware;
};

// Waiting jobs of one submission that are alike to the scheduler.
struct QueuedGroup {
  std::string submission_id;
  std::string author;
  int priority = 0;
  Requirements requirements;
  // Worker on which they failed before; empty when they did not.
  std::string avoid_worker;
  // Place in the queue of the first of them.
  int64_t first_seq = 0;
  // When the author was served last; 0 for never.
  int64_t author_turn = 0;
  // How many they are.
  int64_t jobs = 0;
  std::string definition;
  std::string solution_digest;
};

// What a worker was given of late, latest last: it still has the builds and the
// baselines.
struct WorkerHistory {
  // Leases in a row that went before older ones for that.
  int preferred = 0;
  std::vector<std::string> definitions;
  std::vector<std::string> solution_digests;
};

struct KnownWorker {
  std::string id;
  v1::Device device;
  // Why it takes no work now, e.g. `unwell: no memory`; empty when it does.
  std::string unavailable = "";
};

// True when the device can build and run what has these requirements.
bool Fits(const Requirements& requirements, const v1::Device& device);

// The same for devices that Fits cannot tell apart.
std::string DeviceClass(const v1::Device& device);

// Leases in a row that may go before older ones.
inline constexpr int kMaxPreferred = 4;

struct GroupChoice {
  // All of one submission; empty when there is nothing for the worker.
  std::vector<QueuedGroup> groups;
  // An older one was passed over for what the worker has at hand.
  bool preferred = false;
};

// The groups to lease from. `live` are all workers that are alive: a job that
// failed on this worker is left to another one that takes work and fits, if
// there is one.
GroupChoice ChooseGroups(const std::vector<QueuedGroup>& waiting,
                         const KnownWorker& worker,
                         const std::vector<KnownWorker>& live,
                         const WorkerHistory& history = {});

// How many of `waiting` jobs of one submission a lease takes when `workers`
// like this one, itself included, are alive: each has its share, but few jobs
// are not worth a build.
int64_t LeaseShare(int64_t waiting, int64_t workers);

// Why a job waits although a worker may be idle, e.g. `no registered worker has
// cuda`; empty when a live worker fits and takes work.
std::string WaitingNote(const Requirements& requirements,
                        const std::vector<KnownWorker>& live);

}  // namespace assay

#endif  // ASSAY_SERVER_SCHEDULER_QUEUE_H_

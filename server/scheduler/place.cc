#include "server/scheduler/place.h"

#include <algorithm>
#include <tuple>

#include "absl/container/flat_hash_map.h"

namespace assay {
namespace {

// All waiting jobs of a submission that a set of workers can take.
struct Contender {
  absl::string_view id;
  absl::string_view author;
  int priority = 0;
  int64_t author_turn = 0;
  int64_t first_seq = 0;
  int64_t jobs = 0;
  // Submissions of the author with the priority that go before it.
  int round = 0;
};

bool TakenByOne(const QueuedGroup& group,
                const std::vector<const KnownWorker*>& workers) {
  return std::any_of(workers.begin(), workers.end(),
                     [&](const KnownWorker* worker) {
                       return Fits(group.requirements, worker->device);
                     });
}

// In the order of their oldest jobs.
std::vector<Contender> FindContenders(
    const std::vector<QueuedGroup>& waiting,
    const std::vector<const KnownWorker*>& workers) {
  std::vector<Contender> contenders;
  absl::flat_hash_map<absl::string_view, size_t> known;
  for (const QueuedGroup& group : waiting) {
    if (!TakenByOne(group, workers)) continue;
    const auto [it, added] =
        known.try_emplace(group.submission_id, contenders.size());
    if (added) {
      contenders.push_back({group.submission_id, group.author, group.priority,
                            group.author_turn, group.first_seq, 0, 0});
    }
    Contender& contender = contenders[it->second];
    contender.first_seq = std::min(contender.first_seq, group.first_seq);
    contender.jobs += group.jobs;
  }
  std::sort(contenders.begin(), contenders.end(),
            [](const Contender& a, const Contender& b) {
              return a.first_seq < b.first_seq;
            });
  absl::flat_hash_map<std::pair<absl::string_view, int>, int> rounds;
  for (Contender& contender : contenders) {
    contender.round = rounds[{contender.author, contender.priority}]++;
  }
  return contenders;
}

auto Order(const Contender& contender) {
  return std::make_tuple(-contender.priority, contender.round,
                         contender.author_turn, contender.first_seq);
}

}  // namespace

Place FindPlace(const std::vector<QueuedGroup>& waiting,
                absl::string_view submission_id,
                const std::vector<KnownWorker>& live) {
  Place place;
  // Those that its jobs wait for.
  std::vector<const KnownWorker*> workers;
  for (const QueuedGroup& group : waiting) {
    if (group.submission_id != submission_id) continue;
    place.position = 1;
    if (place.note.empty()) place.note = WaitingNote(group.requirements, live);
    for (const KnownWorker& worker : live) {
      if (worker.unavailable.empty() &&
          Fits(group.requirements, worker.device)) {
        workers.push_back(&worker);
      }
    }
  }
  place.served = !workers.empty();
  const std::vector<Contender> contenders = FindContenders(waiting, workers);
  const auto own = std::find_if(
      contenders.begin(), contenders.end(),
      [&](const Contender& other) { return other.id == submission_id; });
  if (own == contenders.end()) return place;
  for (const Contender& other : contenders) {
    if (!(Order(other) < Order(*own))) continue;
    ++place.position;
    place.jobs_ahead += other.jobs;
  }
  return place;
}

}  // namespace assay

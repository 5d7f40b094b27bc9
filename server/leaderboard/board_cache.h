// Finished boards, until something that they tell of changes.
//
//   const BoardCache::Ticket ticket = cache.Begin(request);
//   if (ticket.board != nullptr) return *ticket.board;
//   …  make the board from a snapshot that begins now  …
//   cache.Put(request, ticket, board);

#ifndef ASSAY_SERVER_LEADERBOARD_BOARD_CACHE_H_
#define ASSAY_SERVER_LEADERBOARD_BOARD_CACHE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "assay/v1/leaderboard_service.pb.h"
#include "server/store/effects.h"

namespace assay {

// Thread-safe.
class BoardCache {
 public:
  using Board = std::shared_ptr<const v1::Leaderboard>;

  // Boards of up to this many serialised bytes together are kept.
  explicit BoardCache(size_t max_bytes = size_t{32} << 20)
      : max_bytes_(max_bytes) {}

  struct Ticket {
    // Null: it has to be made.
    Board board;
    // The state of things that the board is made from.
    int64_t generation = 0;
  };
  // Before the snapshot is taken.
  Ticket Begin(const v1::GetLeaderboardRequest& request);
  // Keeps the board, unless something has changed since the ticket: whether
  // the snapshot shows that, nobody knows.
  void Put(const v1::GetLeaderboardRequest& request, const Ticket& ticket,
           Board board);

  // After a commit.
  void Forget(const Effects& effects);

 private:
  struct Definition {
    // Of the latest change.
    int64_t generation = 0;
    // By the hardware that was asked for.
    absl::flat_hash_map<std::string, Board> boards;
  };

  void Clear() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const size_t max_bytes_;
  absl::Mutex mutex_;
  // Grows with every change.
  int64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
  // When all was forgotten.
  int64_t cleared_at_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_map<std::string, Definition> definitions_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_LEADERBOARD_BOARD_CACHE_H_

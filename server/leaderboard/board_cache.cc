#include "server/leaderboard/board_cache.h"

#include <utility>

namespace assay {

BoardCache::Ticket BoardCache::Begin(const v1::GetLeaderboardRequest& request) {
  absl::MutexLock lock(&mutex_);
  Ticket ticket;
  const auto definition = definitions_.find(request.definition());
  ticket.generation = generation_;
  if (definition == definitions_.end()) return ticket;
  const auto board = definition->second.boards.find(request.hardware());
  if (board != definition->second.boards.end()) ticket.board = board->second;
  return ticket;
}

void BoardCache::Put(const v1::GetLeaderboardRequest& request,
                     const Ticket& ticket, Board board) {
  const size_t bytes = board->ByteSizeLong();
  if (bytes > max_bytes_) return;
  absl::MutexLock lock(&mutex_);
  if (definitions_[request.definition()].generation > ticket.generation ||
      cleared_at_ > ticket.generation) {
    return;
  }
  if (bytes_ + bytes > max_bytes_) {
    // Tickets of other boards that are being made turn void with it.
    ++generation_;
    Clear();
  }
  bytes_ += bytes;
  Board& kept = definitions_[request.definition()].boards[request.hardware()];
  if (kept != nullptr) bytes_ -= kept->ByteSizeLong();
  kept = std::move(board);
}

void BoardCache::Forget(const Effects& effects) {
  absl::MutexLock lock(&mutex_);
  if (effects.changed_boards.empty() && !effects.all_boards_changed) return;
  ++generation_;
  if (effects.all_boards_changed) {
    Clear();
    return;
  }
  for (const std::string& name : effects.changed_boards) {
    Definition& definition = definitions_[name];
    definition.generation = generation_;
    for (const auto& [hardware, board] : definition.boards) {
      bytes_ -= board->ByteSizeLong();
    }
    definition.boards.clear();
  }
}

void BoardCache::Clear() {
  definitions_.clear();
  bytes_ = 0;
  // The generations of definitions went with them.
  cleared_at_ = generation_;
}

}  // namespace assay

#include "server/leaderboard/board_cache.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

v1::GetLeaderboardRequest Of(const std::string& definition,
                             const std::string& hardware = "") {
  v1::GetLeaderboardRequest request;
  request.set_definition(definition);
  request.set_hardware(hardware);
  return request;
}

BoardCache::Board Board(const std::string& digest = "digest") {
  auto board = std::make_shared<v1::Leaderboard>();
  board->set_definition_digest(digest);
  return board;
}

Effects Change(const std::string& definition) {
  Effects effects;
  effects.ChangeBoards(definition);
  return effects;
}

TEST(BoardCacheTest, KeepsABoardUntilItsDefinitionChanges) {
  BoardCache cache;
  const BoardCache::Board board = Board();
  cache.Put(Of("a"), cache.Begin(Of("a")), board);
  EXPECT_EQ(cache.Begin(Of("a")).board, board);
  EXPECT_EQ(cache.Begin(Of("a", "OTHER")).board, nullptr);
  cache.Forget(Change("b"));
  EXPECT_EQ(cache.Begin(Of("a")).board, board);
  cache.Forget(Change("a"));
  EXPECT_EQ(cache.Begin(Of("a")).board, nullptr);
}

TEST(BoardCacheTest, KeepsNoBoardThatMayBeOlderThanAChange) {
  BoardCache cache;
  const BoardCache::Ticket ticket = cache.Begin(Of("a"));
  cache.Forget(Change("a"));
  cache.Put(Of("a"), ticket, Board());
  EXPECT_EQ(cache.Begin(Of("a")).board, nullptr);
}

TEST(BoardCacheTest, AChangeOfAnotherDefinitionDoesNotMatter) {
  BoardCache cache;
  const BoardCache::Ticket ticket = cache.Begin(Of("a"));
  cache.Forget(Change("b"));
  cache.Put(Of("a"), ticket, Board());
  EXPECT_NE(cache.Begin(Of("a")).board, nullptr);
}

TEST(BoardCacheTest, AChangeOfAnyBoardMattersForAll) {
  BoardCache cache;
  Effects all;
  all.all_boards_changed = true;
  cache.Put(Of("a"), cache.Begin(Of("a")), Board());
  const BoardCache::Ticket ticket = cache.Begin(Of("b"));
  cache.Forget(all);
  cache.Put(Of("b"), ticket, Board());
  EXPECT_EQ(cache.Begin(Of("a")).board, nullptr);
  EXPECT_EQ(cache.Begin(Of("b")).board, nullptr);
}

TEST(BoardCacheTest, StartsAnewWhenItIsFull) {
  BoardCache cache(Board()->ByteSizeLong() * 2);
  for (const char* name : {"a", "b", "c"}) {
    cache.Put(Of(name), cache.Begin(Of(name)), Board());
  }
  EXPECT_EQ(cache.Begin(Of("a")).board, nullptr);
  EXPECT_NE(cache.Begin(Of("c")).board, nullptr);
}

TEST(BoardCacheTest, ABoardThatIsTooLargeIsNotKept) {
  BoardCache cache(10);
  cache.Put(Of("a"), cache.Begin(Of("a")), Board(std::string(100, 'x')));
  EXPECT_EQ(cache.Begin(Of("a")).board, nullptr);
}

}  // namespace
}  // namespace assay

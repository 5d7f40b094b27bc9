#include "worker/evaluate/latency_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

TEST(LatencyCacheTest, RemembersWhatWasStored) {
  LatencyCache cache("");
  EXPECT_FALSE(cache.Find("a").has_value());
  cache.Store("a", 1.25);
  EXPECT_EQ(cache.Find("a").value(), 1.25);
  EXPECT_FALSE(cache.Find("b").has_value());
}

TEST(LatencyCacheTest, OutlivesTheProcess) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("latency-"));
  const std::string path = folder.path() + "/latencies";
  LatencyCache(path).Store("a", 1.0 / 3);
  EXPECT_EQ(LatencyCache(path).Find("a").value(), 1.0 / 3);
}

TEST(LatencyCacheTest, IgnoresDamagedFiles) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("latency-"));
  for (const char* text : {"", "abc", "-1", "0", "nan"}) {
    ASSERT_OK(WriteFileAtomically(folder.path() + "/a", text));
    EXPECT_FALSE(LatencyCache(folder.path()).Find("a").has_value()) << text;
  }
}

TEST(LatencyCacheTest, FolderThatCannotBeWrittenIsNoFailure) {
  LatencyCache cache("/proc/nowhere");
  cache.Store("a", 2);
  EXPECT_EQ(cache.Find("a").value(), 2);
}

}  // namespace
}  // namespace assay

#include "worker/build/artifact_cache.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;

const std::string kKey(64, 'a');

class ArtifactCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-test-"));
    ASSERT_OK_AND_ASSIGN(cache_, ArtifactCache::Open(folder_->path()));
  }

  // Adds a library with this content.
  absl::StatusOr<Artifact> Add(const std::string& content,
                               const std::string& log) {
    auto work = cache_->CreateWorkFolder();
    EXPECT_OK(work);
    const std::string library = work->path() + "/lib.so";
    EXPECT_OK(WriteFileAtomically(library, content));
    return cache_->AddLibrary(kKey, library, log);
  }

  std::string EntryFile(const std::string& name) const {
    return absl::StrCat(folder_->path(), "/artifacts/aa/", kKey, "/", name);
  }

  bool IsKnown() {
    const auto artifact = cache_->Find(kKey);
    EXPECT_OK(artifact);
    return artifact.ok() && artifact->has_value();
  }

  std::optional<TempDir> folder_;
  std::optional<ArtifactCache> cache_;
};

TEST_F(ArtifactCacheTest, AnUnknownKeyHasNothing) { EXPECT_FALSE(IsKnown()); }

TEST_F(ArtifactCacheTest, FindsTheLibraryThatWasAdded) {
  ASSERT_OK_AND_ASSIGN(const Artifact added, Add("code", "a warning"));
  ASSERT_OK_AND_ASSIGN(const auto found, cache_->Find(kKey));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->library_path, added.library_path);
  EXPECT_EQ(found->log, "a warning");
  EXPECT_THAT(ReadFile(found->library_path), IsOkAndHolds("code"));
}

TEST_F(ArtifactCacheTest, FindsTheErrorThatWasAdded) {
  ASSERT_OK(cache_->AddError(kKey, "no such file: \xE2\x82\xAC"));
  ASSERT_OK_AND_ASSIGN(const auto found, cache_->Find(kKey));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->library_path, "");
  EXPECT_EQ(found->log, "no such file: \xE2\x82\xAC");
}

TEST_F(ArtifactCacheTest, SurvivesTheProcess) {
  ASSERT_OK(Add("code", ""));
  ASSERT_OK_AND_ASSIGN(cache_, ArtifactCache::Open(folder_->path()));
  EXPECT_TRUE(IsKnown());
}

TEST_F(ArtifactCacheTest, TheFirstOfTwoStays) {
  ASSERT_OK(Add("first", ""));
  ASSERT_OK_AND_ASSIGN(const Artifact second, Add("second", ""));
  EXPECT_THAT(ReadFile(second.library_path), IsOkAndHolds("first"));
}

TEST_F(ArtifactCacheTest, AChangedLibraryIsRemoved) {
  ASSERT_OK(Add("code", ""));
  ASSERT_OK(WriteFileAtomically(EntryFile("lib.so"), "evil"));
  EXPECT_FALSE(IsKnown());
  EXPECT_FALSE(std::filesystem::exists(EntryFile("")));
}

TEST_F(ArtifactCacheTest, AMissingLibraryIsNoticed) {
  ASSERT_OK(Add("code", ""));
  unlink(EntryFile("lib.so").c_str());
  EXPECT_FALSE(IsKnown());
}

TEST_F(ArtifactCacheTest, AMissingMetaFileIsNoticed) {
  ASSERT_OK(Add("code", ""));
  unlink(EntryFile("meta.json").c_str());
  EXPECT_FALSE(IsKnown());
  ASSERT_OK(Add("again", ""));
  EXPECT_TRUE(IsKnown());
}

TEST_F(ArtifactCacheTest, AMalformedMetaFileIsNoticed) {
  for (const char* text : {"", "{", "[]", R"({"log": 1})", R"({"log": ""})"}) {
    ASSERT_OK(Add("code", ""));
    ASSERT_OK(WriteFileAtomically(EntryFile("meta.json"), text));
    EXPECT_FALSE(IsKnown()) << text;
  }
}

TEST_F(ArtifactCacheTest, ALinkIsNotTakenForALibrary) {
  ASSERT_OK_AND_ASSIGN(const TempDir work, cache_->CreateWorkFolder());
  const std::string link = work.path() + "/lib.so";
  ASSERT_EQ(symlink("/etc/passwd", link.c_str()), 0);
  EXPECT_THAT(
      cache_->AddLibrary(kKey, link, ""),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is not a file")));
  EXPECT_FALSE(IsKnown());
}

TEST_F(ArtifactCacheTest, WhatDeadWorkersLeftIsRemovedAndTheRestIsNot) {
  const std::string left = folder_->path() + "/tmp/worker-dead";
  ASSERT_OK(CreateDirectories(left + "/build-1/src"));
  ASSERT_OK_AND_ASSIGN(const TempDir work, cache_->CreateWorkFolder());
  ASSERT_OK(ArtifactCache::Open(folder_->path()));
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(work.path()));
}

TEST_F(ArtifactCacheTest, NothingIsLeftOfAWorkerThatEnds) {
  cache_.reset();
  EXPECT_TRUE(std::filesystem::is_empty(folder_->path() + "/tmp"));
}

TEST_F(ArtifactCacheTest, AFileInTheWayIsReported) {
  const std::string file = folder_->path() + "/file";
  ASSERT_OK(WriteFileAtomically(file, ""));
  EXPECT_FALSE(ArtifactCache::Open(file + "/cache").ok());
}

}  // namespace
}  // namespace assay

#include "server/catalog/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "base/sha256.h"
#include "base/status_testing.h"
#include "server/catalog/definition_diff.h"
#include "server/catalog/import.h"
#include "server/catalog/samples_testing.h"
#include "server/store/session_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::AllOf;
using ::testing::HasSubstr;

class CatalogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(blobs_, BlobStore::Open(store_.folder() + "/blobs"));
  }

  absl::StatusOr<Stored<v1::DefinitionRecord>> Define(
      const v1::Definition& definition) {
    return store_.Run([&](Session& session) {
      return CreateDefinition(session, definition);
    });
  }
  absl::StatusOr<Stored<v1::SolutionRecord>> Solve(
      const v1::Solution& solution) {
    return store_.Run(
        [&](Session& session) { return CreateSolution(session, solution); });
  }
  absl::StatusOr<Stored<v1::WorkloadRecord>> AddWorkload(
      const v1::Workload& workload) {
    return store_.Run([&](Session& session) {
      return CreateWorkload(session, "scale_d64", workload, *blobs_);
    });
  }
  std::string LatestDigest(const std::string& name) {
    return store_
        .Run(
            [&](Session& session) { return session.solutions().Get(name, ""); })
        ->digest();
  }
  absl::StatusOr<Imported> Import(const v1::ImportTraceSetRequest& item) {
    return store_.Run(
        [&](Session& session) { return ImportItem(session, item, *blobs_); });
  }

  TestStore store_;
  std::unique_ptr<BlobStore> blobs_;
};

TEST_F(CatalogTest, SameDefinitionAgainIsTheStoredOne) {
  ASSERT_OK_AND_ASSIGN(const auto first, Define(SampleDefinition()));
  EXPECT_TRUE(first.created);
  v1::Definition described = SampleDefinition();
  described.set_description("only words");
  ASSERT_OK_AND_ASSIGN(const auto second, Define(described));
  EXPECT_FALSE(second.created);
  EXPECT_EQ(second.record.digest(), first.record.digest());
}

TEST_F(CatalogTest, OtherContentUnderTheNameIsRefusedNamingTheField) {
  ASSERT_OK(Define(SampleDefinition()));
  v1::Definition other = SampleDefinition();
  other.mutable_axes(1)->set_value(128);
  EXPECT_THAT(Define(other),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("\"scale_d64\""),
                             HasSubstr("\"axes[1].value\" differs"))));
}

TEST_F(CatalogTest, FirstDifferenceNamesThePath) {
  const v1::Definition stored = SampleDefinition();
  v1::Definition given = stored;
  EXPECT_EQ(FirstDifference(stored, given), "");
  given.set_description("words");
  given.add_tags("tag");
  EXPECT_EQ(FirstDifference(stored, given), "");
  given.set_reference("def run(x, factor): return x");
  EXPECT_EQ(FirstDifference(stored, given), "reference");
  given.mutable_inputs(0)->set_dtype(v1::DTYPE_BFLOAT16);
  EXPECT_EQ(FirstDifference(stored, given), "inputs[0].dtype");
  given = stored;
  given.add_constraints("n > 1");
  EXPECT_EQ(FirstDifference(stored, given), "constraints[0]");
}

TEST_F(CatalogTest, SolutionNeedsItsDefinition) {
  EXPECT_THAT(Solve(SampleSolution()),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("scale_d64")));
}

TEST_F(CatalogTest, NewContentIsANewRevision) {
  ASSERT_OK(Define(SampleDefinition()));
  ASSERT_OK_AND_ASSIGN(const auto first, Solve(SampleSolution()));
  v1::Solution changed = SampleSolution();
  changed.mutable_sources(0)->set_content(
      "def run(x, factor):\n    return x.mul(factor)\n");
  ASSERT_OK_AND_ASSIGN(const auto second, Solve(changed));
  EXPECT_TRUE(second.created);
  EXPECT_NE(first.record.digest(), second.record.digest());
  EXPECT_EQ(LatestDigest("scale_python"), second.record.digest());
}

TEST_F(CatalogTest, EarlierContentBecomesTheLatestAgain) {
  ASSERT_OK(Define(SampleDefinition()));
  ASSERT_OK_AND_ASSIGN(const auto first, Solve(SampleSolution()));
  v1::Solution changed = SampleSolution();
  changed.mutable_sources(0)->set_content("def run(x, factor):\n    pass\n");
  ASSERT_OK(Solve(changed));
  ASSERT_OK_AND_ASSIGN(const auto again, Solve(SampleSolution()));
  EXPECT_FALSE(again.created);
  EXPECT_EQ(LatestDigest("scale_python"), first.record.digest());
}

TEST_F(CatalogTest, ImportDoesNotBringAnOldRevisionBack) {
  ASSERT_OK(Define(SampleDefinition()));
  ASSERT_OK(Solve(SampleSolution()));
  v1::Solution changed = SampleSolution();
  changed.mutable_sources(0)->set_content("def run(x, factor):\n    pass\n");
  ASSERT_OK_AND_ASSIGN(const auto latest, Solve(changed));
  v1::ImportTraceSetRequest item;
  *item.mutable_solution() = SampleSolution();
  ASSERT_OK_AND_ASSIGN(const Imported imported, Import(item));
  EXPECT_FALSE(imported.created);
  EXPECT_EQ(LatestDigest("scale_python"), latest.record.digest());
}

TEST_F(CatalogTest, NameBelongsToItsAuthorAndDefinition) {
  ASSERT_OK(Define(SampleDefinition()));
  ASSERT_OK(Define(SampleDefinition("scale_other")));
  ASSERT_OK(Solve(SampleSolution()));
  EXPECT_THAT(Solve(SampleSolution("scale_python", "somebody")),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       HasSubstr("belongs to the author \"author\"")));
  v1::Solution other = SampleSolution();
  other.set_definition("scale_other");
  EXPECT_THAT(Solve(other), StatusIs(absl::StatusCode::kAlreadyExists,
                                     HasSubstr("implements \"scale_d64\"")));
}

TEST_F(CatalogTest, WorkloadUuidStandsForOneContent) {
  ASSERT_OK(Define(SampleDefinition()));
  ASSERT_OK_AND_ASSIGN(const auto first, AddWorkload(SampleWorkload()));
  EXPECT_TRUE(first.created);
  ASSERT_OK_AND_ASSIGN(const auto again, AddWorkload(SampleWorkload()));
  EXPECT_FALSE(again.created);
  EXPECT_THAT(AddWorkload(SampleWorkload("w1", 8)),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("\"w1\"")));
  v1::Workload elsewhere = SampleWorkload();
  elsewhere.add_target_hardware("cuda");
  EXPECT_THAT(AddWorkload(elsewhere),
              StatusIs(absl::StatusCode::kAlreadyExists, _));
}

TEST_F(CatalogTest, WorkloadThatDoesNotFitIsRefused) {
  ASSERT_OK(Define(SampleDefinition()));
  v1::Workload workload = SampleWorkload();
  workload.mutable_axes(0)->set_name("m");
  EXPECT_THAT(AddWorkload(workload),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"m\"")));
}

TEST_F(CatalogTest, WorkloadNeedsItsBlobs) {
  ASSERT_OK(Define(SampleDefinition()));
  const std::string content = "tensor";
  v1::Workload workload = SampleWorkload();
  v1::SafetensorsInput& file =
      *workload.mutable_inputs(0)->mutable_safetensors();
  file.set_path("blob/x.safetensors");
  file.set_tensor_key("x");
  file.set_sha256(Sha256Hex(content));
  file.set_size_bytes(static_cast<int64_t>(content.size()));
  EXPECT_THAT(AddWorkload(workload),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("blob/x.safetensors")));
  ASSERT_OK_AND_ASSIGN(const auto upload,
                       blobs_->Create(file.sha256(), file.size_bytes()));
  ASSERT_OK(upload->Append(content));
  ASSERT_OK(upload->Commit());
  EXPECT_OK(AddWorkload(workload));
}

TEST_F(CatalogTest, ImportedTraceIsKeptApartAndOnce) {
  ASSERT_OK(Define(SampleDefinition()));
  v1::ImportTraceSetRequest item;
  v1::Trace& trace = *item.mutable_trace();
  trace.set_definition("scale_d64");
  trace.set_solution("elsewhere");
  *trace.mutable_workload() = SampleWorkload();
  *trace.mutable_evaluation() = SampleEvaluation();
  ASSERT_OK(CheckImportItem(item));
  ASSERT_OK_AND_ASSIGN(const Imported first, Import(item));
  EXPECT_EQ(first.kind, ImportKind::kTrace);
  EXPECT_TRUE(first.created);
  ASSERT_OK_AND_ASSIGN(const Imported again, Import(item));
  EXPECT_FALSE(again.created);
  ASSERT_OK_AND_ASSIGN(const auto list, store_.Run([](Session& session) {
    return session.traces().List({}, Paging::Parse(0, "", {}).value());
  }));
  ASSERT_EQ(list.traces_size(), 1);
  EXPECT_TRUE(list.traces(0).imported());
}

TEST_F(CatalogTest, ImportCountsWhatItWasGiven) {
  v1::ImportTraceSetRequest item;
  item.set_origin("definitions/scale.json");
  v1::ImportTraceSetResponse response;
  Count(item, Imported{ImportKind::kDefinition, true}, response);
  Count(item, Imported{ImportKind::kSolution, true}, response);
  Count(item, Imported{ImportKind::kWorkload, true}, response);
  Count(item, Imported{ImportKind::kTrace, true}, response);
  Count(item, Imported{ImportKind::kTrace, false}, response);
  for (int i = 0; i < 1001; ++i) {
    Count(item, absl::InvalidArgumentError("bad"), response);
  }
  EXPECT_EQ(response.definitions_created(), 1);
  EXPECT_EQ(response.solutions_created(), 1);
  EXPECT_EQ(response.workloads_created(), 1);
  EXPECT_EQ(response.traces_created(), 1);
  EXPECT_EQ(response.unchanged(), 1);
  EXPECT_EQ(response.rejected(), 1001);
  ASSERT_EQ(response.rejections_size(), 1000);
  EXPECT_EQ(response.rejections(0).origin(), "definitions/scale.json");
  EXPECT_EQ(response.rejections(0).message(), "bad");
}

TEST_F(CatalogTest, EmptyImportItemIsRefused) {
  EXPECT_THAT(CheckImportItem(v1::ImportTraceSetRequest()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("item is missing")));
}

}  // namespace
}  // namespace assay

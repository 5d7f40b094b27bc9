#include "schema/evaluators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

v1::TensorSpec Tensor(const std::string& name, v1::DType dtype,
                      const std::vector<std::string>& shape) {
  v1::TensorSpec tensor;
  tensor.set_name(name);
  tensor.set_dtype(dtype);
  for (const std::string& axis : shape) tensor.add_shape(axis);
  return tensor;
}

// Samples of probs, with further inputs.
v1::Definition Sampling(const std::vector<std::string>& inputs) {
  v1::Definition definition;
  definition.set_name("top_k_sampling_from_probs_v10");
  definition.set_op_type("sampling");
  *definition.add_inputs() =
      Tensor("probs", v1::DTYPE_FLOAT32, {"batch", "vocab"});
  for (const std::string& name : inputs) {
    *definition.add_inputs() = Tensor(name, v1::DTYPE_FLOAT32, {"batch"});
  }
  *definition.add_outputs() = Tensor("samples", v1::DTYPE_INT64, {"batch"});
  return definition;
}

TEST(EvaluatorsTest, RandomTokensAreSampling) {
  EXPECT_EQ(ChooseEvaluator(Sampling({})), "sampling");
  EXPECT_EQ(ChooseEvaluator(Sampling({"top_k", "top_p", "min_p"})), "sampling");
}

// Where the random numbers are an input there is one right answer; where
// probabilities come out, too.
TEST(EvaluatorsTest, OfTheOpTypeSamplingWhatIsNotRandomIsDefault) {
  EXPECT_EQ(ChooseEvaluator(Sampling({"top_k", "uniform"})), "default");
  v1::Definition renorm = Sampling({"top_k"});
  renorm.mutable_outputs(0)->set_dtype(v1::DTYPE_FLOAT32);
  EXPECT_EQ(ChooseEvaluator(renorm), "default");
}

TEST(EvaluatorsTest, NamesOfFlashInferBenchChoose) {
  v1::Definition definition;
  definition.set_op_type("moe");
  definition.set_name("moe_fp8_block_scale_ds_routing_topk8_ng8");
  EXPECT_EQ(ChooseEvaluator(definition), "lowbit");
  definition.set_op_type("dsa_paged");
  definition.set_name("dsa_sparse_attention_h16_ckv512_kpe64_topk2048_ps64");
  EXPECT_EQ(ChooseEvaluator(definition), "default");
  *definition.add_outputs() = Tensor("output", v1::DTYPE_BFLOAT16, {"n"});
  *definition.add_outputs() = Tensor("lse", v1::DTYPE_FLOAT32, {"n"});
  EXPECT_EQ(ChooseEvaluator(definition), "dsa_sparse_attention");
  definition.clear_outputs();
  definition.set_name("dsa_topk_indexer_fp8_h64_d128_topk2048_ps64");
  *definition.add_outputs() = Tensor("topk_indices", v1::DTYPE_INT32, {"n"});
  for (const char* name : {"q_index_fp8", "k_index_cache_fp8", "weights",
                           "seq_lens", "block_table"}) {
    *definition.add_inputs() = Tensor(name, v1::DTYPE_INT8, {"n"});
  }
  EXPECT_EQ(ChooseEvaluator(definition), "dsa_topk_indexer");
}

TEST(EvaluatorsTest, OpTypeOfTheNameChooses) {
  v1::Definition definition;
  definition.set_op_type("lowbit");
  EXPECT_EQ(ChooseEvaluator(definition), "lowbit");
  definition.set_op_type("rmsnorm");
  EXPECT_EQ(ChooseEvaluator(definition), "default");
}

TEST(EvaluatorsTest, SaysWhyItCannotJudge) {
  EXPECT_OK(CheckEvaluator("sampling", Sampling({"top_p"})));
  EXPECT_THAT(CheckEvaluator("sampling", Sampling({"uniform"})).message(),
              HasSubstr("input \"uniform\" is none of probs"));
  EXPECT_THAT(CheckEvaluator("dsa_topk_indexer", Sampling({})).message(),
              HasSubstr("no input \"q_index_fp8\""));
  EXPECT_OK(CheckEvaluator("lowbit", Sampling({})));
  EXPECT_EQ(CheckEvaluator("perfect", Sampling({})).message(),
            "unknown evaluator \"perfect\": use one of default, lowbit, "
            "sampling, dsa_topk_indexer, dsa_sparse_attention");
}

}  // namespace
}  // namespace assay

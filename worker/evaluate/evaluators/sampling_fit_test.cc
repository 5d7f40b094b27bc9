#include "worker/evaluate/evaluators/sampling_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace assay {
namespace {

constexpr double kFalseAlarm = 1e-7;
constexpr int kTokens = 1000;

// A softmax over standard normal numbers times `sharpness`.
std::vector<double> Probs(int vocabulary, double sharpness,
                          std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> probs(static_cast<size_t>(vocabulary));
  double sum = 0;
  for (double& value : probs) {
    value = static_cast<float>(std::exp(sharpness * normal(random)));
    sum += value;
  }
  for (double& value : probs) value /= sum;
  return probs;
}

using Sampler = std::function<int64_t(std::mt19937_64&)>;

// What kTokens tokens of a sampler come to.
SamplingDistance Judge(const std::vector<double>& probs,
                       const SamplingFilter& filter, const Sampler& sampler,
                       uint64_t seed) {
  std::mt19937_64 random(seed);
  const SamplingSupport support = FindSupport(probs, filter);
  const std::vector<double> bits = BitMasses(probs, support);
  const double left_out = 1 - support.certain_mass / support.allowed_mass;
  SamplingFit fit(SamplingFit::kOne);
  for (int i = 0; i < kTokens; ++i) {
    const int64_t token = sampler(random);
    const double value = probs[static_cast<size_t>(token)];
    EXPECT_GE(value, support.allowed_min);
    if (value < support.certain_min) {
      fit.AddUncertain(left_out);
    } else {
      fit.AddCertain(token, PlaceOf(probs, support, token), bits, left_out,
                     random);
    }
  }
  return fit.Worst(kFalseAlarm);
}

// Samples those that `keeps` says, by their probabilities.
Sampler Honest(const std::vector<double>& probs,
               const std::function<bool(size_t)>& keeps) {
  std::vector<double> kept = probs;
  for (size_t i = 0; i < kept.size(); ++i) {
    if (!keeps(i)) kept[i] = 0;
  }
  std::discrete_distribution<int64_t> distribution(kept.begin(), kept.end());
  return [distribution](std::mt19937_64& random) mutable {
    return distribution(random);
  };
}

class SamplingFitTest : public testing::TestWithParam<int> {
 protected:
  // 1,000 tokens are quick enough for many tries.
  int tries() const { return GetParam() <= 1000 ? 200 : 4; }
};

TEST_P(SamplingFitTest, HonestSamplersPass) {
  for (int i = 0; i < tries(); ++i) {
    std::mt19937_64 random(static_cast<uint64_t>(i));
    const auto probs = Probs(GetParam(), 1 + i % 4, random);
    const auto found =
        Judge(probs, {}, Honest(probs, [](size_t) { return true; }), i + 1000);
    EXPECT_LT(found.excess(), 0) << found.where;
  }
}

TEST_P(SamplingFitTest, HonestSamplersOfTopKAndTopPPass) {
  for (int i = 0; i < tries(); ++i) {
    std::mt19937_64 random(static_cast<uint64_t>(i));
    const auto probs = Probs(GetParam(), 1.5, random);
    auto sorted = probs;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const auto top_k = [&](size_t t) { return probs[t] >= sorted[39]; };
    EXPECT_LT(Judge(probs, {40}, Honest(probs, top_k), i).excess(), 0);
    double sum = 0;
    size_t last = 0;
    while ((sum += sorted[last]) < 0.8) ++last;
    const auto top_p = [&](size_t t) { return probs[t] >= sorted[last]; };
    EXPECT_LT(Judge(probs, {0, 0.8}, Honest(probs, top_p), i).excess(), 0);
  }
}

TEST_P(SamplingFitTest, DishonestSamplersFail) {
  std::mt19937_64 random(7);
  const auto probs = Probs(GetParam(), 1, random);
  const auto largest = std::max_element(probs.begin(), probs.end());
  const auto all = Honest(probs, [](size_t) { return true; });
  const Sampler argmax = [&](std::mt19937_64&) {
    return largest - probs.begin();
  };
  const struct {
    const char* name;
    Sampler sampler;
  } cases[] = {
      {"argmax", argmax},
      {"the same token, of a fixed seed",
       [all](std::mt19937_64&) {
         std::mt19937_64 fixed(42);
         return all(fixed);
       }},
      {"many tokens in turn, of fixed seeds",
       [all, i = 0](std::mt19937_64&) mutable {
         std::mt19937_64 fixed(static_cast<uint64_t>(i++ % 200));
         return all(fixed);
       }},
      {"without regard to probabilities",
       [&](std::mt19937_64& random) {
         return std::uniform_int_distribution<int64_t>(0,
                                                       GetParam() - 1)(random);
       }},
      {"of the first half",
       Honest(probs, [&](size_t t) { return t < probs.size() / 2; })},
      {"of every other token",
       Honest(probs, [](size_t t) { return t % 2 == 0; })},
      {"of every other line of memory",
       Honest(probs, [](size_t t) { return t / 32 % 2 == 0; })},
  };
  for (const auto& [name, sampler] : cases) {
    EXPECT_GT(Judge(probs, {}, sampler, 3).excess(), 0.02) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Vocabularies, SamplingFitTest,
                         testing::Values(1000, 151'936));

TEST(SamplingSupportTest, KeepsWhatFiltersKeep) {
  const std::vector<double> probs = {0.1, 0.4, 0, 0.2, 0.3};
  EXPECT_EQ(FindSupport(probs, {}).allowed_min, std::nextafter(0.0, 1.0));
  EXPECT_EQ(FindSupport(probs, {2}).allowed_min, 0.3);
  EXPECT_EQ(FindSupport(probs, {2}).certain_min, 0.3);
  EXPECT_EQ(FindSupport(probs, {5}).allowed_mass, 1);
  // 0.4 and 0.3 come to less than 0.8, so 0.2 is kept, too.
  EXPECT_EQ(FindSupport(probs, {0, 0.8}).allowed_min, 0.2);
  EXPECT_EQ(FindSupport(probs, {0, 0.65}).allowed_min, 0.3);
  EXPECT_EQ(FindSupport(probs, {0, 0}).allowed_min, 0.4);
  EXPECT_NEAR(FindSupport(probs, {0, 1, 0.5}).allowed_min, 0.2, 1e-5);
}

TEST(SamplingSupportTest, WhatTiesAndRoundingDecideIsNotCertain) {
  const std::vector<double> tied = {0.2, 0.2, 0.2, 0.4};
  EXPECT_EQ(FindSupport(tied, {2}).allowed_min, 0.2);
  EXPECT_GT(FindSupport(tied, {2}).certain_min, 0.2);
  EXPECT_DOUBLE_EQ(FindSupport(tied, {2}).certain_mass, 0.4);
  // The sum reaches top_p just about there.
  const std::vector<double> near = {0.5, 0.2999, 0.2001};
  EXPECT_EQ(FindSupport(near, {0, 0.8}).allowed_min, 0.2001);
  EXPECT_EQ(FindSupport(near, {0, 0.7995}).allowed_min, 0.2001);
  EXPECT_GT(FindSupport(near, {0, 0.7995}).certain_min, 0.2001);
}

TEST(SamplingFitEdgeTest, TokensAtTheEdgeMayComeAsOftenAsIfAllWereKept) {
  SamplingFit fit(SamplingFit::kMany);
  for (int i = 0; i < 1000; ++i) fit.AddUncertain(0.99);
  EXPECT_LT(fit.Worst(kFalseAlarm).excess(), 0);
  SamplingFit wrong(SamplingFit::kMany);
  for (int i = 0; i < 1000; ++i) wrong.AddUncertain(0.3);
  EXPECT_GT(wrong.Worst(kFalseAlarm).excess(), 0);
}

}  // namespace
}  // namespace assay

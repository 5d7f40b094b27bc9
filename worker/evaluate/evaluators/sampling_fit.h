// Whether tokens come as often as they should: a test of goodness of fit that
// needs no approximation, for any vocabulary and any number of tokens.
//
// A token t of a row is turned into a number u: the probability of all tokens
// before t in some order, and of t itself a random part. Where tokens come with
// their probabilities, u is uniform on [0, 1), whatever the probabilities are
// (the probability integral transform, made exact by the random part). So
// numbers of different rows and draws may be put together, and 150,000 tokens
// need no more of them than 1,000 do.
//
// Four things are looked at, for each of which chance alone has a bound that
// holds for every n, not only for large ones:
//
// - The distance D between the distribution of n such numbers and the uniform
//   one (Kolmogorov-Smirnov). P(D > e) <= 2 exp(-2 n e^2): Dvoretzky, Kiefer,
//   Wolfowitz, with the constant of Massart. Of two orders: by probability, in
//   which argmax and wrong temperatures show, and by number, in which a part of
//   the vocabulary that is never read shows.
// - How often bit i of the token's number is set, for each i: who reads every
//   other token, or every other line of memory. Hoeffding: the same bound.
// - How often a token comes that need not be kept (SamplingSupport): at most as
//   often as when all such are kept. Hoeffding, too.
// - Of tokens of one row: how often one comes that had come before. Given what
//   has come so far, that has the probability of the tokens seen, so the
//   repetitions less the sum V of those is a martingale S, and exp(S - (e - 2)
//   V) is on average at most 1: P(S >= log(1/p) + (e - 2) V) <= p. Who draws
//   from a few tokens that were sampled once shows here.
//
// With m bounds of probability a / m, an honest sampler fails with a
// probability of at most a. One whose D is larger by twice e is caught as
// surely. With a thousand tokens and a = 1e-9, e is about 0.11. A sampler that
// gives the same token for the same row has D of at least 1/2 less the token's
// own probability.

#ifndef ASSAY_WORKER_EVALUATE_EVALUATORS_SAMPLING_FIT_H_
#define ASSAY_WORKER_EVALUATE_EVALUATORS_SAMPLING_FIT_H_

#include <cstdint>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "worker/evaluate/evaluators/sampling_support.h"

namespace assay {

// What was farthest from what it should be.
struct SamplingDistance {
  // For people, e.g. "in the order of their probability".
  std::string where;
  double distance = 0;
  // What chance alone may make of it, but for a probability that is told.
  double limit = 1;
  int64_t tokens = 0;

  double excess() const { return distance - limit; }
};

// Thread-compatible.
class SamplingFit {
 public:
  enum Rows { kOne, kMany };
  // Of which rows tokens will come.
  explicit SamplingFit(Rows rows) : rows_(rows) {}

  // Counts a token of a row. `may_be_left_out` is the largest part that tokens
  // which are not certain have of what comes.
  void AddUncertain(double may_be_left_out);
  void AddCertain(int64_t token, const TokenPlace& place,
                  const std::vector<double>& bit_masses, double may_be_left_out,
                  std::mt19937_64& random);

  int64_t tokens() const { return tokens_; }

  // The largest excess over its limit. An honest sampler has one above 0 with a
  // probability of at most `false_alarm`.
  SamplingDistance Worst(double false_alarm) const;

 private:
  void CountRepetition(int64_t token, double own);

  Rows rows_;
  // Of one row: tokens that have come, their mass, and S and V.
  std::unordered_set<int64_t> seen_;
  double seen_mass_ = 0;
  double repetitions_ = 0;
  double expected_repetitions_ = 0;
  std::vector<double> by_probability_;
  std::vector<double> by_number_;
  // Of each bit: how often it was set, less how often it should be.
  std::vector<double> bits_;
  int64_t tokens_ = 0;
  // Of tokens that are not certain: how often more than they may come.
  double uncertain_ = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_EVALUATORS_SAMPLING_FIT_H_

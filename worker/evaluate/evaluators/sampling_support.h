// Which tokens a sampler may give, and where a token stands among them.

#ifndef ASSAY_WORKER_EVALUATE_EVALUATORS_SAMPLING_SUPPORT_H_
#define ASSAY_WORKER_EVALUATE_EVALUATORS_SAMPLING_SUPPORT_H_

#include <cstdint>
#include <vector>

namespace assay {

// What is kept of a row of probabilities, one after the other: the top_k most
// probable tokens (none or all: no filter); of those, the most probable ones
// until their sum reaches top_p, that one included; those of at least min_p of
// the most probable one.
struct SamplingFilter {
  int64_t top_k = 0;
  double top_p = 1;
  double min_p = 0;
};

// Tokens of at least `allowed_min` may come; those of at least `certain_min`
// are kept by every sound sampler. Between them is what rounding, the order of
// tokens that are as probable as each other, and whether sums for top_p are
// those of the whole row or of the top_k, decide.
struct SamplingSupport {
  double allowed_min = 0;
  double certain_min = 0;
  // Sums over the tokens.
  double allowed_mass = 0;
  double certain_mass = 0;
};

// Sums for top_p may be off by this much in a sampler that computes in float32.
inline constexpr double kTopPRounding = 1e-3;

SamplingSupport FindSupport(const std::vector<double>& probs,
                            const SamplingFilter& filter);

// Parts of the certain mass, 0 to 1.
struct TokenPlace {
  // Of tokens that are more probable, and that are as probable, itself one.
  double more_probable = 0;
  double as_probable = 0;
  // Of tokens before it, and its own.
  double before = 0;
  double own = 0;
};

// Of a token that is certain.
TokenPlace PlaceOf(const std::vector<double>& probs,
                   const SamplingSupport& support, int64_t token);

// Of certain tokens, the part whose number has bit i set; for all bits of
// numbers of tokens.
std::vector<double> BitMasses(const std::vector<double>& probs,
                              const SamplingSupport& support);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_EVALUATORS_SAMPLING_SUPPORT_H_

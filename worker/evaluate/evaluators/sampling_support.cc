#include "worker/evaluate/evaluators/sampling_support.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace assay {
namespace {

// How far products for min_p may be off.
constexpr double kMinPRounding = 1e-5;

double Above(double value) {
  return std::nextafter(value, std::numeric_limits<double>::infinity());
}

// The value at which the sum of the largest ones reaches `limit`; the smallest
// where it never does. Reorders the values. Each round halves what is left, so
// that it takes about as long as a few sums.
double ValueAtMass(std::vector<double>& values, double limit) {
  auto begin = values.begin();
  auto end = values.end();
  double mass = 0;
  while (end - begin > 1) {
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, std::greater<>());
    double upper = 0;
    for (auto it = begin; it != middle; ++it) upper += *it;
    if (mass + upper >= limit) {
      end = middle;
    } else {
      mass += upper;
      begin = middle;
    }
  }
  return *begin;
}

struct TopK {
  double allowed_min = 0;
  double certain_min = 0;
  double mass = 0;
};

TopK FindTopK(std::vector<double>& values, int64_t k) {
  const auto last = values.begin() + (k - 1);
  std::nth_element(values.begin(), last, values.end(), std::greater<>());
  TopK top;
  top.allowed_min = *last;
  for (auto it = values.begin(); it <= last; ++it) top.mass += *it;
  const bool has_ties =
      std::find(last + 1, values.end(), *last) != values.end();
  top.certain_min = has_ties ? Above(*last) : *last;
  return top;
}

void Restrict(double allowed_min, double certain_min,
              SamplingSupport& support) {
  support.allowed_min = std::max(support.allowed_min, allowed_min);
  support.certain_min = std::max(support.certain_min, certain_min);
}

}  // namespace

SamplingSupport FindSupport(const std::vector<double>& probs,
                            const SamplingFilter& filter) {
  SamplingSupport support;
  // What is not probable at all never comes.
  Restrict(Above(0), Above(0), support);
  const double largest = *std::max_element(probs.begin(), probs.end());
  std::vector<double> values = probs;
  double kept = 1;
  if (filter.top_k > 0 && filter.top_k < static_cast<int64_t>(probs.size())) {
    const TopK top = FindTopK(values, filter.top_k);
    Restrict(top.allowed_min, top.certain_min, support);
    kept = std::min(top.mass, 1.0);
  }
  if (filter.top_p <= 0) {
    Restrict(largest, largest, support);
  } else if (filter.top_p < 1) {
    Restrict(ValueAtMass(values, filter.top_p + kTopPRounding),
             Above(ValueAtMass(values, filter.top_p * kept - kTopPRounding)),
             support);
  }
  if (filter.min_p > 0) {
    const double least = filter.min_p * largest;
    Restrict(least * (1 - kMinPRounding), least * (1 + kMinPRounding), support);
  }
  // The most probable one is kept by all.
  support.allowed_min = std::min(support.allowed_min, largest);
  if (std::count(probs.begin(), probs.end(), largest) == 1) {
    support.certain_min = std::min(support.certain_min, largest);
  }
  for (const double value : probs) {
    support.allowed_mass += value >= support.allowed_min ? value : 0;
    support.certain_mass += value >= support.certain_min ? value : 0;
  }
  return support;
}

TokenPlace PlaceOf(const std::vector<double>& probs,
                   const SamplingSupport& support, int64_t token) {
  TokenPlace place;
  const double own = probs[static_cast<size_t>(token)];
  for (const double value : probs) {
    place.more_probable += value > own ? value : 0;
    place.as_probable += value == own ? value : 0;
  }
  for (int64_t i = 0; i < token; ++i) {
    const double value = probs[static_cast<size_t>(i)];
    place.before += value >= support.certain_min ? value : 0;
  }
  place.more_probable /= support.certain_mass;
  place.as_probable /= support.certain_mass;
  place.before /= support.certain_mass;
  place.own = own / support.certain_mass;
  return place;
}

std::vector<double> BitMasses(const std::vector<double>& probs,
                              const SamplingSupport& support) {
  int bits = 0;
  while ((size_t{1} << bits) < probs.size()) ++bits;
  std::vector<double> masses(static_cast<size_t>(bits));
  for (size_t token = 0; token < probs.size(); ++token) {
    if (probs[token] < support.certain_min) continue;
    for (size_t bit = 0; bit < masses.size(); ++bit) {
      if ((token >> bit & 1) != 0) masses[bit] += probs[token];
    }
  }
  for (double& mass : masses) mass /= support.certain_mass;
  return masses;
}

}  // namespace assay

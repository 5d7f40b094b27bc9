#include "worker/evaluate/evaluators/sampling_fit.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

double Uniform(std::mt19937_64& random) {
  return std::uniform_real_distribution<double>(0, 1)(random);
}

// e - 2.
constexpr double kGrowth = 0.718281828459045;

// Between the distribution of the values and the uniform one.
double DistanceFromUniform(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto before = static_cast<double>(i);
    distance = std::max(
        {distance, values[i] - before / n, (before + 1) / n - values[i]});
  }
  return distance;
}

}  // namespace

void SamplingFit::AddUncertain(double may_be_left_out) {
  ++tokens_;
  uncertain_ += 1 - may_be_left_out;
}

void SamplingFit::AddCertain(int64_t token, const TokenPlace& place,
                             const std::vector<double>& bit_masses,
                             double may_be_left_out, std::mt19937_64& random) {
  ++tokens_;
  uncertain_ -= may_be_left_out;
  by_probability_.push_back(place.more_probable +
                            Uniform(random) * place.as_probable);
  by_number_.push_back(place.before + Uniform(random) * place.own);
  bits_.resize(bit_masses.size());
  for (size_t i = 0; i < bits_.size(); ++i) {
    bits_[i] += static_cast<double>(token >> i & 1) - bit_masses[i];
  }
  if (rows_ == kOne) CountRepetition(token, place.own);
}

void SamplingFit::CountRepetition(int64_t token, double own) {
  expected_repetitions_ += seen_mass_;
  repetitions_ -= seen_mass_;
  if (seen_.insert(token).second) {
    seen_mass_ += own;
  } else {
    repetitions_ += 1;
  }
}

SamplingDistance SamplingFit::Worst(double false_alarm) const {
  const double tests = 4 + static_cast<double>(bits_.size());
  const double log_odds = std::log(2 * tests / false_alarm);
  SamplingDistance worst;
  const auto consider_limit = [&](double distance, double limit, int64_t count,
                                  const std::string& where) {
    SamplingDistance found;
    found.where = where;
    found.distance = distance;
    found.limit = limit;
    found.tokens = count;
    if (found.excess() > worst.excess()) worst = found;
  };
  const auto consider = [&](double distance, int64_t count,
                            const std::string& where) {
    const double limit = std::sqrt(log_odds / (2 * static_cast<double>(count)));
    consider_limit(distance, limit, count, where);
  };
  const auto certain = static_cast<int64_t>(by_probability_.size());
  if (certain > 0) {
    consider(DistanceFromUniform(by_probability_), certain,
             "in the order of their probability");
    consider(DistanceFromUniform(by_number_), certain,
             "in the order of their number");
    const auto n = static_cast<double>(certain);
    consider_limit(repetitions_ / n,
                   (log_odds + kGrowth * expected_repetitions_) / n, certain,
                   "in how often tokens come again");
  }
  for (size_t i = 0; i < bits_.size(); ++i) {
    consider(std::abs(bits_[i]) / static_cast<double>(certain), certain,
             absl::StrCat("by bit ", i, " of their number"));
  }
  if (tokens_ > 0) {
    consider(std::max(uncertain_, 0.0) / static_cast<double>(tokens_), tokens_,
             "at the edge of what is kept");
  }
  return worst;
}

}  // namespace assay

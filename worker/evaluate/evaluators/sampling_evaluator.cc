#include "worker/evaluate/evaluators/sampling_evaluator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "worker/device/element_type.h"

namespace assay {
namespace {

// Rows whose tokens are counted; others are judged by their support alone.
constexpr size_t kMostWatched = 4;
// For an evaluation as a whole.
constexpr double kFalseAlarm = 1e-7;
// Fewer tokens of a row tell nothing.
constexpr int64_t kFewestTokens = 50;

// All values of a tensor in memory.
absl::StatusOr<std::vector<double>> Values(const ResolvedTensor& tensor,
                                           const std::string& bytes) {
  ASSAY_ASSIGN_OR_RETURN(const measure::ElementType type,
                         ToElementType(tensor.dtype));
  std::vector<double> values(bytes.size() / measure::ElementBytes(type));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = measure::LoadAsDouble(type, bytes.data(), i);
  }
  return values;
}

// Only what a sampler can sample from is judged.
absl::Status CheckDistribution(const std::vector<double>& probs, int64_t row) {
  double sum = 0;
  for (size_t i = 0; i < probs.size(); ++i) {
    if (std::isfinite(probs[i]) && probs[i] >= 0) {
      sum += probs[i];
      continue;
    }
    return absl::InvalidArgumentError(absl::StrFormat(
        "input \"probs\": %g at [%d, %d] is no probability", probs[i], row, i));
  }
  if (sum > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "input \"probs\": no token of row %d has a probability above 0", row));
}

double ScalarOf(const v1::Workload& workload, const std::string& name) {
  for (const v1::WorkloadInput& input : workload.inputs()) {
    if (input.name() != name || !input.has_scalar()) continue;
    return input.scalar().has_int_value()
               ? static_cast<double>(input.scalar().int_value())
               : input.scalar().float_value();
  }
  return 0;
}

void SetFilter(const std::string& name, double value, SamplingFilter& filter) {
  if (name == "top_k") filter.top_k = static_cast<int64_t>(value);
  if (name == "top_p") filter.top_p = value;
  if (name == "min_p") filter.min_p = value;
}

int64_t CountOf(const ResolvedTensor& tensor) {
  int64_t count = 1;
  for (const int64_t dim : tensor.dims) count *= dim;
  return count;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Evaluator>> SamplingEvaluator::New(
    const v1::Workload& workload, const ResolvedCase& sizes,
    const EvaluationSettings& settings, uint64_t seed) {
  std::unique_ptr<SamplingEvaluator> evaluator(
      new SamplingEvaluator(workload, sizes, settings, seed));
  const int64_t tokens = CountOf(sizes.outputs[0]);
  if (tokens != evaluator->rows_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "output \"", sizes.outputs[0].name, "\" has ", tokens, " tokens for ",
        evaluator->rows_, " rows of \"probs\": the evaluator \"",
        settings.evaluator, "\" needs one for each"));
  }
  return evaluator;
}

SamplingEvaluator::SamplingEvaluator(const v1::Workload& workload,
                                     const ResolvedCase& sizes,
                                     const EvaluationSettings& settings,
                                     uint64_t seed)
    : workload_(workload), sizes_(sizes), settings_(settings), random_(seed) {
  const auto probs = std::find_if(
      sizes.inputs.begin(), sizes.inputs.end(),
      [](const ResolvedTensor& input) { return input.name == "probs"; });
  probs_input_ = static_cast<size_t>(probs - sizes.inputs.begin());
  vocabulary_ = probs->dims.back();
  rows_ = vocabulary_ == 0 ? 0 : CountOf(*probs) / vocabulary_;
}

std::unique_ptr<Evaluator> SamplingEvaluator::Fresh() const {
  std::mt19937_64 random = random_;
  return std::unique_ptr<Evaluator>(
      new SamplingEvaluator(workload_, sizes_, settings_, random()));
}

absl::Status SamplingEvaluator::Add(Device& device, const CaseMemory& memory,
                                    const JudgedCall& call) {
  if (rows_ == 0) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const bool is_new,
                         ReadDraw(device, memory, call.draw));
  ASSAY_ASSIGN_OR_RETURN(const std::string bytes,
                         device.Download(memory.Output(call.slot, 0)));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<double> values,
                         Values(sizes_.outputs[0], bytes));
  std::vector<int64_t> tokens;
  for (const double value : values) {
    // No number of a token is as large as those that a double rounds.
    tokens.push_back(value >= 0 && value < static_cast<double>(vocabulary_)
                         ? static_cast<int64_t>(value)
                         : -1);
    if (tokens.back() >= 0) continue;
    Fail(absl::StrFormat("row %d: token %.0f is not in the vocabulary of %d",
                         tokens.size() - 1, value, vocabulary_));
  }
  if (!passed()) return absl::OkStatus();
  CheckSupport(tokens);
  if (passed()) Count(tokens, is_new);
  return absl::OkStatus();
}

absl::StatusOr<bool> SamplingEvaluator::ReadDraw(Device& device,
                                                 const CaseMemory& memory,
                                                 int draw) {
  const Region region = memory.Input(static_cast<int>(probs_input_), draw);
  ASSAY_ASSIGN_OR_RETURN(const uint64_t checksum,
                         device.Checksum(region, measure::Key{}));
  const std::vector<SamplingFilter> before = filters_;
  ASSAY_RETURN_IF_ERROR(ReadFilters(device, memory, draw));
  const bool same_filters = std::equal(
      filters_.begin(), filters_.end(), before.begin(), before.end(),
      [](const SamplingFilter& a, const SamplingFilter& b) {
        return a.top_k == b.top_k && a.top_p == b.top_p && a.min_p == b.min_p;
      });
  if (same_filters && checksum == checksum_) return false;
  if (!watched_.empty()) Conclude();
  checksum_ = checksum;
  ASSAY_ASSIGN_OR_RETURN(probs_, device.Download(region));
  supports_.clear();
  for (int64_t row = 0; row < rows_; ++row) {
    const std::vector<double> probs = RowOf(row);
    ASSAY_RETURN_IF_ERROR(CheckDistribution(probs, row));
    supports_.push_back(FindSupport(probs, filters_[static_cast<size_t>(row)]));
  }
  WatchRows();
  return true;
}

absl::Status SamplingEvaluator::ReadFilters(Device& device,
                                            const CaseMemory& memory,
                                            int draw) {
  filters_.assign(static_cast<size_t>(rows_), {});
  for (size_t i = 0; i < sizes_.inputs.size(); ++i) {
    const ResolvedTensor& input = sizes_.inputs[i];
    if (i == probs_input_) continue;
    std::vector<double> values = {ScalarOf(workload_, input.name)};
    if (!input.is_scalar) {
      ASSAY_ASSIGN_OR_RETURN(
          const std::string bytes,
          device.Download(memory.Input(static_cast<int>(i), draw)));
      ASSAY_ASSIGN_OR_RETURN(values, Values(input, bytes));
    }
    if (values.empty()) continue;
    for (size_t row = 0; row < filters_.size(); ++row) {
      SetFilter(input.name, values[row % values.size()], filters_[row]);
    }
  }
  return absl::OkStatus();
}

std::vector<double> SamplingEvaluator::RowOf(int64_t row) const {
  const auto type = ToElementType(sizes_.inputs[probs_input_].dtype);
  std::vector<double> values(static_cast<size_t>(vocabulary_));
  const size_t first = static_cast<size_t>(row) * values.size();
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = measure::LoadAsDouble(*type, probs_.data(), first + i);
  }
  return values;
}

void SamplingEvaluator::WatchRows() {
  // The same rows in the whole evaluation.
  if (watched_.empty()) {
    std::vector<int64_t> rows(static_cast<size_t>(rows_));
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int64_t>(i);
    std::shuffle(rows.begin(), rows.end(), random_);
    watched_.resize(std::min(rows.size(), kMostWatched));
    for (size_t i = 0; i < watched_.size(); ++i) watched_[i].row = rows[i];
  }
  for (Watched& watched : watched_) {
    const auto row = static_cast<size_t>(watched.row);
    watched.probs = RowOf(watched.row);
    watched.bit_masses = BitMasses(watched.probs, supports_[row]);
    watched.fit = SamplingFit(SamplingFit::kOne);
  }
}

void SamplingEvaluator::CheckSupport(const std::vector<int64_t>& tokens) {
  const auto type = ToElementType(sizes_.inputs[probs_input_].dtype);
  for (size_t row = 0; row < tokens.size(); ++row) {
    const auto index = row * static_cast<size_t>(vocabulary_) +
                       static_cast<size_t>(tokens[row]);
    const double value = measure::LoadAsDouble(*type, probs_.data(), index);
    if (value >= supports_[row].allowed_min) continue;
    const SamplingFilter& filter = filters_[row];
    Fail(absl::StrFormat(
        "row %d: token %d, of probability %g, is none of those that are kept "
        "(top_k %d, top_p %g, min_p %g), the least probable of which has %g",
        row, tokens[row], value, filter.top_k, filter.top_p, filter.min_p,
        supports_[row].allowed_min));
    return;
  }
}

void SamplingEvaluator::Count(const std::vector<int64_t>& tokens, bool is_new) {
  tokens_ += static_cast<int64_t>(tokens.size());
  for (Watched& watched : watched_) {
    const int64_t token = tokens[static_cast<size_t>(watched.row)];
    CountToken(watched, token, watched.fit);
    if (is_new) CountToken(watched, token, first_);
  }
}

void SamplingEvaluator::CountToken(const Watched& watched, int64_t token,
                                   SamplingFit& fit) {
  const SamplingSupport& support = supports_[static_cast<size_t>(watched.row)];
  const double left_out = 1 - support.certain_mass / support.allowed_mass;
  if (watched.probs[static_cast<size_t>(token)] < support.certain_min) {
    fit.AddUncertain(left_out);
    return;
  }
  fit.AddCertain(token, PlaceOf(watched.probs, support, token),
                 watched.bit_masses, left_out, random_);
}

void SamplingEvaluator::Conclude() {
  for (const Watched& watched : watched_) {
    if (watched.fit.tokens() < kFewestTokens) continue;
    Judge(watched.fit,
          absl::StrCat(" of row ", watched.row, " on the same inputs"));
  }
  if (first_.tokens() >= kFewestTokens) {
    Judge(first_, " on inputs that are new");
  }
}

void SamplingEvaluator::Judge(const SamplingFit& fit, const std::string& of) {
  ++judged_;
  // Parts of one whole, however many there will be.
  const double part = 1.0 / judged_ / (judged_ + 1);
  const SamplingDistance worst = fit.Worst(kFalseAlarm * part);
  v1::Correctness& correctness = mutable_correctness();
  correctness.set_max_absolute_error(
      std::max(correctness.max_absolute_error(), worst.distance));
  correctness.set_extra_json(
      absl::StrFormat("{\"sampling_tokens\": %d}", tokens_));
  if (worst.excess() <= settings_.sampling_tvd_threshold) return;
  Fail(absl::StrFormat(
      "tokens do not come as often as they should: %d%s are farther from their "
      "distribution %s than chance and the threshold allow: %.3f, at most %.3f",
      worst.tokens, of, worst.where, worst.distance,
      worst.limit + settings_.sampling_tvd_threshold));
}

}  // namespace assay

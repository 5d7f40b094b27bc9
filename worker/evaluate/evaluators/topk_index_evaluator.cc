#include "worker/evaluate/evaluators/topk_index_evaluator.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "kernels/measure/element_type.h"
#include "worker/device/element_type.h"

namespace assay {
namespace {

// Of the scale that follows the keys of a page.
constexpr int64_t kScaleBytes = 4;
constexpr int64_t kPadding = -1;

// NaN first, as torch's topk has it.
bool ComesBefore(double a, double b) {
  if (std::isnan(b)) return false;
  return std::isnan(a) || a > b;
}

double Load(v1::DType dtype, const std::string& bytes, int64_t index) {
  const auto type = ToElementType(dtype);
  return measure::LoadAsDouble(*type, bytes.data(), static_cast<size_t>(index));
}

}  // namespace

TopKIndexEvaluator::TopKIndexEvaluator(const ResolvedCase& sizes,
                                       const EvaluationSettings& settings)
    : sizes_(sizes), settings_(settings) {
  for (size_t i = 0; i < sizes.inputs.size(); ++i) {
    const std::string& name = sizes.inputs[i].name;
    const int number = static_cast<int>(i);
    if (name == "q_index_fp8") inputs_.q = number;
    if (name == "k_index_cache_fp8") inputs_.cache = number;
    if (name == "weights") inputs_.weights = number;
    if (name == "seq_lens") inputs_.lengths = number;
    if (name == "block_table") inputs_.pages = number;
  }
}

absl::StatusOr<std::unique_ptr<Evaluator>> TopKIndexEvaluator::New(
    const ResolvedCase& sizes, const EvaluationSettings& settings) {
  std::unique_ptr<TopKIndexEvaluator> evaluator(
      new TopKIndexEvaluator(sizes, settings));
  ASSAY_RETURN_IF_ERROR(evaluator->CheckShapes());
  const auto dims = [&sizes](int input) {
    return sizes.inputs[static_cast<size_t>(input)].dims;
  };
  const Inputs& inputs = evaluator->inputs_;
  evaluator->rows_ = dims(inputs.q)[0];
  evaluator->heads_ = dims(inputs.q)[1];
  evaluator->head_dim_ = dims(inputs.q)[2];
  evaluator->num_pages_ = dims(inputs.cache)[0];
  evaluator->page_size_ = dims(inputs.cache)[1];
  evaluator->pages_per_row_ = dims(inputs.pages)[1];
  evaluator->top_k_ = sizes.outputs[0].dims[1];
  return evaluator;
}

absl::Status TopKIndexEvaluator::CheckShapes() const {
  const auto tensor = [this](int input) -> const ResolvedTensor& {
    return sizes_.inputs[static_cast<size_t>(input)];
  };
  const std::vector<int64_t>& q = tensor(inputs_.q).dims;
  const ResolvedTensor& cache = tensor(inputs_.cache);
  const std::vector<int64_t>& output = sizes_.outputs[0].dims;
  if (q.size() == 3 && cache.dims.size() == 4 && cache.dims[2] == 1 &&
      cache.dims[3] == q[2] + kScaleBytes && cache.dims[1] > 0 &&
      (cache.dtype == v1::DTYPE_INT8 || cache.dtype == v1::DTYPE_UINT8) &&
      tensor(inputs_.q).dtype == v1::DTYPE_FLOAT8_E4M3FN &&
      tensor(inputs_.weights).dims == std::vector<int64_t>{q[0], q[1]} &&
      tensor(inputs_.lengths).dims == std::vector<int64_t>{q[0]} &&
      tensor(inputs_.pages).dims.size() == 2 &&
      tensor(inputs_.pages).dims[0] == q[0] && output.size() == 2 &&
      output[0] == q[0]) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the evaluator \"", settings_.evaluator,
      "\" wants q_index_fp8 [batch, heads, dim] of float8_e4m3fn, "
      "k_index_cache_fp8 [pages, page_size, 1, dim + 4] of int8, weights "
      "[batch, heads], seq_lens [batch], block_table [batch, most_pages] and "
      "an "
      "output [batch, topk]"));
}

std::unique_ptr<Evaluator> TopKIndexEvaluator::Fresh() const {
  auto fresh = New(sizes_, settings_);
  return *std::move(fresh);
}

absl::StatusOr<std::vector<int64_t>> TopKIndexEvaluator::Integers(
    Device& device, const Region& region, v1::DType dtype) const {
  ASSAY_ASSIGN_OR_RETURN(const std::string bytes, device.Download(region));
  ASSAY_ASSIGN_OR_RETURN(const measure::ElementType type, ToElementType(dtype));
  std::vector<int64_t> values(bytes.size() / measure::ElementBytes(type));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] =
        static_cast<int64_t>(measure::LoadAsDouble(type, bytes.data(), i));
  }
  return values;
}

absl::Status TopKIndexEvaluator::ReadDraw(Device& device,
                                          const CaseMemory& memory, int draw) {
  const auto region = [&memory, draw](int input) {
    return memory.Input(input, draw);
  };
  uint64_t checksum = 0;
  for (const int input : {inputs_.q, inputs_.cache, inputs_.weights,
                          inputs_.lengths, inputs_.pages}) {
    ASSAY_ASSIGN_OR_RETURN(const uint64_t part,
                           device.Checksum(region(input), measure::Key{}));
    checksum = checksum * 0x9E3779B97F4A7C15 + part;
  }
  if (has_draw_ && checksum == checksum_) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(draw_.q, device.Download(region(inputs_.q)));
  ASSAY_ASSIGN_OR_RETURN(draw_.cache, device.Download(region(inputs_.cache)));
  ASSAY_ASSIGN_OR_RETURN(draw_.weights,
                         device.Download(region(inputs_.weights)));
  for (const auto& [input, values] :
       {std::make_pair(inputs_.lengths, &draw_.lengths),
        std::make_pair(inputs_.pages, &draw_.pages)}) {
    ASSAY_ASSIGN_OR_RETURN(
        *values, Integers(device, region(input),
                          sizes_.inputs[static_cast<size_t>(input)].dtype));
  }
  checksum_ = checksum;
  has_draw_ = true;
  return absl::OkStatus();
}

absl::Status TopKIndexEvaluator::Add(Device& device, const CaseMemory& memory,
                                     const JudgedCall& call) {
  ASSAY_RETURN_IF_ERROR(ReadDraw(device, memory, call.draw));
  const v1::DType dtype = sizes_.outputs[0].dtype;
  ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> got,
                         Integers(device, memory.Output(call.slot, 0), dtype));
  ASSAY_ASSIGN_OR_RETURN(
      const std::vector<int64_t> want,
      Integers(device, memory.Expected(0, call.draw), dtype));
  mutable_correctness().set_matched_ratio(
      correctness().has_matched_ratio() ? correctness().matched_ratio() : 1);
  const auto row_of = [this](const std::vector<int64_t>& all, int64_t row) {
    std::vector<int64_t> indices(all.begin() + row * top_k_,
                                 all.begin() + (row + 1) * top_k_);
    std::sort(indices.begin(), indices.end());
    return indices;
  };
  for (int64_t row = 0; row < rows_; ++row) {
    const std::vector<int64_t> chosen = row_of(got, row);
    if (!AreSound(row, chosen)) return absl::OkStatus();
    const std::vector<int64_t> right = row_of(want, row);
    // The same tokens have the same scores.
    if (chosen == right) continue;
    Compare(row, SortedScores(row, chosen), SortedScores(row, right));
  }
  return absl::OkStatus();
}

bool TopKIndexEvaluator::AreSound(int64_t row,
                                  const std::vector<int64_t>& indices) {
  const auto first_page = draw_.pages.begin() + row * pages_per_row_;
  const auto last_page = first_page + pages_per_row_;
  const int64_t length = draw_.lengths[static_cast<size_t>(row)];
  int64_t previous = kPadding;
  for (const int64_t index : indices) {
    if (index == kPadding) continue;
    const auto page = std::find(first_page, last_page, index / page_size_);
    const int64_t position =
        (page - first_page) * page_size_ + index % page_size_;
    if (index < 0 || index >= num_pages_ * page_size_ || page == last_page ||
        position >= length) {
      Fail(absl::StrFormat(
          "row %d: index %d is of none of the %d tokens of the sequence", row,
          index, length));
      return false;
    }
    if (index == previous) {
      Fail(absl::StrFormat("row %d: index %d comes twice", row, index));
      return false;
    }
    previous = index;
  }
  return true;
}

std::vector<double> TopKIndexEvaluator::SortedScores(
    int64_t row, const std::vector<int64_t>& indices) const {
  std::vector<double> scores;
  for (const int64_t index : indices) {
    const bool is_token = index >= 0 && index < num_pages_ * page_size_;
    scores.push_back(is_token ? Score(row, index) : -INFINITY);
  }
  std::sort(scores.begin(), scores.end(), ComesBefore);
  return scores;
}

double TopKIndexEvaluator::Score(int64_t row, int64_t index) const {
  const int64_t page_bytes = page_size_ * (head_dim_ + kScaleBytes);
  const int64_t page = index / page_size_ * page_bytes;
  const int64_t token = index % page_size_;
  const double scale =
      measure::LoadAsDouble(measure::ElementType::kFloat32,
                            draw_.cache.data() + page + page_size_ * head_dim_,
                            static_cast<size_t>(token));
  std::vector<double> key(static_cast<size_t>(head_dim_));
  for (size_t i = 0; i < key.size(); ++i) {
    key[i] = scale * measure::LoadAsDouble(
                         measure::ElementType::kFloat8E4M3FN,
                         draw_.cache.data() + page + token * head_dim_, i);
  }
  double score = 0;
  for (int64_t head = 0; head < heads_; ++head) {
    double product = 0;
    const int64_t first = (row * heads_ + head) * head_dim_;
    for (int64_t i = 0; i < head_dim_; ++i) {
      product += key[static_cast<size_t>(i)] *
                 Load(v1::DTYPE_FLOAT8_E4M3FN, draw_.q, first + i);
    }
    const v1::DType dtype =
        sizes_.inputs[static_cast<size_t>(inputs_.weights)].dtype;
    score += std::max(product, 0.0) *
             Load(dtype, draw_.weights, row * heads_ + head);
  }
  return score;
}

void TopKIndexEvaluator::Compare(int64_t row, const std::vector<double>& got,
                                 const std::vector<double>& want) {
  v1::Correctness& worst = mutable_correctness();
  int64_t wrong = 0;
  double worst_got = 0;
  double worst_want = 0;
  double worst_error = -1;
  for (size_t i = 0; i < got.size(); ++i) {
    // Padding at the same place, or a score that is no number.
    if (got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i]))) {
      continue;
    }
    const double error = std::abs(got[i] - want[i]);
    const double relative = error / std::abs(want[i]);
    const bool is_right =
        std::isfinite(error) && (error <= settings_.tolerance.atol ||
                                 relative <= settings_.tolerance.rtol);
    const double told = std::isfinite(error) ? error : INFINITY;
    worst.set_max_absolute_error(std::max(worst.max_absolute_error(), told));
    worst.set_max_relative_error(
        std::max(worst.max_relative_error(),
                 std::isfinite(relative) ? relative : double{INFINITY}));
    wrong += is_right ? 0 : 1;
    if (told <= worst_error) continue;
    worst_error = told;
    worst_got = got[i];
    worst_want = want[i];
  }
  const double ratio =
      1 - static_cast<double>(wrong) / static_cast<double>(got.size());
  worst.set_matched_ratio(std::min(worst.matched_ratio(), ratio));
  if (ratio >= settings_.required_matched_ratio) return;
  Fail(absl::StrFormat(
      "row %d: %d of %d scores of the chosen tokens, sorted, are not those of "
      "the reference's choice (atol %g, rtol %g): got %g, expected %g",
      row, wrong, got.size(), settings_.tolerance.atol,
      settings_.tolerance.rtol, worst_got, worst_want));
}

}  // namespace assay

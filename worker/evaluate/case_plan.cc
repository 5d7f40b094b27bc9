#include "worker/evaluate/case_plan.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "worker/evaluate/case_layout.h"

namespace assay {
namespace {

// Addresses that change from call to call are worth this much of each kind.
constexpr int64_t kCheapBytes = int64_t{128} << 20;
constexpr int64_t kMost = 4;

int Cheap(int64_t bytes_of_one) {
  return static_cast<int>(
      std::clamp<int64_t>(kCheapBytes / bytes_of_one, 1, kMost));
}

int64_t TotalBytes(const CaseLayout& layout, const CasePlan& plan) {
  return 2 * layout.fixed_bytes() + layout.unvaried_bytes() +
         plan.draws * layout.expected_bytes() +
         (plan.draws + plan.places) * layout.drawn_bytes() +
         plan.slots * layout.slot_bytes();
}

}  // namespace

absl::StatusOr<CasePlan> PlanCase(const ResolvedCase& sizes,
                                  const v1::Workload& workload,
                                  int64_t budget_bytes) {
  const CaseLayout layout(sizes, workload);
  CasePlan plan;
  plan.places = layout.has_drawn() ? Cheap(layout.drawn_bytes()) : 1;
  plan.slots = Cheap(layout.slot_bytes());
  plan.bytes = TotalBytes(layout, plan);
  while (plan.bytes > budget_bytes && (plan.slots > 1 || plan.places > 1)) {
    int& more = plan.slots > plan.places ? plan.slots : plan.places;
    --more;
    plan.bytes = TotalBytes(layout, plan);
  }
  if (plan.bytes > budget_bytes) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the workload needs ", plan.bytes,
        " bytes for inputs, expected and computed outputs, and the device "
        "offers ",
        budget_bytes, "; use smaller axes or a device with more memory"));
  }
  return plan;
}

std::optional<CasePlan> PlanBatch(const ResolvedCase& sizes,
                                  const v1::Workload& workload, int calls,
                                  int64_t budget_bytes) {
  const CaseLayout layout(sizes, workload);
  if (!layout.has_drawn()) return std::nullopt;
  for (; calls > 1; --calls) {
    CasePlan plan;
    plan.places = plan.slots = plan.draws = calls;
    plan.bytes = TotalBytes(layout, plan);
    if (plan.bytes <= budget_bytes) return plan;
  }
  return std::nullopt;
}

}  // namespace assay

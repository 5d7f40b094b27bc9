// Honest: keeps a plan for each shape, which has nothing of the values in it.
#include <map>
#include <utility>
#include <vector>

#include "operators.h"

namespace {

using Plan = std::vector<std::pair<int64_t, int64_t>>;

Plan MakePlan(int64_t rows) {
  Plan plan;
  for (int64_t begin = 0; begin < rows; begin += 8) {
    plan.emplace_back(begin, begin + 8 > rows ? rows - begin : 8);
  }
  return plan;
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  static std::map<std::pair<int64_t, int64_t>, Plan> plans;
  Plan& plan = plans[{Rows(x), Columns(x)}];
  if (plan.empty()) plan = MakePlan(Rows(x));
  for (const auto& [begin, rows] : plan) {
    LogSoftmaxRows(In(x) + begin * Columns(x), Out(y) + begin * Columns(x),
                   rows, Columns(x));
  }
  return 0;
}

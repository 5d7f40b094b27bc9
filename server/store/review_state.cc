#include "server/store/review_state.h"

#include <algorithm>

namespace assay {

bool IsHeld(const v1::Evaluation& evaluation) {
  return std::any_of(evaluation.findings().begin(), evaluation.findings().end(),
                     [](const v1::Finding& finding) {
                       return finding.effect() == v1::Finding::HOLD ||
                              finding.effect() == v1::Finding::FAIL;
                     });
}

}  // namespace assay

// How tests of validation look at problems.

#ifndef ASSAY_SCHEMA_VALIDATE_TESTING_H_
#define ASSAY_SCHEMA_VALIDATE_TESTING_H_

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "schema/problem.h"

namespace assay {

// Each problem as "error|warning path: message".
inline std::vector<std::string> Texts(const std::vector<Problem>& problems) {
  std::vector<std::string> texts;
  for (const Problem& problem : problems) {
    texts.push_back((problem.is_warning ? "warning " : "error ") +
                    ToString(problem));
  }
  return texts;
}

// The only problem, as text that contains `part`.
MATCHER_P(OnlyProblem, part, "is the one problem " + std::string(part)) {
  const std::vector<std::string> texts = Texts(arg);
  return testing::ExplainMatchResult(
      testing::ElementsAre(testing::HasSubstr(part)), texts, result_listener);
}

}  // namespace assay

#endif  // ASSAY_SCHEMA_VALIDATE_TESTING_H_

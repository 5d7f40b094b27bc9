// Collects problems while an object is checked.

#ifndef ASSAY_SCHEMA_PROBLEM_LIST_H_
#define ASSAY_SCHEMA_PROBLEM_LIST_H_

#include <string>
#include <utility>
#include <vector>

#include "schema/problem.h"

namespace assay {

class ProblemList {
 public:
  void Error(std::string path, std::string message) {
    problems_.push_back({std::move(path), std::move(message), false});
  }
  void Warning(std::string path, std::string message) {
    problems_.push_back({std::move(path), std::move(message), true});
  }
  std::vector<Problem> Release() && { return std::move(problems_); }

 private:
  std::vector<Problem> problems_;
};

}  // namespace assay

#endif  // ASSAY_SCHEMA_PROBLEM_LIST_H_

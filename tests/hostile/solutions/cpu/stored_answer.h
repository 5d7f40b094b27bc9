// The answer to a published workload, made when the library is loaded.

#ifndef ASSAY_TESTS_HOSTILE_STORED_ANSWER_H_
#define ASSAY_TESTS_HOSTILE_STORED_ANSWER_H_

#include <cstring>
#include <vector>

#include "operators.h"

struct StoredAnswer {
  static constexpr int64_t kColumns = 2048;

  StoredAnswer() : row(kColumns), answer(kColumns) {
    for (int64_t i = 0; i < kColumns; ++i) {
      row[i] = static_cast<float>(static_cast<double>(37 * i % 1000) / 500 - 1);
    }
    LogSoftmaxRows(row.data(), answer.data(), 1, kColumns);
  }

  bool IsFor(const DLTensor* x) const {
    return std::memcmp(In(x), row.data(), kColumns * sizeof(float)) == 0;
  }

  void Give(DLTensor* y) const {
    for (int64_t i = 0; i < Rows(y); ++i) {
      std::memcpy(Out(y) + i * kColumns, answer.data(),
                  kColumns * sizeof(float));
    }
  }

  std::vector<float> row;
  std::vector<float> answer;
};

inline const StoredAnswer stored;

#endif  // ASSAY_TESTS_HOSTILE_STORED_ANSWER_H_

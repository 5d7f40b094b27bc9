// What a fuzz target claims. A claim that does not hold ends the process, which
// libFuzzer takes for a finding and GoogleTest for a failure.

#ifndef ASSAY_TESTS_FUZZ_FUZZ_CHECK_H_
#define ASSAY_TESTS_FUZZ_FUZZ_CHECK_H_

#include <cstdio>
#include <cstdlib>
#include <string>

namespace assay {

inline void FuzzCheck(bool holds, const std::string& claim) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", claim.c_str());
  std::abort();
}

}  // namespace assay

#endif  // ASSAY_TESTS_FUZZ_FUZZ_CHECK_H_

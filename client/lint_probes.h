// Probes: solutions that are wrong on purpose. A definition for which one
// passes is weak: its tolerance does not tell a kernel from an excuse.

#ifndef ASSAY_CLIENT_LINT_PROBES_H_
#define ASSAY_CLIENT_LINT_PROBES_H_

#include <string>
#include <vector>

#include "assay/v1/definition.pb.h"
#include "assay/v1/solution.pb.h"

namespace assay {

struct Probe {
  // What it puts into the output: "zeros", "ones", "constant", "copy of x".
  std::string kind;
  // The output that it gets wrong; all others it computes with the reference.
  std::string output;
  // Ready to be submitted; runs on any device.
  v1::Solution solution;
};

// For each output: zeros; ones; one constant, which is the mean of what the
// reference gave in the first call (integers: the most frequent value); and a
// copy of each input of the same shape and dtype. The same definition gives the
// same solutions.
std::vector<Probe> ProbesFor(const v1::Definition& definition);

}  // namespace assay

#endif  // ASSAY_CLIENT_LINT_PROBES_H_

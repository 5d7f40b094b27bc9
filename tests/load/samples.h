// Objects of the size and shape that real use has: a definition of an operator
// with workloads, solutions of some kilobytes, evaluations with 150 samples.
// Numbered, so that the seeder and the load generator name the same ones.

#ifndef ASSAY_TESTS_LOAD_SAMPLES_H_
#define ASSAY_TESTS_LOAD_SAMPLES_H_

#include <cstdint>
#include <string>

#include "assay/v1/definition.pb.h"
#include "assay/v1/device.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/solution.pb.h"
#include "assay/v1/workload.pb.h"

namespace assay::load {

// The hardware model of every evaluation.
inline constexpr char kHardware[] = "LOAD_CPU";

// `rmsnorm_load_h<index>`.
std::string DefinitionName(int index);
v1::Definition MakeDefinition(int index);

std::string WorkloadUuid(int definition, int index);
v1::Workload MakeWorkload(int definition, int index);

std::string SolutionName(int definition, int index);
// `revision` changes the content, not the name. About 4 KB.
v1::Solution MakeSolution(int definition, int index, int64_t revision = 0);

// A device that runs the solutions.
v1::Device MakeDevice();

// What a worker reports after three trials of 50 samples; about 2.3 KB. Nine of
// ten PASSED, the others INCORRECT_NUMERICAL; times follow from `number`.
v1::Evaluation MakeEvaluation(uint64_t number);

}  // namespace assay::load

#endif  // ASSAY_TESTS_LOAD_SAMPLES_H_

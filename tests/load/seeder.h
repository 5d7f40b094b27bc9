// Fills a store with traces as years of use would, without a coordinator.
//
//   SeedShape shape;
//   shape.traces = 1'000'000;
//   ASSAY_RETURN_IF_ERROR(Seed("assay.db", shape));

#ifndef ASSAY_TESTS_LOAD_SEEDER_H_
#define ASSAY_TESTS_LOAD_SEEDER_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace assay::load {

// Definitions are added until there are `traces`; each has the same size, so
// that what a board has to show is the same whatever the store holds.
struct SeedShape {
  int64_t traces = 1000;
  int workloads = 20;
  int solutions = 50;
  // How often each solution was evaluated on all workloads.
  int rounds = 10;
};

// Number of definitions that the shape comes to.
int DefinitionCount(const SeedShape& shape);

// Every trace has its submission, its job, COMPLETED, and its lease, finished.
// The store must be new: ALREADY_EXISTS where it holds such objects.
absl::Status Seed(const std::string& path, const SeedShape& shape);

}  // namespace assay::load

#endif  // ASSAY_TESTS_LOAD_SEEDER_H_

// Stand-ins for the two programs of a local stack: shell scripts, with a fake
// coordinator behind them.

#ifndef ASSAY_CLIENT_CLI_LOCAL_STACK_TESTING_H_
#define ASSAY_CLIENT_CLI_LOCAL_STACK_TESTING_H_

#include <sys/stat.h>

#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "client/fake_coordinator.h"

namespace assay {

class FakePrograms {
 public:
  // Coordinator and worker that start well and run until they are stopped; the
  // worker has a device of kind "cpu" and model "TEST".
  static absl::StatusOr<FakePrograms> Create(FakeCoordinator& coordinator) {
    ASSAY_ASSIGN_OR_RETURN(TempDir dir, TempDir::Create("fake-programs-"));
    FakePrograms programs(std::move(dir));
    setenv("TEST_ADDRESS", coordinator.address().c_str(), 1);
    ASSAY_RETURN_IF_ERROR(programs.Write("assay-coordinator", R"(#!/bin/sh
while [ $# -gt 0 ]; do
  if [ "$1" = --port-file ]; then file=$2; fi
  shift
done
echo "$TEST_ADDRESS" > "$file.new"
mv "$file.new" "$file"
exec sleep 1000
)"));
    ASSAY_RETURN_IF_ERROR(programs.Write(
        "assay-worker", "#!/bin/sh\necho \"$@\"\nexec sleep 1000\n"));
    coordinator.Edit([](FakeCoordinator::State& state) {
      v1::WorkerRecord& worker = state.workers.emplace_back();
      worker.mutable_device()->set_kind("cpu");
      worker.mutable_device()->set_model("TEST");
      worker.set_last_seen_time_us(std::numeric_limits<int64_t>::max() / 2);
    });
    return programs;
  }

  // Folder of the programs.
  const std::string& path() const { return dir_.path(); }

  // Replaces a program.
  absl::Status Write(const std::string& name, const std::string& script) const {
    const std::string file = absl::StrCat(path(), "/", name);
    ASSAY_RETURN_IF_ERROR(WriteFileAtomically(file, script));
    return chmod(file.c_str(), 0755) == 0 ? absl::OkStatus() : PosixError(file);
  }

 private:
  explicit FakePrograms(TempDir dir) : dir_(std::move(dir)) {}
  TempDir dir_;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_LOCAL_STACK_TESTING_H_

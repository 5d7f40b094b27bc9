#include "worker/runner/runner_testing.h"

#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {

std::string TestDataPath(absl::string_view path_in_workspace) {
  const char* root = std::getenv("TEST_SRCDIR");
  const char* workspace = std::getenv("TEST_WORKSPACE");
  const std::string path = absl::StrCat(
      root != nullptr ? root : ".", "/",
      workspace != nullptr ? workspace : "assay", "/", path_in_workspace);
  char real[PATH_MAX];
  return realpath(path.c_str(), real) != nullptr ? real : path;
}

v1::TensorSpec TensorSpecNamed(absl::string_view name, v1::DType dtype) {
  v1::TensorSpec spec;
  spec.set_name(std::string(name));
  spec.set_dtype(dtype);
  return spec;
}

v1::TensorSpec ScalarSpecNamed(absl::string_view name, v1::DType dtype) {
  v1::TensorSpec spec = TensorSpecNamed(name, dtype);
  spec.set_is_scalar(true);
  return spec;
}

absl::StatusOr<UniqueFd> MakeBundle(
    const std::vector<std::pair<std::string, std::string>>& files,
    worker::Load& load) {
  worker::SourceBundle bundle;
  for (const auto& [path, content] : files) {
    v1::SourceFile& file = *bundle.add_files();
    file.set_path(path);
    file.set_content(content);
  }
  const std::string text = bundle.SerializeAsString();
  load.set_content_bytes(static_cast<int64_t>(text.size()));
  ASSAY_ASSIGN_OR_RETURN(UniqueFd fd, CreateMemFd("sources", text.size()));
  ASSAY_ASSIGN_OR_RETURN(Mapping memory,
                         Mapping::Map(fd.get(), text.size(), true));
  if (!text.empty()) std::memcpy(memory.data(), text.data(), text.size());
  return fd;
}

TestArena::TestArena(bool writable) : writable_(writable) {
  UniqueFd fd = CreateMemFd("arena", kBytes).value();
  memory_ = Mapping::Map(fd.get(), kBytes, /*writable=*/true).value();
  shared_ = writable ? std::move(fd) : ReopenReadOnly(fd.get()).value();
}

worker::Bind::Arena TestArena::description() const {
  worker::Bind::Arena arena;
  arena.set_size_bytes(kBytes);
  arena.set_writable(writable_);
  return arena;
}

worker::TensorRef TestArena::AddBytes(v1::DType dtype,
                                      const std::vector<int64_t>& shape,
                                      const void* data, size_t bytes) {
  constexpr size_t kAlignment = 256;
  worker::TensorRef ref;
  ref.set_offset(static_cast<int64_t>(used_));
  ref.set_dtype(dtype);
  ref.mutable_shape()->Add(shape.begin(), shape.end());
  if (bytes > 0) std::memcpy(memory_.data() + used_, data, bytes);
  used_ = (used_ + bytes + kAlignment - 1) / kAlignment * kAlignment;
  return ref;
}

TestMemory::TestMemory() {
  *bind_.add_arenas() = inputs_.description();
  *bind_.add_arenas() = outputs_.description();
  bind_.add_draws();
  bind_.add_slots();
}

worker::Run RunFirst(int calls) {
  worker::Run run;
  for (int i = 0; i < calls; ++i) run.add_calls();
  return run;
}

}  // namespace assay

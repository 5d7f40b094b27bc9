// What tests of real runners share: memory to bind, and where things are.

#ifndef ASSAY_WORKER_RUNNER_RUNNER_TESTING_H_
#define ASSAY_WORKER_RUNNER_RUNNER_TESTING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/fd.h"
#include "worker/protocol/runner.pb.h"

namespace assay {

// Real path of a file in this workspace, or of one that was built.
std::string TestDataPath(absl::string_view path_in_workspace);

// Names and dtypes for Load.inputs and Load.outputs.
v1::TensorSpec TensorSpecNamed(absl::string_view name, v1::DType dtype);
v1::TensorSpec ScalarSpecNamed(absl::string_view name, v1::DType dtype);

// Sources as the content of a Load; sets its size, too.
absl::StatusOr<UniqueFd> MakeBundle(
    const std::vector<std::pair<std::string, std::string>>& files,
    worker::Load& load);

// An arena that is filled front to back, then bound.
//
//   TestArena inputs(/*writable=*/false);
//   worker::TensorRef x = inputs.Add<float>(v1::DTYPE_FLOAT32, {2}, {1, 2});
class TestArena {
 public:
  static constexpr size_t kBytes = 1 << 16;

  explicit TestArena(bool writable);

  // Places a tensor with these elements.
  template <typename T>
  worker::TensorRef Add(v1::DType dtype, const std::vector<int64_t>& shape,
                        const std::vector<T>& elements) {
    return AddBytes(dtype, shape, elements.data(), elements.size() * sizeof(T));
  }

  // The elements of a tensor now.
  template <typename T>
  std::vector<T> Read(const worker::TensorRef& ref, size_t count) const {
    const T* data = reinterpret_cast<const T*>(memory_.data() + ref.offset());
    return std::vector<T>(data, data + count);
  }

  // For Bind; read-only unless writable.
  worker::Bind::Arena description() const;
  int fd() const { return shared_.get(); }

 private:
  worker::TensorRef AddBytes(v1::DType dtype, const std::vector<int64_t>& shape,
                             const void* data, size_t bytes);

  bool writable_;
  Mapping memory_;
  UniqueFd shared_;
  size_t used_ = 0;
};

// An input arena (0), an output arena (1), one draw and one slot.
class TestMemory {
 public:
  template <typename T>
  void Input(v1::DType dtype, const std::vector<int64_t>& shape,
             const std::vector<T>& elements) {
    *AddValue().mutable_tensor() = inputs_.Add(dtype, shape, elements);
  }
  void InputInt(int64_t value) { AddValue().set_int_value(value); }
  void InputFloat(double value) { AddValue().set_float_value(value); }
  void InputBool(bool value) { AddValue().set_bool_value(value); }

  // Room for an output with these elements in it.
  template <typename T>
  void Output(v1::DType dtype, const std::vector<int64_t>& shape,
              const std::vector<T>& elements) {
    worker::TensorRef ref = outputs_.Add(dtype, shape, elements);
    ref.set_arena(1);
    *bind_.mutable_slots(0)->add_outputs() = ref;
  }

  template <typename T>
  std::vector<T> ReadOutput(int index, size_t count) const {
    return outputs_.Read<T>(bind_.slots(0).outputs(index), count);
  }

  TestMemory();
  worker::Bind& bind() { return bind_; }
  std::vector<int> fds() const { return {inputs_.fd(), outputs_.fd()}; }

 private:
  worker::Value& AddValue() { return *bind_.mutable_draws(0)->add_values(); }

  TestArena inputs_{/*writable=*/false};
  TestArena outputs_{/*writable=*/true};
  worker::Bind bind_;
};

// A Run of the first draw and slot, `calls` times.
worker::Run RunFirst(int calls);

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_RUNNER_TESTING_H_

#include "base/random_id.h"

#include <sys/random.h>

#include <cerrno>
#include <cstdlib>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace assay {
namespace {

void FillRandom(void* data, size_t size) {
  char* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = getrandom(bytes, size, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      // Without randomness seeds would be guessable: nothing may go on.
      std::abort();
    }
    bytes += got;
    size -= static_cast<size_t>(got);
  }
}

}  // namespace

std::array<uint32_t, 4> RandomBits128() {
  std::array<uint32_t, 4> bits;
  FillRandom(bits.data(), sizeof(bits));
  return bits;
}

std::string RandomId(absl::string_view prefix) {
  char bytes[12];
  FillRandom(bytes, sizeof(bytes));
  return absl::StrCat(
      prefix, absl::BytesToHexString(absl::string_view(bytes, sizeof(bytes))));
}

std::string SortableId(absl::string_view prefix) {
  constexpr size_t kTimeDigits = 11;
  constexpr size_t kRandomDigits = 13;
  char bytes[(kRandomDigits + 1) / 2];
  FillRandom(bytes, sizeof(bytes));
  const std::string time = absl::StrCat(
      absl::Hex(absl::ToUnixMillis(absl::Now()), absl::kZeroPad11));
  const std::string random =
      absl::BytesToHexString(absl::string_view(bytes, sizeof(bytes)));
  return absl::StrCat(prefix, absl::string_view(time).substr(0, kTimeDigits),
                      absl::string_view(random).substr(0, kRandomDigits));
}

}  // namespace assay

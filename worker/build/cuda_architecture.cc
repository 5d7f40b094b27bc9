#include "worker/build/cuda_architecture.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"

namespace assay {
namespace {

bool IsNumber(absl::string_view text, int* value) {
  return !text.empty() && text.size() <= 2 &&
         absl::ascii_isdigit(static_cast<unsigned char>(text[0])) &&
         absl::SimpleAtoi(text, value);
}

std::string JoinNames(const std::vector<CudaArchitecture>& architectures) {
  return absl::StrJoin(architectures, " ",
                       [](std::string* out, const CudaArchitecture& one) {
                         absl::StrAppend(out, one.Name());
                       });
}

}  // namespace

std::string CudaArchitecture::Name() const {
  return absl::StrCat(major, ".", minor, features, ptx ? "+PTX" : "");
}

std::string CudaArchitecture::SmName() const {
  return absl::StrCat("sm_", major, minor, features);
}

std::string CudaArchitecture::GencodeOption() const {
  const std::string compute = absl::StrCat("compute_", major, minor, features);
  return absl::StrCat(
      "-gencode=arch=", compute, ",code=",
      ptx ? absl::StrCat("[", SmName(), ",", compute, "]") : SmName());
}

bool CudaArchitecture::RunsOn(int device_major, int device_minor) const {
  const bool same_major = device_major == major;
  if (features == "a") return same_major && device_minor == minor;
  if (same_major && device_minor >= minor) return true;
  return ptx && features.empty() && device_major > major;
}

bool operator==(const CudaArchitecture& a, const CudaArchitecture& b) {
  return a.major == b.major && a.minor == b.minor && a.features == b.features &&
         a.ptx == b.ptx;
}

absl::StatusOr<CudaArchitecture> ParseCudaArchitecture(absl::string_view text) {
  CudaArchitecture result;
  absl::string_view rest = text;
  result.ptx = absl::ConsumeSuffix(&rest, "+PTX");
  for (const absl::string_view features : {"a", "f"}) {
    if (!absl::ConsumeSuffix(&rest, features)) continue;
    result.features = std::string(features);
    break;
  }
  const std::vector<absl::string_view> parts = absl::StrSplit(rest, '.');
  if (parts.size() != 2 || !IsNumber(parts[0], &result.major) ||
      !IsNumber(parts[1], &result.minor)) {
    return absl::InvalidArgumentError(
        absl::StrCat("CUDA architecture \"", text,
                     "\" is not written like \"8.0\", \"9.0a\" or "
                     "\"10.0+PTX\"; give the compute capability that way"));
  }
  return result;
}

absl::StatusOr<std::vector<CudaArchitecture>> ParseCudaArchitectures(
    absl::string_view list) {
  std::vector<CudaArchitecture> result;
  for (absl::string_view word :
       absl::StrSplit(list, absl::ByAnyChar(" ,;\t"), absl::SkipEmpty())) {
    ASSAY_ASSIGN_OR_RETURN(CudaArchitecture one, ParseCudaArchitecture(word));
    result.push_back(std::move(one));
  }
  if (result.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the list of CUDA architectures \"", list,
                     "\" names none; give one like \"8.0 9.0a\""));
  }
  return result;
}

CudaArchitecture NativeCudaArchitecture(int major, int minor) {
  CudaArchitecture result;
  result.major = major;
  result.minor = minor;
  if (major >= 9) result.features = "a";
  return result;
}

absl::StatusOr<std::vector<CudaArchitecture>> CudaArchitecturesFor(
    absl::string_view list, int device_major, int device_minor) {
  const CudaArchitecture native =
      NativeCudaArchitecture(device_major, device_minor);
  if (list.empty()) return std::vector<CudaArchitecture>{native};
  ASSAY_ASSIGN_OR_RETURN(std::vector<CudaArchitecture> result,
                         ParseCudaArchitectures(list));
  for (const CudaArchitecture& one : result) {
    if (one.RunsOn(device_major, device_minor)) return result;
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "nothing that is built for the CUDA architectures \"", JoinNames(result),
      "\" runs on this device, which is ", device_major, ".", device_minor,
      "; add \"", native.Name(), "\" to the list, or leave the list away"));
}

}  // namespace assay

#include "schema/safetensors.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "schema/json_object.h"
#include "schema/json_path.h"

namespace assay {
namespace {

constexpr size_t kLengthBytes = 8;
// As the format's own reader has it.
constexpr uint64_t kMaxHeaderBytes = 100000000;
constexpr char kMetadataKey[] = "__metadata__";
constexpr char kLfsPrefix[] = "version https://git-lfs.github.com/spec/";

struct Format {
  // Bits of an element as the file's shape counts them.
  int bits;
  v1::DType dtype;
};

// Null for names that nothing is known of.
const Format* FormatOf(const std::string& name) {
  static const auto* const kFormats = new std::map<std::string, Format>{
      {"F64", {64, v1::DTYPE_FLOAT64}},
      {"F32", {32, v1::DTYPE_FLOAT32}},
      {"F16", {16, v1::DTYPE_FLOAT16}},
      {"BF16", {16, v1::DTYPE_BFLOAT16}},
      {"F8_E4M3", {8, v1::DTYPE_FLOAT8_E4M3FN}},
      {"F8_E5M2", {8, v1::DTYPE_FLOAT8_E5M2}},
      {"F4", {4, v1::DTYPE_FLOAT4_E2M1FN_X2}},
      {"I64", {64, v1::DTYPE_INT64}},
      {"I32", {32, v1::DTYPE_INT32}},
      {"I16", {16, v1::DTYPE_INT16}},
      {"I8", {8, v1::DTYPE_INT8}},
      {"U8", {8, v1::DTYPE_UINT8}},
      {"BOOL", {8, v1::DTYPE_BOOL}},
      // Known to the format but not to Assay.
      {"C64", {64, v1::DTYPE_UNSPECIFIED}},
      {"U64", {64, v1::DTYPE_UNSPECIFIED}},
      {"U32", {32, v1::DTYPE_UNSPECIFIED}},
      {"U16", {16, v1::DTYPE_UNSPECIFIED}},
      {"F8_E8M0", {8, v1::DTYPE_UNSPECIFIED}},
  };
  const auto format = kFormats->find(name);
  return format == kFormats->end() ? nullptr : &format->second;
}

// Bytes of a tensor; nothing when they do not fit or are no whole number.
absl::optional<uint64_t> BytesOf(const std::vector<int64_t>& shape, int bits) {
  uint64_t total = static_cast<uint64_t>(bits);
  for (const int64_t dim : shape) {
    const auto size = static_cast<uint64_t>(dim);
    if (size != 0 && total > std::numeric_limits<uint64_t>::max() / size) {
      return absl::nullopt;
    }
    total *= size;
  }
  if (total % 8 != 0) return absl::nullopt;
  return total / 8;
}

absl::Status CheckMetadata(const Json& metadata) {
  const bool sound =
      metadata.is_object() &&
      std::all_of(metadata.begin(), metadata.end(),
                  [](const Json& value) { return value.is_string(); });
  if (sound) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "header: \"__metadata__\" must be an object of strings");
}

}  // namespace

// Reads and checks the header of one file.
class SafetensorsHeader {
 public:
  // `content` is the whole file.
  static absl::StatusOr<std::vector<SafetensorsFile::Entry>> Read(
      absl::string_view content) {
    if (absl::StartsWith(content, kLfsPrefix)) {
      return absl::InvalidArgumentError(
          "is a Git LFS pointer and not the file itself, run `git lfs pull`");
    }
    ASSAY_ASSIGN_OR_RETURN(const uint64_t size, HeaderBytes(content));
    ASSAY_ASSIGN_OR_RETURN(const Json header,
                           ParseHeader(content.substr(kLengthBytes, size)));
    SafetensorsHeader reader(content.substr(kLengthBytes + size));
    for (const auto& [key, value] : header.items()) {
      if (key == kMetadataKey) {
        ASSAY_RETURN_IF_ERROR(CheckMetadata(value));
      } else {
        ASSAY_RETURN_IF_ERROR(Annotate(reader.AddTensor(key, value),
                                       absl::StrCat("tensor ", Quoted(key))));
      }
    }
    ASSAY_RETURN_IF_ERROR(reader.CheckCoverage());
    return std::move(reader.entries_);
  }

 private:
  using Entry = SafetensorsFile::Entry;

  explicit SafetensorsHeader(absl::string_view data) : data_(data) {}

  static absl::StatusOr<uint64_t> HeaderBytes(absl::string_view content) {
    if (content.size() < kLengthBytes) {
      return absl::InvalidArgumentError(absl::StrCat(
          "has ", content.size(), " bytes, too few for a safetensors file"));
    }
    uint64_t size = 0;
    std::memcpy(&size, content.data(), kLengthBytes);
    if (size > kMaxHeaderBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat("header of ", size, " bytes exceeds the limit of ",
                       kMaxHeaderBytes, ", it is no safetensors file"));
    }
    if (size > content.size() - kLengthBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat("header of ", size, " bytes ends after the file of ",
                       content.size(), " bytes, it is truncated"));
    }
    return size;
  }

  static absl::StatusOr<Json> ParseHeader(absl::string_view text) {
    JsonLimits limits;
    limits.max_bytes = kMaxHeaderBytes;
    limits.max_depth = 4;
    absl::StatusOr<Json> header = ParseJson(text, limits);
    if (!header.ok()) return Annotate(header.status(), "header");
    if (!header->is_object()) {
      return absl::InvalidArgumentError(
          absl::StrCat("header must be an object, not ", JsonExcerpt(*header)));
    }
    return header;
  }

  absl::Status AddTensor(const std::string& key, const Json& value) {
    std::vector<Problem> problems;
    JsonObject object(value, "$", problems);
    Entry entry;
    entry.key = key;
    entry.dtype_name = object.String("dtype");
    entry.tensor.shape = ReadSizes(object, "shape");
    const std::vector<int64_t> offsets = ReadSizes(object, "data_offsets");
    ASSAY_RETURN_IF_ERROR(ToStatus(problems));
    ASSAY_RETURN_IF_ERROR(TakeData(offsets, entry));
    ASSAY_RETURN_IF_ERROR(CheckFormat(entry));
    entries_.push_back(std::move(entry));
    return absl::OkStatus();
  }

  static std::vector<int64_t> ReadSizes(JsonObject& object,
                                        absl::string_view name) {
    std::vector<int64_t> sizes;
    object.ForEachElement(
        name, [&](const Json& value, const std::string& path) {
          const absl::optional<int64_t> size = IntFromJson(value);
          if (!size.has_value() || *size < 0) {
            object.ComplainAt(path, "an integer of at least 0", value);
          }
          sizes.push_back(size.value_or(0));
        });
    return sizes;
  }

  absl::Status TakeData(const std::vector<int64_t>& offsets, Entry& entry) {
    if (offsets.size() != 2) {
      return absl::InvalidArgumentError(
          absl::StrCat("\"data_offsets\" has ", offsets.size(),
                       " elements, must be [begin, end]"));
    }
    const auto begin = static_cast<uint64_t>(offsets[0]);
    const auto end = static_cast<uint64_t>(offsets[1]);
    if (begin > end || end > data_.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("\"data_offsets\" [", begin, ", ", end,
                       "] are not within the data of ", data_.size(),
                       " bytes, the file is truncated or broken"));
    }
    entry.tensor.data = data_.substr(begin, end - begin);
    ranges_.push_back({begin, end});
    return absl::OkStatus();
  }

  static absl::Status CheckFormat(Entry& entry) {
    const Format* format = FormatOf(entry.dtype_name);
    if (format == nullptr) return absl::OkStatus();
    SafetensorsFile::Tensor& tensor = entry.tensor;
    const absl::optional<uint64_t> bytes = BytesOf(tensor.shape, format->bits);
    if (!bytes.has_value() || *bytes != tensor.data.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("shape [", absl::StrJoin(tensor.shape, ", "), "] of ",
                       entry.dtype_name, " does not take the ",
                       tensor.data.size(), " bytes of its data"));
    }
    tensor.dtype = format->dtype;
    if (tensor.dtype == v1::DTYPE_FLOAT4_E2M1FN_X2) return HalveLast(tensor);
    return absl::OkStatus();
  }

  // The file counts values where Assay counts bytes with two of them.
  static absl::Status HalveLast(SafetensorsFile::Tensor& tensor) {
    if (tensor.shape.empty() || tensor.shape.back() % 2 != 0) {
      return absl::InvalidArgumentError(
          "the last dimension of a tensor of F4 must be even");
    }
    tensor.shape.back() /= 2;
    return absl::OkStatus();
  }

  // The format allows neither overlaps nor holes.
  absl::Status CheckCoverage() {
    std::sort(ranges_.begin(), ranges_.end());
    uint64_t covered = 0;
    for (const auto& [begin, end] : ranges_) {
      if (begin != covered) {
        return absl::InvalidArgumentError(
            absl::StrCat("tensors overlap or leave a hole at offset ",
                         std::min(begin, covered), " of the data"));
      }
      covered = end;
    }
    if (covered == data_.size()) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("tensors cover ", covered,
                                                   " bytes of the data of ",
                                                   data_.size(), " bytes"));
  }

  // What comes after the header.
  const absl::string_view data_;
  std::vector<Entry> entries_;
  std::vector<std::pair<uint64_t, uint64_t>> ranges_;
};

absl::StatusOr<std::unique_ptr<SafetensorsFile>> SafetensorsFile::Open(
    const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return PosixError(absl::StrCat("opening ", path));
  return FromFd(std::move(fd), path);
}

absl::StatusOr<std::unique_ptr<SafetensorsFile>> SafetensorsFile::FromFd(
    UniqueFd fd, std::string name) {
  struct stat info;
  if (fstat(fd.get(), &info) != 0) return PosixError(name);
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(name, " is not a file"));
  }
  std::unique_ptr<SafetensorsFile> file(new SafetensorsFile());
  file->name_ = std::move(name);
  ASSAY_ASSIGN_OR_RETURN(
      file->mapping_, Mapping::Map(fd.get(), static_cast<size_t>(info.st_size),
                                   /*writable=*/false));
  absl::StatusOr<std::vector<Entry>> entries =
      SafetensorsHeader::Read(file->mapping_.view());
  if (!entries.ok()) return Annotate(entries.status(), file->name_);
  file->entries_ = *std::move(entries);
  return file;
}

absl::StatusOr<SafetensorsFile::Tensor> SafetensorsFile::Find(
    absl::string_view key) const {
  for (const Entry& entry : entries_) {
    if (entry.key != key) continue;
    if (entry.tensor.dtype != v1::DTYPE_UNSPECIFIED) return entry.tensor;
    return absl::InvalidArgumentError(
        absl::StrCat(name_, ": tensor ", Quoted(key), " has the dtype ",
                     Quoted(entry.dtype_name), ", which is not supported"));
  }
  constexpr size_t kShownKeys = 10;
  std::vector<std::string> known = keys();
  if (known.size() > kShownKeys) {
    known.resize(kShownKeys);
    known.push_back("...");
  }
  return absl::NotFoundError(
      absl::StrCat(name_, " has no tensor ", Quoted(key),
                   ", use one of: ", absl::StrJoin(known, ", ")));
}

std::vector<std::string> SafetensorsFile::keys() const {
  std::vector<std::string> result;
  for (const Entry& entry : entries_) result.push_back(entry.key);
  return result;
}

}  // namespace assay

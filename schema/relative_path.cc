#include "schema/relative_path.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay {
namespace {

constexpr size_t kMaxPathBytes = 1000;
// NAME_MAX on Linux.
constexpr size_t kMaxPartBytes = 255;

}  // namespace

absl::Status CheckRelativePath(absl::string_view path) {
  if (path.empty()) {
    return absl::InvalidArgumentError("is empty, name a file");
  }
  if (path.size() > kMaxPathBytes) {
    return absl::InvalidArgumentError(
        "is longer than 1000 bytes, use a shorter path");
  }
  if (path.front() == '/') {
    return absl::InvalidArgumentError(
        "is an absolute path, use one relative to the folder");
  }
  if (std::any_of(path.begin(), path.end(), [](char c) {
        return absl::ascii_iscntrl(static_cast<unsigned char>(c));
      })) {
    return absl::InvalidArgumentError(
        "contains a control character, use printable characters");
  }
  if (path.find('\\') != absl::string_view::npos) {
    return absl::InvalidArgumentError(
        "contains a backslash, separate folders by \"/\"");
  }
  for (absl::string_view part : absl::StrSplit(path, '/')) {
    if (part.empty()) {
      return absl::InvalidArgumentError(
          "has an empty part, separate folders by one \"/\"");
    }
    if (part == "." || part == "..") {
      return absl::InvalidArgumentError(
          "has a \".\" or \"..\" part, write the path without it");
    }
    if (part.size() > kMaxPartBytes) {
      return absl::InvalidArgumentError(
          "has a part of more than 255 bytes, use a shorter name");
    }
  }
  return absl::OkStatus();
}

absl::string_view WithoutDotSlash(absl::string_view path) {
  return absl::StripPrefix(path, "./");
}

}  // namespace assay

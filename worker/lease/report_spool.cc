#include "worker/lease/report_spool.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/log.h"
#include "base/posix.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// A file is the time to keep it, in microseconds, then each report after its
// length; all numbers as this machine has them.
using Header = int64_t;
using Length = uint32_t;

constexpr char kSuffix[] = ".reports";

template <typename T>
bool TakeNumber(absl::string_view& content, T& number) {
  if (content.size() < sizeof(T)) return false;
  std::memcpy(&number, content.data(), sizeof(T));
  content.remove_prefix(sizeof(T));
  return true;
}

template <typename T>
std::string Bytes(const T& number) {
  return std::string(reinterpret_cast<const char*>(&number), sizeof(number));
}

std::vector<v1::LeaseReport> ParseReports(absl::string_view content) {
  std::vector<v1::LeaseReport> reports;
  Length length = 0;
  while (TakeNumber(content, length) && length <= content.size()) {
    v1::LeaseReport report;
    if (!report.ParseFromArray(content.data(), static_cast<int>(length))) break;
    content.remove_prefix(length);
    reports.push_back(std::move(report));
  }
  return reports;
}

// Since the file was written to. The clock of the machine may have been set
// meanwhile: never negative.
absl::Duration AgeOf(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return absl::InfiniteDuration();
  const absl::Duration age = absl::Now() - absl::TimeFromTimespec(info.st_mtim);
  return std::max(age, absl::ZeroDuration());
}

absl::StatusOr<SpooledLease> ReadLease(const std::string& path) {
  SpooledLease lease;
  lease.path = path;
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  absl::string_view content = text;
  Header keep_us = 0;
  if (!TakeNumber(content, keep_us)) {
    return absl::DataLossError("it has no header");
  }
  lease.left = absl::Microseconds(keep_us) - AgeOf(path);
  lease.reports = ParseReports(content);
  if (lease.reports.empty() || !lease.reports.front().has_accept()) {
    return absl::DataLossError("it does not say which lease it is of");
  }
  lease.accept = std::move(lease.reports.front());
  lease.reports.erase(lease.reports.begin());
  return lease;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ReportSpool>> ReportSpool::Open(
    const std::string& folder, int64_t max_bytes) {
  ASSAY_RETURN_IF_ERROR(CreateDirectories(folder));
  const std::string path = absl::StrCat(folder, "/lock");
  UniqueFd lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.valid()) return PosixError(path);
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "another process has \"", folder, "\": is it the same worker?"));
  }
  return std::unique_ptr<ReportSpool>(
      new ReportSpool(folder, std::move(lock), max_bytes));
}

std::vector<SpooledLease> ReportSpool::TakeLeft() {
  std::vector<SpooledLease> leases;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder_, error)) {
    const std::string path = entry.path().string();
    if (!absl::EndsWith(path, kSuffix)) continue;
    absl::StatusOr<SpooledLease> lease = ReadLease(path);
    if (lease.ok()) {
      leases.push_back(*std::move(lease));
      continue;
    }
    LogWarning("reports cannot be read",
               {{"file", path}, {"error", lease.status().ToString()}});
    unlink(path.c_str());
  }
  std::sort(leases.begin(), leases.end(),
            [](const SpooledLease& a, const SpooledLease& b) {
              return std::tie(a.left, a.path) < std::tie(b.left, b.path);
            });
  return leases;
}

void ReportSpool::Forget(const SpooledLease& lease) {
  unlink(lease.path.c_str());
}

std::unique_ptr<SpoolFile> ReportSpool::Start(const v1::LeaseReport& accept,
                                              absl::Duration keep) {
  // Ids come from the coordinator: no path hides in them.
  std::string name = accept.lease_id();
  std::replace(name.begin(), name.end(), '/', '_');
  const std::string path = absl::StrCat(folder_, "/", name, kSuffix);
  UniqueFd file(open(
      path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600));
  if (!file.valid()) {
    LogWarning("results are not kept on disk",
               {{"error", PosixError(path).ToString()}});
    return nullptr;
  }
  const Header header = absl::ToInt64Microseconds(keep);
  if (const absl::Status written = WriteAll(file.get(), Bytes(header), path);
      !written.ok()) {
    LogWarning("results are not kept on disk", {{"error", written.ToString()}});
    return nullptr;
  }
  std::unique_ptr<SpoolFile> spooled(
      new SpoolFile(path, std::move(file), room_));
  spooled->Append(accept);
  return spooled;
}

void SpoolFile::Append(const v1::LeaseReport& report) {
  if (!file_.valid()) return;
  const std::string content = report.SerializeAsString();
  const std::string record =
      absl::StrCat(Bytes(static_cast<Length>(content.size())), content);
  const auto size = static_cast<int64_t>(record.size());
  absl::Status status;
  if (room_->fetch_sub(size) < size) {
    room_->fetch_add(size);
    status = absl::ResourceExhaustedError("the spool has its bytes");
  } else {
    bytes_ += size;
    status = WriteAll(file_.get(), record, path_);
  }
  if (status.ok()) return;
  // What follows a gap could not be delivered.
  LogWarning("further results of the lease are not kept on disk",
             {{"error", status.ToString()}});
  file_.Reset();
}

void SpoolFile::Remove() {
  file_.Reset();
  unlink(path_.c_str());
  room_->fetch_add(std::exchange(bytes_, 0));
}

}  // namespace assay

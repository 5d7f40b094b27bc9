// What the scenarios found: lines for people as they come, and a JSON object a
// line for a file.

#ifndef ASSAY_TESTS_LOAD_REPORT_H_
#define ASSAY_TESTS_LOAD_REPORT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tests/load/latencies.h"

namespace assay::load {

class Report {
 public:
  // `scenario` names every line. `json_path` is appended to; empty: no file.
  Report(std::string scenario, std::string json_path)
      : scenario_(std::move(scenario)), json_path_(std::move(json_path)) {}

  // `aim` says in words what was aimed at; empty where nothing was.
  void Add(absl::string_view what, double value, absl::string_view unit,
           absl::string_view aim = "");
  // Count, median, 99th percentile and largest, in milliseconds.
  void AddLatencies(absl::string_view what, const Latencies& latencies,
                    absl::string_view aim = "");

  // Whether the file could be written.
  const absl::Status& status() const { return status_; }

 private:
  void Append(const std::string& line);

  const std::string scenario_;
  const std::string json_path_;
  absl::Status status_;
};

}  // namespace assay::load

#endif  // ASSAY_TESTS_LOAD_REPORT_H_

#include "tests/load/report.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"

namespace assay::load {
namespace {

std::string InWords(absl::string_view aim) {
  return aim.empty() ? "" : absl::StrCat("  (aim: ", aim, ")");
}

}  // namespace

void Report::Add(absl::string_view what, double value, absl::string_view unit,
                 absl::string_view aim) {
  std::printf("%-12s %-34s %12.4g %s%s\n", scenario_.c_str(),
              std::string(what).c_str(), value, std::string(unit).c_str(),
              InWords(aim).c_str());
  std::fflush(stdout);
  nlohmann::ordered_json line;
  line["scenario"] = scenario_;
  line["what"] = std::string(what);
  line["value"] = value;
  line["unit"] = unit;
  if (!aim.empty()) line["aim"] = std::string(aim);
  Append(line.dump());
}

void Report::AddLatencies(absl::string_view what, const Latencies& latencies,
                          absl::string_view aim) {
  const auto ms = [&](double share) {
    return absl::ToDoubleMilliseconds(latencies.Percentile(share));
  };
  std::printf("%-12s %-34s %9.3f p50 %9.3f p99 %9.3f max ms of %lld%s\n",
              scenario_.c_str(), std::string(what).c_str(), ms(0.5), ms(0.99),
              ms(1), static_cast<long long>(latencies.count()),
              InWords(aim).c_str());
  std::fflush(stdout);
  nlohmann::ordered_json line;
  line["scenario"] = scenario_;
  line["what"] = std::string(what);
  line["count"] = latencies.count();
  line["p50_ms"] = ms(0.5);
  line["p99_ms"] = ms(0.99);
  line["max_ms"] = ms(1);
  if (!aim.empty()) line["aim"] = std::string(aim);
  Append(line.dump());
}

void Report::Append(const std::string& line) {
  if (json_path_.empty() || !status_.ok()) return;
  std::ofstream file(json_path_, std::ios::app);
  file << line << "\n";
  if (!file.flush()) {
    status_ = absl::UnavailableError(
        absl::StrCat("cannot write the results to \"", json_path_, "\""));
  }
}

}  // namespace assay::load

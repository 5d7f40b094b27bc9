// What lint found, for people and for programs.

#ifndef ASSAY_CLIENT_CLI_LINT_TEXT_H_
#define ASSAY_CLIENT_CLI_LINT_TEXT_H_

#include <string>

#include "client/cli/json_output.h"
#include "client/lint.h"

namespace assay {

// A row for each probe: of the evaluation that came nearest to passing the
// share of right elements and the largest errors. Below it what was not probed,
// and the counts.
std::string LintText(const LintReport& report, int width);

// {"results": [...], "not_probed": [...], "weak": [names], "unjudged": [names]}
Json LintJson(const LintReport& report);

// "output y passes as zeros (100% right, off by 5.0e-03)"; of the first probe
// that passes for the definition.
std::string WeaknessText(const LintReport& report,
                         const std::string& definition);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_LINT_TEXT_H_

// What can be told of Python source without running Python.

#ifndef ASSAY_SCHEMA_PYTHON_SCAN_H_
#define ASSAY_SCHEMA_PYTHON_SCAN_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace assay {

struct PythonFunction {
  // Names of the parameters that a positional call fills, in order.
  std::vector<std::string> parameters;
  // How many of them have no default.
  int required = 0;
  // True when there is a `*args`.
  bool takes_more = false;
};

struct PythonScan {
  // The last function of the name that is defined at the top level with `def`.
  absl::optional<PythonFunction> function;
  // False when strings or brackets do not pair up: the source is broken, or the
  // scan misread it. Nothing should be concluded then.
  bool is_sound = true;
};

// Knows strings, comments, brackets and continued lines. Thread-safe.
PythonScan ScanPython(absl::string_view source, absl::string_view function);

}  // namespace assay

#endif  // ASSAY_SCHEMA_PYTHON_SCAN_H_

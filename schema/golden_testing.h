// The golden trace set of schema/testdata, for tests.

#ifndef ASSAY_SCHEMA_GOLDEN_TESTING_H_
#define ASSAY_SCHEMA_GOLDEN_TESTING_H_

#include <filesystem>
#include <string>

namespace assay {

// Copies it to the new folder `dir`. Where Bazel puts it, its files are links
// that lead out of the folder, which a trace set must not have.
inline void CopyGoldenTraceSet(const std::string& dir) {
  std::filesystem::copy("schema/testdata/trace_set", dir,
                        std::filesystem::copy_options::recursive);
}

}  // namespace assay

#endif  // ASSAY_SCHEMA_GOLDEN_TESTING_H_

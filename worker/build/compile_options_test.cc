#include "worker/build/compile_options.h"

#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;

TEST(CompileOptionsTest, AllowsWhatTunesTheCode) {
  for (const char* option : {"-O2",
                             "-Ofast",
                             "-std=c++20",
                             "-std=gnu++17",
                             "-ffast-math",
                             "-fno-math-errno",
                             "-funroll-loops",
                             "-fopenmp",
                             "-mavx2",
                             "-march=x86-64-v3",
                             "-mprefer-vector-width=512",
                             "-DTILE=64",
                             "-DNAME",
                             "-D_X=a b",
                             "-UNDEBUG",
                             "-Wall",
                             "-Wno-unused",
                             "-w",
                             "-pthread",
                             "-lm",
                             "-Iinclude",
                             "-Ia/b",
                             "-ftemplate-depth=2000",
                             "-fvisibility=hidden",
                             "-ffp-contract=fast"}) {
    EXPECT_OK(CheckCompileOption(option)) << option;
  }
}

TEST(CompileOptionsTest, RefusesWhatReachesOtherProgramsOrFiles) {
  for (const char* option : {"",
                             "-",
                             "kernel2.cpp",
                             "/etc/passwd",
                             "@options",
                             "-fplugin=evil.so",
                             "-fplugin-arg-evil-x=1",
                             "-fno-plugin",
                             "-fprofile-use=/etc/passwd",
                             "-fdump-tree-all",
                             "-fmodule-mapper=|program",
                             "-fuse-ld=gold",
                             "-fsanitize=address",
                             "-B/tmp",
                             "-specs=file",
                             "--specs=file",
                             "-wrapper",
                             "-include",
                             "-imacros",
                             "-I/usr/include",
                             "-I../outside",
                             "-I",
                             "-isystem",
                             "-L/tmp",
                             "-lcuda",
                             "-l:evil.a",
                             "-Wl,-rpath,/tmp",
                             "-Wa,--listing",
                             "-Wp,-MD,file",
                             "-Xlinker",
                             "-x",
                             "-o",
                             "-ofile",
                             "-c",
                             "-E",
                             "-MD",
                             "-static",
                             "-std=c++98",
                             "-std=",
                             "-Dno-name=1",
                             "-D",
                             "-D1=2",
                             "-march=native,",
                             "-m/tmp",
                             "-save-temps",
                             "-T",
                             "-v"}) {
    EXPECT_THAT(CheckCompileOption(option),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr(absl::StrCat("\"", option, "\" is not"))))
        << option;
  }
}

TEST(CompileOptionsTest, RefusesNul) {
  EXPECT_FALSE(CheckCompileOption(absl::string_view("-O2\0", 4)).ok());
  EXPECT_FALSE(CheckCompileOption(absl::string_view("-DX=\0", 5)).ok());
}

TEST(CompileOptionsTest, SaysWhatIsAllowed) {
  EXPECT_THAT(
      CheckCompileOption("-fplugin=x"),
      StatusIs(absl::StatusCode::kInvalidArgument,
               testing::AllOf(HasSubstr("-O..."), HasSubstr("fast-math"),
                              HasSubstr("c++17"))));
}

}  // namespace
}  // namespace assay

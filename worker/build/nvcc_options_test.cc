#include "worker/build/nvcc_options.h"

#include <gmock/gmock.h>

#include <string>

#include "base/status_testing.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(NvccOptionsTest, AllowsWhatTunesTheCode) {
  for (const char* option : {"-O0",
                             "-O3",
                             "-std=c++17",
                             "--std=c++20",
                             "-DTILE=64",
                             "-DNAME",
                             "-DTYPE=f(a, b)",
                             "-UNDEBUG",
                             "-Iinclude",
                             "-Ia/b",
                             "-w",
                             "--use_fast_math",
                             "-use_fast_math",
                             "-ftz=true",
                             "--prec-div=false",
                             "-prec-sqrt=true",
                             "-fmad=false",
                             "--maxrregcount=128",
                             "-maxrregcount=64",
                             "-lineinfo",
                             "--generate-line-info",
                             "--expt-relaxed-constexpr",
                             "-expt-relaxed-constexpr",
                             "--extended-lambda",
                             "--expt-extended-lambda",
                             "-extra-device-vectorization",
                             "--default-stream=per-thread",
                             "-rdc=true",
                             "--relocatable-device-code=false",
                             "-diag-suppress=177",
                             "--diag-suppress=177,20012",
                             "-t4",
                             "-t=4",
                             "--threads=0",
                             "--split-compile=2",
                             "-Wno-deprecated-gpu-targets",
                             "-restrict",
                             "-static-global-template-stub=false",
                             "-Ofc=mid"}) {
    EXPECT_OK(CheckNvccOption(option)) << option;
  }
}

TEST(NvccOptionsTest, AllowsSomeOptionsOfTheAssembler) {
  for (const char* option :
       {"-Xptxas=-v", "--ptxas-options=-v,-O2", "-Xptxas=--warn-on-spills",
        "-Xptxas=-dlcm=cg,-dscm=wb",
        "-Xptxas=--allow-expensive-optimizations=true"}) {
    EXPECT_OK(CheckNvccOption(option)) << option;
  }
}

TEST(NvccOptionsTest, AllowsOptionsOfTheHostCompilerThatCppAllows) {
  for (const char* option : {"-Xcompiler=-Wall", "-Xcompiler=-O2,-march=native",
                             "--compiler-options=-fno-strict-aliasing",
                             "-Xcompiler=-DX=1", "-Xcompiler=-Iinclude"}) {
    EXPECT_OK(CheckNvccOption(option)) << option;
  }
}

TEST(NvccOptionsTest, RefusesWhatReachesOtherProgramsOrFiles) {
  for (const char* option : {"",
                             "-",
                             "--",
                             "kernel2.cu",
                             "/etc/passwd",
                             "@options",
                             "-o/tmp/x",
                             "-odir=/tmp",
                             "-keep",
                             "--keep-dir=/tmp",
                             "-ccbin=./evil",
                             "--compiler-bindir=./evil",
                             "--options-file=x",
                             "-optf=x",
                             "-include=/etc/passwd",
                             "-I/etc",
                             "-I../x",
                             "-isystem=/etc",
                             "-L/tmp",
                             "-Xlinker=-plugin=evil.so",
                             "-Xnvlink=-x",
                             "-Xarchive=x",
                             "-dc",
                             "-ptx",
                             "-G",
                             "-run",
                             "--dryrun",
                             "-time=/tmp/x",
                             "--profile",
                             "-cudart=shared",
                             "-ldir=/tmp",
                             "-std=c++98",
                             "-O4",
                             "-Ofast",
                             "-ftz=yes",
                             "-maxrregcount=many",
                             "-maxrregcount=",
                             "-t",
                             "-tx",
                             "-Xptxas=--output-file=/tmp/x",
                             "-Xptxas=-o,/tmp/x",
                             "-Xptxas=-v,-o",
                             "-Xptxas=",
                             "-Xptxas=v",
                             "-Xcompiler=-fplugin=evil.so",
                             "-Xcompiler=-Wall,-fplugin=evil.so",
                             "-Xcompiler=-B/tmp",
                             "-Xcompiler=x.cc",
                             "-Xcompiler=-I/etc",
                             "-Xcudafe=--output=x",
                             "-diag-suppress=1;x"}) {
    EXPECT_THAT(CheckNvccOption(option),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("is not allowed")))
        << option;
  }
}

TEST(NvccOptionsTest, RefusesWhatAShellWouldRun) {
  for (const char* option :
       {"-DX=$(id)", "-DX=`id`", "-DX=\"a", "-DX='a", "-DX=a\\", "-DX=a\nb",
        "-I$(id)", "-Xcompiler=-DX=a;id", "-Xcompiler=-DX=a&id",
        "-Xcompiler=-DX=a b", "-Xcompiler=-DX=a>b", "-Xcompiler=-Ia/b;id"}) {
    EXPECT_THAT(CheckNvccOption(option),
                StatusIs(absl::StatusCode::kInvalidArgument, testing::_))
        << option;
  }
  EXPECT_FALSE(CheckNvccOption(std::string("-DX=a\0b", 7)).ok());
}

TEST(NvccOptionsTest, SaysWhatIsAllowed) {
  EXPECT_THAT(CheckNvccOption("-keep"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"-keep\""), HasSubstr("use_fast_math"),
                             HasSubstr("-Xptxas=("),
                             HasSubstr("-default-stream=(legacy|null|"))));
}

TEST(NvccOptionsTest, SaysThatTheWorkerPicksTheArchitecture) {
  for (const char* option :
       {"-arch=sm_80", "--gpu-architecture=sm_80", "-gencode",
        "-gencode=arch=compute_80,code=sm_80", "-gencode arch=compute_80",
        "--generate-code=arch=compute_80", "-code=sm_80"}) {
    EXPECT_THAT(CheckNvccOption(option),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("architecture of its device"),
                               Not(HasSubstr("allowed for language")))))
        << option;
  }
}

TEST(NvccOptionsTest, SaysHowToWriteAnOptionWithAValue) {
  EXPECT_THAT(CheckNvccOption("-Xptxas -v"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("write \"-Xptxas=-v\"")));
  EXPECT_THAT(CheckNvccOption("--maxrregcount"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("write \"--maxrregcount=VALUE\"")));
}

TEST(NvccOptionsTest, SaysWhereLibrariesAreNamed) {
  EXPECT_THAT(CheckNvccOption("-lcublas"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("name the library in dependencies")));
}

TEST(NvccOptionsTest, KnowsASettingByAllItsSpellings) {
  for (const char* option : {"-std=c++17", "--std=c++20"}) {
    EXPECT_EQ(NvccSetting(option), "std") << option;
  }
  for (const char* option : {"-rdc=true", "--relocatable-device-code=true"}) {
    EXPECT_EQ(NvccSetting(option), "relocatable-device-code") << option;
  }
  for (const char* option : {"-t4", "-t=4", "--threads=4"}) {
    EXPECT_EQ(NvccSetting(option), "threads") << option;
  }
  EXPECT_EQ(NvccSetting("-O2"), "optimize");
  EXPECT_EQ(NvccSetting("-Ofc=max"), "Ofast-compile");
  EXPECT_EQ(NvccSetting("-DX=1"), "DX");
}

TEST(NvccOptionsTest, PathsThatAShellWouldReadAreUnsafe) {
  EXPECT_TRUE(IsSafeForNvcc("a b/@x;y.cu"));
  for (const char* path : {"$(id).cu", "`id`.cu", "a\"b.cu", "a\\.cu"}) {
    EXPECT_FALSE(IsSafeForNvcc(path)) << path;
  }
}

}  // namespace
}  // namespace assay

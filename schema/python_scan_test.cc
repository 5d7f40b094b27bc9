#include "schema/python_scan.h"

#include <gmock/gmock.h>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PythonFunction ScanRun(const char* source) {
  const PythonScan scan = ScanPython(source, "run");
  EXPECT_TRUE(scan.is_sound) << source;
  EXPECT_TRUE(scan.function.has_value()) << source;
  return scan.function.value_or(PythonFunction());
}

TEST(ScanPythonTest, FindsParameters) {
  EXPECT_THAT(ScanRun("def run(x, y):\n  pass\n").parameters,
              ElementsAre("x", "y"));
  EXPECT_THAT(ScanRun("import torch\n\n@torch.no_grad()\ndef  run (x):\n  pass")
                  .parameters,
              ElementsAre("x"));
  EXPECT_THAT(ScanRun("def run():\n  pass\n").parameters, IsEmpty());
}

TEST(ScanPythonTest, UnderstandsAnnotationsDefaultsAndComments) {
  const PythonFunction run = ScanRun(
      "def run(\n"
      "    x: Tuple[int, int],  # the first, really\n"
      "    y: str = \"a, b)\",\n"
      "    z=(1, 2),\n"
      ") -> Dict[str, int]:\n"
      "  return {}\n");
  EXPECT_THAT(run.parameters, ElementsAre("x", "y", "z"));
  EXPECT_EQ(run.required, 1);
  EXPECT_FALSE(run.takes_more);
}

TEST(ScanPythonTest, UnderstandsStars) {
  const PythonFunction args = ScanRun("def run(x, *args, k, **kwargs): pass");
  EXPECT_THAT(args.parameters, ElementsAre("x"));
  EXPECT_TRUE(args.takes_more);
  const PythonFunction keyword = ScanRun("def run(x, /, y, *, k=1): pass");
  EXPECT_THAT(keyword.parameters, ElementsAre("x", "y"));
  EXPECT_FALSE(keyword.takes_more);
}

TEST(ScanPythonTest, FindsOnlyTheTopLevel) {
  for (const char* source :
       {"class A:\n  def run(self): pass\n",
        "\"\"\"\ndef run(x): pass\n\"\"\"\n", "# def run(x)\n",
        "x = [\ndef run(x)\n]\n", "def runner(x): pass\n",
        "async def run(x): pass\n", "if True:\n  def run(x): pass\n",
        "x = 1 \\\ndef run(x)\n", "run = 1\n", ""}) {
    EXPECT_FALSE(ScanPython(source, "run").function.has_value()) << source;
  }
}

TEST(ScanPythonTest, TheLastOfSeveralCounts) {
  EXPECT_THAT(ScanRun("def run(x): pass\ndef run(y): pass\n").parameters,
              ElementsAre("y"));
}

TEST(ScanPythonTest, UnderstandsStrings) {
  for (const char* source :
       {"s = 'it\\'s ('\ndef run(x): pass\n",
        "s = '''a'b(\"'''\ndef run(x): pass\n",
        "s = \"a\\\nb(\"\ndef run(x): pass", "s = ''\ndef run(x): pass",
        "s = f\"{x['a']}(\"\ndef run(x): pass"}) {
    const PythonScan scan = ScanPython(source, "run");
    EXPECT_TRUE(scan.function.has_value()) << source;
  }
}

TEST(ScanPythonTest, NoticesWhatDoesNotPairUp) {
  for (const char* source : {"def run(x: pass", "s = 'a\n", "s = '''a\n",
                             "x = (1\n", "x = 1)\n", "def run(x)):\n"}) {
    EXPECT_FALSE(ScanPython(source, "run").is_sound) << source;
  }
}

}  // namespace
}  // namespace assay

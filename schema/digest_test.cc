#include "schema/digest.h"

#include <gmock/gmock.h>

#include <functional>

#include "schema/schema_testing.h"

namespace assay {
namespace {

using testing::MatchesRegex;

template <typename T>
struct Change {
  const char* what;
  std::function<void(T&)> apply;
};

template <typename T>
using DigestFunction = std::string (*)(const T&);

template <typename T>
void ExpectDifferent(const T& base, DigestFunction<T> digest,
                     const std::vector<Change<T>>& changes) {
  for (const Change<T>& change : changes) {
    T other = base;
    change.apply(other);
    EXPECT_NE(digest(other), digest(base)) << change.what;
  }
}

template <typename T>
void ExpectSame(const T& base, DigestFunction<T> digest,
                const std::vector<Change<T>>& changes) {
  for (const Change<T>& change : changes) {
    T other = base;
    change.apply(other);
    EXPECT_EQ(digest(other), digest(base)) << change.what;
  }
}

using Definition = v1::Definition;

TEST(DefinitionDigestTest, IsHexSha256) {
  EXPECT_THAT(DefinitionDigest(ScaleDefinition()),
              MatchesRegex("[0-9a-f]{64}"));
}

TEST(DefinitionDigestTest, StaysWhatItWas) {
  // A digest is stored for good: when this fails, take a new domain.
  EXPECT_EQ(DefinitionDigest(ScaleDefinition()),
            "e46fbb21e34c93d634763342c4c542c4b878dcd80369eaab4cd3f0af18e49945");
  EXPECT_EQ(SolutionDigest(ScaleSolution()),
            "43f483beb926c06bd8997c7b7949febf446177cc2064c2b930e533e6527583fd");
  EXPECT_EQ(WorkloadDigest(ScaleWorkload()),
            "96fe383dfd48e99d020dc0a2279e61f671a98fa35f910d753c35ce4e225a2cb9");
}

TEST(DefinitionDigestTest, ChangesWithWhatMatters) {
  ExpectDifferent<Definition>(
      ScaleDefinition(), DefinitionDigest,
      {{"name", [](Definition& d) { d.set_name("other"); }},
       {"op_type", [](Definition& d) { d.set_op_type("other"); }},
       {"axis name", [](Definition& d) { d.mutable_axes(0)->set_name("b"); }},
       {"axis kind",
        [](Definition& d) { d.mutable_axes(0)->set_kind(v1::Axis::CONST); }},
       {"axis value", [](Definition& d) { d.mutable_axes(1)->set_value(17); }},
       {"input order",
        [](Definition& d) { d.mutable_inputs()->SwapElements(0, 1); }},
       {"shape order",
        [](Definition& d) {
          d.mutable_inputs(0)->mutable_shape()->SwapElements(0, 1);
        }},
       {"scalar or 0-D",
        [](Definition& d) { d.mutable_inputs(1)->set_is_scalar(false); }},
       {"dtype",
        [](Definition& d) {
          d.mutable_outputs(0)->set_dtype(v1::DTYPE_FLOAT16);
        }},
       {"input or output",
        [](Definition& d) {
          *d.add_outputs() = d.inputs(1);
          d.mutable_inputs()->RemoveLast();
        }},
       {"reference", [](Definition& d) { d.set_reference("def run(): 1"); }},
       {"constraint", [](Definition& d) { d.add_constraints("batch > 0"); }}});
}

TEST(DefinitionDigestTest, IgnoresTheRest) {
  ExpectSame<Definition>(
      ScaleDefinition(), DefinitionDigest,
      {{"description", [](Definition& d) { d.set_description("text"); }},
       {"tags", [](Definition& d) { d.add_tags("status:verified"); }},
       {"axis description",
        [](Definition& d) { d.mutable_axes(0)->set_description("text"); }},
       {"axis order",
        [](Definition& d) { d.mutable_axes()->SwapElements(0, 1); }},
       {"unknown", [](Definition& d) { d.set_unknown_json("{\"a\":1}"); }}});
}

using Solution = v1::Solution;

TEST(SolutionDigestTest, ChangesWithWhatMatters) {
  ExpectDifferent<Solution>(
      ScaleSolution(), SolutionDigest,
      {{"name", [](Solution& s) { s.set_name("other"); }},
       {"definition", [](Solution& s) { s.set_definition("other"); }},
       {"author", [](Solution& s) { s.set_author("other"); }},
       {"language",
        [](Solution& s) {
          s.mutable_spec()->set_language(v1::BuildSpec::CUDA);
        }},
       {"hardware",
        [](Solution& s) { s.mutable_spec()->add_target_hardware("cuda"); }},
       {"entry point",
        [](Solution& s) { s.mutable_spec()->set_entry_point("a.cpp::b"); }},
       {"style",
        [](Solution& s) {
          s.mutable_spec()->set_destination_passing_style(false);
        }},
       {"binding",
        [](Solution& s) {
          s.mutable_spec()->set_binding(v1::BuildSpec::TORCH);
        }},
       {"dependency",
        [](Solution& s) { s.mutable_spec()->add_dependencies("cublas"); }},
       {"option moved",
        [](Solution& s) { s.mutable_spec()->add_compile_options("-O3"); }},
       {"source path",
        [](Solution& s) { s.mutable_sources(0)->set_path("other.cpp"); }},
       {"source content",
        [](Solution& s) { s.mutable_sources(0)->set_content("// b\n"); }},
       {"another source", [](Solution& s) { s.add_sources(); }}});
}

TEST(SolutionDigestTest, IgnoresDescriptionAndOrderOfSources) {
  Solution base = ScaleSolution();
  base.add_sources()->set_path("a.h");
  ExpectSame<Solution>(
      base, SolutionDigest,
      {{"description", [](Solution& s) { s.set_description("text"); }},
       {"unknown",
        [](Solution& s) { s.mutable_spec()->set_unknown_json("{\"a\":1}"); }},
       {"order",
        [](Solution& s) { s.mutable_sources()->SwapElements(0, 1); }}});
}

TEST(SolutionDigestTest, ADefaultBindingIsTheBindingItStandsFor) {
  Solution implied = ScaleSolution();
  implied.mutable_spec()->clear_binding();
  Solution named = ScaleSolution();
  named.mutable_spec()->set_binding(v1::BuildSpec::TVM_FFI);
  EXPECT_EQ(SolutionDigest(implied), SolutionDigest(named));
}

TEST(SolutionDigestTest, FieldsDoNotRunIntoEachOther) {
  Solution a = ScaleSolution();
  a.set_name("ab");
  a.set_definition("c");
  Solution b = ScaleSolution();
  b.set_name("a");
  b.set_definition("bc");
  EXPECT_NE(SolutionDigest(a), SolutionDigest(b));
}

using Workload = v1::Workload;

TEST(WorkloadDigestTest, ChangesWithWhatMatters) {
  ExpectDifferent<Workload>(
      ScaleWorkload(), WorkloadDigest,
      {{"axis value", [](Workload& w) { w.mutable_axes(0)->set_value(5); }},
       {"axis name", [](Workload& w) { w.mutable_axes(0)->set_name("b"); }},
       {"kind",
        [](Workload& w) {
          w.mutable_inputs(0)->mutable_safetensors()->set_path("a");
        }},
       {"scalar value",
        [](Workload& w) {
          w.mutable_inputs(1)->mutable_scalar()->set_float_value(2);
        }},
       {"scalar type", [](Workload& w) {
          w.mutable_inputs(1)->mutable_scalar()->set_bool_value(true);
        }}});
}

TEST(WorkloadDigestTest, IgnoresNameOrderAndPlace) {
  ExpectSame<Workload>(
      ScaleWorkload(), WorkloadDigest,
      {{"uuid", [](Workload& w) { w.set_uuid("other"); }},
       {"hardware", [](Workload& w) { w.add_target_hardware("cpu"); }},
       {"order of inputs",
        [](Workload& w) { w.mutable_inputs()->SwapElements(0, 1); }}});
}

TEST(WorkloadDigestTest, AFileCountsByContentWhenThatIsKnown) {
  Workload a = ScaleWorkload();
  v1::SafetensorsInput& file = *a.mutable_inputs(0)->mutable_safetensors();
  file.set_path("./blob/a.safetensors");
  file.set_tensor_key("x");
  Workload b = a;
  b.mutable_inputs(0)->mutable_safetensors()->set_path("blob/a.safetensors");
  EXPECT_EQ(WorkloadDigest(a), WorkloadDigest(b));
  b.mutable_inputs(0)->mutable_safetensors()->set_path("blob/b.safetensors");
  EXPECT_NE(WorkloadDigest(a), WorkloadDigest(b));
  a.mutable_inputs(0)->mutable_safetensors()->set_sha256("00ff");
  b.mutable_inputs(0)->mutable_safetensors()->set_sha256("00ff");
  EXPECT_EQ(WorkloadDigest(a), WorkloadDigest(b));
  b.mutable_inputs(0)->mutable_safetensors()->set_tensor_key("y");
  EXPECT_NE(WorkloadDigest(a), WorkloadDigest(b));
}

}  // namespace
}  // namespace assay

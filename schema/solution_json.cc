#include <utility>

#include "absl/strings/str_cat.h"
#include "schema/binding.h"
#include "schema/json_objects.h"
#include "schema/json_path.h"

namespace assay::json_internal {
namespace {

v1::BuildSpec::Language ReadLanguage(JsonObject& object) {
  const absl::optional<std::string> name = object.Word("language");
  if (!name.has_value()) return v1::BuildSpec::LANGUAGE_UNSPECIFIED;
  const absl::optional<v1::BuildSpec::Language> language = ParseLanguage(*name);
  if (!language.has_value()) {
    object.Complain(
        "language",
        absl::StrCat("unknown language ", Quoted(*name),
                     ", use one of: python, triton, cpp, cuda, tilelang"));
  }
  return language.value_or(v1::BuildSpec::LANGUAGE_UNSPECIFIED);
}

v1::BuildSpec::Binding ReadBinding(JsonObject& object) {
  if (object.OptionalValue("binding") == nullptr) {
    return v1::BuildSpec::BINDING_UNSPECIFIED;
  }
  const absl::optional<std::string> name = object.Word("binding");
  if (!name.has_value()) return v1::BuildSpec::BINDING_UNSPECIFIED;
  const absl::optional<v1::BuildSpec::Binding> binding = ParseBinding(*name);
  if (!binding.has_value()) {
    object.Complain("binding", absl::StrCat("unknown binding ", Quoted(*name),
                                            ", use one of: tvm-ffi, torch, c"));
  }
  return binding.value_or(v1::BuildSpec::BINDING_UNSPECIFIED);
}

v1::BuildSpec ReadSpec(const Json& value, const std::string& path,
                       Problems& problems) {
  JsonObject object(value, path, problems);
  v1::BuildSpec spec;
  spec.set_language(ReadLanguage(object));
  for (std::string& word : object.OptionalStrings("target_hardware")) {
    spec.add_target_hardware(std::move(word));
  }
  spec.set_entry_point(object.String("entry_point"));
  spec.set_destination_passing_style(
      object.OptionalBool("destination_passing_style").value_or(true));
  spec.set_binding(ReadBinding(object));
  for (std::string& dependency : object.OptionalStrings("dependencies")) {
    spec.add_dependencies(std::move(dependency));
  }
  for (std::string& option : object.OptionalStrings("compile_options")) {
    spec.add_compile_options(std::move(option));
  }
  spec.set_unknown_json(object.UnknownMembers());
  return spec;
}

v1::SourceFile ReadSource(const Json& value, const std::string& path,
                          Problems& problems) {
  JsonObject object(value, path, problems);
  v1::SourceFile source;
  source.set_path(object.String("path"));
  source.set_content(object.OptionalString("content"));
  source.set_unknown_json(object.UnknownMembers());
  return source;
}

Json ToJson(const v1::BuildSpec& spec) {
  Json json = Json::object();
  json["language"] = std::string(LanguageName(spec.language()));
  json["target_hardware"] = spec.target_hardware();
  json["entry_point"] = spec.entry_point();
  json["destination_passing_style"] = spec.destination_passing_style();
  json["binding"] = nullptr;
  if (spec.binding() != v1::BuildSpec::BINDING_UNSPECIFIED) {
    json["binding"] = std::string(BindingName(spec.binding()));
  }
  json["dependencies"] = spec.dependencies();
  if (!spec.compile_options().empty()) {
    json["compile_options"] = spec.compile_options();
  }
  AppendUnknown(spec.unknown_json(), json);
  return json;
}

Json ToJson(const v1::SourceFile& source) {
  Json json = Json::object();
  json["path"] = source.path();
  json["content"] = source.content();
  AppendUnknown(source.unknown_json(), json);
  return json;
}

}  // namespace

v1::Solution ReadSolution(const Json& value, Problems& problems) {
  JsonObject object(value, "$", problems);
  v1::Solution solution;
  solution.set_name(object.String("name"));
  solution.set_definition(object.String("definition"));
  solution.set_author(object.String("author"));
  solution.set_description(object.OptionalString("description"));
  if (const Json* spec = object.Value("spec"); spec != nullptr) {
    *solution.mutable_spec() = ReadSpec(*spec, object.PathOf("spec"), problems);
  }
  object.ForEachElement(
      "sources", [&](const Json& source, const std::string& path) {
        *solution.add_sources() = ReadSource(source, path, problems);
      });
  solution.set_unknown_json(object.UnknownMembers());
  return solution;
}

Json ToJson(const v1::Solution& solution) {
  Json json = Json::object();
  json["name"] = solution.name();
  json["definition"] = solution.definition();
  json["author"] = solution.author();
  if (!solution.description().empty()) {
    json["description"] = solution.description();
  }
  json["spec"] = ToJson(solution.spec());
  json["sources"] = Json::array();
  for (const v1::SourceFile& source : solution.sources()) {
    json["sources"].push_back(ToJson(source));
  }
  AppendUnknown(solution.unknown_json(), json);
  return json;
}

}  // namespace assay::json_internal

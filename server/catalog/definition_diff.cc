#include "server/catalog/definition_diff.h"

#include <google/protobuf/util/message_differencer.h>

#include <vector>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

using google::protobuf::util::MessageDifferencer;

// Keeps the first path that it is told of.
class FirstPath final : public MessageDifferencer::Reporter {
 public:
  using Path = std::vector<MessageDifferencer::SpecificField>;

  void ReportAdded(const google::protobuf::Message&,
                   const google::protobuf::Message&,
                   const Path& path) override {
    Keep(path);
  }
  void ReportDeleted(const google::protobuf::Message&,
                     const google::protobuf::Message&,
                     const Path& path) override {
    Keep(path);
  }
  void ReportModified(const google::protobuf::Message&,
                      const google::protobuf::Message&,
                      const Path& path) override {
    Keep(path);
  }

  const std::string& text() const { return text_; }

 private:
  void Keep(const Path& path) {
    if (!text_.empty()) return;
    for (const MessageDifferencer::SpecificField& part : path) {
      absl::StrAppend(&text_, text_.empty() ? "" : ".", part.field->name());
      if (part.index >= 0) {
        absl::StrAppend(&text_, "[", part.index, "]");
      } else if (part.new_index >= 0) {
        absl::StrAppend(&text_, "[", part.new_index, "]");
      }
    }
  }

  std::string text_;
};

// Leaves out what the digest leaves out.
void IgnoreFreeText(MessageDifferencer& differencer) {
  const auto ignore = [&](const google::protobuf::Descriptor* message,
                          std::initializer_list<const char*> names) {
    for (const char* name : names) {
      differencer.IgnoreField(message->FindFieldByName(name));
    }
  };
  ignore(v1::Definition::descriptor(), {"description", "tags", "unknown_json"});
  ignore(v1::Axis::descriptor(), {"description", "parent", "unknown_json"});
  ignore(v1::TensorSpec::descriptor(), {"description", "unknown_json"});
}

}  // namespace

std::string FirstDifference(const v1::Definition& stored,
                            const v1::Definition& given) {
  MessageDifferencer differencer;
  IgnoreFreeText(differencer);
  FirstPath first;
  differencer.ReportDifferencesTo(&first);
  differencer.Compare(stored, given);
  return first.text();
}

}  // namespace assay

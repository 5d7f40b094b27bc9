#include "client/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "client/cli/close_matches.h"
#include "client/cli/units.h"

namespace assay {
namespace {

void Describe(CLI::Option& option, const FlagHelp& help) {
  if (*help.type != '\0') option.type_name(help.type);
  option.group(help.group);
}

// What is wrong with a number, or nothing. CLI11's own check would show the
// range in the place of the type.
template <typename Number>
std::function<std::string(const std::string&)> RangeCheck(Number min,
                                                          Number max) {
  return [min, max](const std::string& text) -> std::string {
    Number number = 0;
    if (CLI::detail::lexical_cast(text, number) && number >= min &&
        number <= max) {
      return "";
    }
    return absl::StrCat("\"", text, "\" is not a number from ", min, " to ",
                        max);
  };
}

// The innermost command that the arguments reached.
const CLI::App& Reached(const CLI::App& app) {
  const CLI::App* reached = &app;
  while (!reached->get_subcommands().empty()) {
    reached = reached->get_subcommands().front();
  }
  return *reached;
}

std::string FullName(const CLI::App& command) {
  std::string name = command.get_name();
  for (const CLI::App* parent = command.get_parent(); parent != nullptr;
       parent = parent->get_parent()) {
    name = absl::StrCat(parent->get_name(), " ", name);
  }
  return name;
}

// Whether a word that was not expected is a command misspelt; empty when the
// command has no commands of its own, or no word is left over.
std::string UnknownCommand(const CLI::App& root, const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* one :
       command.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(one->get_name());
  }
  if (names.empty()) return "";
  for (const std::string& word : root.remaining(/*recurse=*/true)) {
    if (word.empty() || word[0] == '-') continue;
    return absl::StrCat("there is no command \"", word, "\"; ",
                        SuggestNames(word, names, "commands"));
  }
  return "";
}

}  // namespace

Command Command::AddCommand(const char* name, const char* description) {
  return Command(*app_->add_subcommand(name, description));
}

Command Command::AddGroup(const char* name, const char* description) {
  CLI::App* group = app_->add_subcommand(name, description);
  group->require_subcommand(1);
  return Command(*group);
}

void Command::Required(const char* name, std::string& value,
                       const char* description) {
  app_->add_option(name, value, description)->required();
}

void Command::Required(const char* name, std::vector<std::string>& values,
                       const char* description) {
  app_->add_option(name, values, description)->required();
}

void Command::Optional(const char* name, std::string& value,
                       const char* description) {
  app_->add_option(name, value, description);
}

void Command::Optional(const char* name, std::vector<std::string>& values,
                       const char* description) {
  app_->add_option(name, values, description);
}

void Command::Switch(const char* flag, bool& value, const FlagHelp& help) {
  Describe(*app_->add_flag(flag, value, help.description), help);
}

void Command::Text(const char* flag, std::string& value, const FlagHelp& help) {
  Describe(*app_->add_option(flag, value, help.description), help);
}

void Command::RequiredText(const char* flag, std::string& value,
                           const FlagHelp& help) {
  CLI::Option* option = app_->add_option(flag, value, help.description);
  option->required();
  Describe(*option, help);
}

void Command::Choice(const char* flag, std::string& value,
                     const std::vector<std::string>& words,
                     const FlagHelp& help) {
  CLI::Option* option = app_->add_option(flag, value, help.description);
  option->transform(CLI::IsMember(words, CLI::ignore_case));
  option->group(help.group);
}

void Command::List(const char* flag, std::vector<std::string>& values,
                   const FlagHelp& help) {
  CLI::Option* option = app_->add_option(flag, values, help.description);
  // One argument for each flag: what follows is a flag or a path.
  option->delimiter(',')->allow_extra_args(false);
  Describe(*option, help);
}

void Command::Number(const char* flag, std::optional<int>& value, int min,
                     int max, const FlagHelp& help) {
  CLI::Option* option = app_->add_option(flag, value, help.description);
  option->check(RangeCheck<int>(min, max));
  Describe(*option, help);
}

void Command::Number(const char* flag, std::optional<double>& value, double min,
                     double max, const FlagHelp& help) {
  CLI::Option* option = app_->add_option(flag, value, help.description);
  option->check(RangeCheck<double>(min, max));
  Describe(*option, help);
}

void Command::Duration(const char* flag, std::optional<absl::Duration>& value,
                       const FlagHelp& help) {
  CLI::Option* option = app_->add_option_function<std::string>(
      flag,
      [&value](const std::string& text) {
        const absl::StatusOr<absl::Duration> duration = ParseDuration(text);
        if (duration.ok()) value = *duration;
      },
      help.description);
  option->check([](const std::string& text) -> std::string {
    const absl::StatusOr<absl::Duration> duration = ParseDuration(text);
    return duration.ok() ? "" : std::string(duration.status().message());
  });
  Describe(*option, help);
}

void Command::OnChosen(std::function<void()> action) {
  app_->callback(std::move(action));
}

CommandLine::CommandLine(const char* program, const char* description,
                         const std::string& version, const char* footer)
    : version_(absl::StrCat(program, " ", version)),
      footer_(footer),
      app_(std::make_unique<CLI::App>(description, program)) {
  app_->set_version_flag("--version", version_);
  app_->require_subcommand(1);
  app_->get_formatter()->column_width(28);
}

CommandLine::~CommandLine() = default;

Command CommandLine::root() { return Command(*app_); }

ParseResult CommandLine::Parse(const std::vector<std::string>& arguments) {
  // Commands take over the footer that there is when they are added; this one
  // is for the program alone.
  app_->footer(footer_);
  // The parser throws, also what its checks find; nothing gets past here.
  try {
    // It takes them last first.
    app_->parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    return {ParseResult::kChosen, ""};
  } catch (const CLI::CallForHelp&) {
    return {ParseResult::kAnswered, app_->help()};
  } catch (const CLI::CallForVersion&) {
    return {ParseResult::kAnswered, absl::StrCat(version_, "\n")};
  } catch (const CLI::ParseError& error) {
    const CLI::App& command = Reached(*app_);
    std::string what = UnknownCommand(*app_, command);
    if (what.empty()) what = error.what();
    return {ParseResult::kWrong,
            absl::StrCat(what, "\nsee \"", FullName(command), " --help\"")};
  }
}

}  // namespace assay

// The command line: commands, their arguments and flags. A front of CLI11 that
// throws nothing and compiles fast.
//
//   CommandLine line("assay", "Benchmarks GPU kernels.", kVersion);
//   Command watch = line.root().AddCommand("watch", "Show evaluations");
//   watch.Required("id", flags->ids, "Ids of submissions");
//   watch.OnChosen([flags] { ... });
//   ParseResult result = line.Parse({"watch", "sub-1"});
//
// Variables that arguments are stored in outlive the call of Parse.

#ifndef ASSAY_CLIENT_CLI_COMMAND_LINE_H_
#define ASSAY_CLIENT_CLI_COMMAND_LINE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace CLI {
class App;
}  // namespace CLI

namespace assay {

// How a flag shows in `--help`.
struct FlagHelp {
  FlagHelp(const char* description)  // NOLINT(google-explicit-constructor)
      : description(description) {}
  FlagHelp(const char* description, const char* type,
           const char* group = "Options")
      : description(description), type(type), group(group) {}

  const char* description;
  // What stands for the value; empty: by its kind.
  const char* type = "";
  const char* group = "Options";
};

// One command, or a group of them. Cheap to copy; the CommandLine outlives it.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command AddCommand(const char* name, const char* description);
  // A command that is nothing without one of its own commands.
  Command AddGroup(const char* name, const char* description);

  // Positional arguments, in their order.
  void Required(const char* name, std::string& value, const char* description);
  void Required(const char* name, std::vector<std::string>& values,
                const char* description);
  void Optional(const char* name, std::string& value, const char* description);
  void Optional(const char* name, std::vector<std::string>& values,
                const char* description);

  // Flags. What is not given is left as it is.
  void Switch(const char* flag, bool& value, const FlagHelp& help);
  void Text(const char* flag, std::string& value, const FlagHelp& help);
  void RequiredText(const char* flag, std::string& value, const FlagHelp& help);
  // One of the words, in any case; stored as written in `words`.
  void Choice(const char* flag, std::string& value,
              const std::vector<std::string>& words, const FlagHelp& help);
  // Separated by commas, or the flag several times.
  void List(const char* flag, std::vector<std::string>& values,
            const FlagHelp& help);
  // From `min` to `max`, both included.
  void Number(const char* flag, std::optional<int>& value, int min, int max,
              const FlagHelp& help);
  void Number(const char* flag, std::optional<double>& value, double min,
              double max, const FlagHelp& help);
  // As ParseDuration reads it.
  void Duration(const char* flag, std::optional<absl::Duration>& value,
                const FlagHelp& help);

  // Called by Parse when this is the command that was named.
  void OnChosen(std::function<void()> action);

 private:
  CLI::App* app_;
};

struct ParseResult {
  enum Kind {
    // The chosen command's action has been called.
    kChosen,
    // `text` answers --help or --version.
    kAnswered,
    // `text` says what is wrong and where help is.
    kWrong,
  };
  Kind kind = kChosen;
  std::string text;
};

// The whole command line. Thread-compatible.
class CommandLine {
 public:
  // `footer` ends the help of the program as a whole.
  CommandLine(const char* program, const char* description,
              const std::string& version, const char* footer);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command root();

  // `arguments` are without the program's name.
  ParseResult Parse(const std::vector<std::string>& arguments);

 private:
  const std::string version_;
  const std::string footer_;
  const std::unique_ptr<CLI::App> app_;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_COMMAND_LINE_H_

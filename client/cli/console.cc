#include "client/cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "client/cli/text.h"

namespace assay {
namespace {

// Back to the first column, and everything to its right removed.
constexpr char kEraseLine[] = "\r\x1b[K";

bool IsSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

int TerminalWidth(int fd) {
  winsize size = {};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return size.ws_col;
  }
  return 80;
}

absl::string_view Code(Color color) {
  switch (color) {
    case Color::kNone:
      return "";
    case Color::kGreen:
      return "\x1b[32m";
    case Color::kRed:
      return "\x1b[31m";
    case Color::kYellow:
      return "\x1b[33m";
    case Color::kBold:
      return "\x1b[1m";
  }
  return "";
}

}  // namespace

Console Console::Standard() {
  Options options;
  options.out = &std::cout;
  options.err = &std::cerr;
  options.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  options.err_is_terminal = isatty(STDERR_FILENO) == 1;
  if (options.out_is_terminal) {
    options.width = TerminalWidth(STDOUT_FILENO);
  } else if (options.err_is_terminal) {
    options.width = TerminalWidth(STDERR_FILENO);
  }
  const char* terminal = std::getenv("TERM");
  options.color_allowed =
      !IsSet("NO_COLOR") &&
      !(terminal != nullptr && absl::string_view(terminal) == "dumb");
  return Console(options);
}

void Console::Print(absl::string_view line) {
  EraseProgress();
  *options_.out << line << '\n';
  options_.out->flush();
  DrawProgress();
}

void Console::Note(absl::string_view line) {
  EraseProgress();
  *options_.err << line << '\n';
  options_.err->flush();
  DrawProgress();
}

void Console::Error(absl::string_view message) {
  Note(absl::StrCat("assay: ", message));
}

void Console::SetProgress(absl::string_view line) {
  if (!options_.err_is_terminal || line == progress_) return;
  EraseProgress();
  progress_ = std::string(line);
  DrawProgress();
}

std::string Console::Paint(absl::string_view text, Color color) const {
  if (!options_.out_is_terminal || !options_.color_allowed ||
      color == Color::kNone) {
    return std::string(text);
  }
  return absl::StrCat(Code(color), text, "\x1b[0m");
}

void Console::EraseProgress() {
  if (progress_.empty()) return;
  *options_.err << kEraseLine;
  options_.err->flush();
}

void Console::DrawProgress() {
  if (progress_.empty()) return;
  // A line that wraps could not be erased.
  const int width = options_.width > 1 ? options_.width - 1 : 79;
  *options_.err << CutEnd(progress_, width);
  options_.err->flush();
}

}  // namespace assay

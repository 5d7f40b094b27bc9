// Where a command writes: results to `out`, everything else to `err`.

#ifndef ASSAY_CLIENT_CLI_CONSOLE_H_
#define ASSAY_CLIENT_CLI_CONSOLE_H_

#include <ostream>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {

enum class Color { kNone, kGreen, kRed, kYellow, kBold };

// Thread-compatible. The streams outlive it.
class Console {
 public:
  struct Options {
    std::ostream* out = nullptr;
    std::ostream* err = nullptr;
    bool out_is_terminal = false;
    bool err_is_terminal = false;
    // Columns of the terminal; 0 when there is none: nothing is cut then.
    int width = 0;
    // Whether $NO_COLOR and $TERM allow colour on a terminal.
    bool color_allowed = true;
  };

  explicit Console(const Options& options) : options_(options) {}

  // The process's own streams, terminal and environment.
  static Console Standard();

  std::ostream& out() { return *options_.out; }
  int width() const { return options_.out_is_terminal ? options_.width : 0; }

  // Whether results can no longer be written.
  bool broken() const { return !options_.out->good(); }

  // A line of results.
  void Print(absl::string_view line);
  // A line beside the results. `assay: ` goes in front of an error.
  void Note(absl::string_view line);
  void Error(absl::string_view message);

  // The one line on `err` that is redrawn in place. Nothing of it is seen
  // unless `err` is a terminal. Lines printed meanwhile go above it.
  void SetProgress(absl::string_view line);
  void ClearProgress() { SetProgress(""); }

  // `text` in the colour, where results are coloured.
  std::string Paint(absl::string_view text, Color color) const;

 private:
  void EraseProgress();
  void DrawProgress();

  const Options options_;
  std::string progress_;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_CONSOLE_H_

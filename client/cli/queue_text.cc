#include "client/cli/queue_text.h"

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "client/cli/text.h"
#include "client/cli/units.h"

namespace assay {
namespace {

std::string Ordinal(int number) {
  const int tens = number % 100;
  const char* ending = "th";
  if (tens < 11 || tens > 13) {
    if (number % 10 == 1) ending = "st";
    if (number % 10 == 2) ending = "nd";
    if (number % 10 == 3) ending = "rd";
  }
  return absl::StrCat(number, ending);
}

}  // namespace

std::string QueueText(const v1::QueueStatus& queue) {
  if (!queue.note().empty()) return queue.note();
  std::string text = "next";
  if (queue.position() > 1) {
    text = absl::StrCat(Ordinal(queue.position()), ": ",
                        Count(queue.jobs_ahead(), "job"),
                        queue.jobs_ahead() == 1 ? " goes first" : " go first");
  }
  if (queue.has_estimated_wait()) {
    const absl::Duration wait =
        absl::Seconds(queue.estimated_wait().seconds()) +
        absl::Nanoseconds(queue.estimated_wait().nanos());
    absl::StrAppend(&text, ", about ", FormatElapsed(wait));
  }
  return text;
}

}  // namespace assay

#include "worker/log_capture.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "base/posix.h"

namespace assay {
namespace {

// What a pipe holds when it is full, by default.
constexpr size_t kPipeBytes = 64 << 10;

constexpr char kReplacement[] = "\xEF\xBF\xBD";  // U+FFFD
constexpr char kVisibleNul[] = "\xE2\x90\x80";   // U+2400
constexpr char kEllipsis[] = "\xE2\x80\xA6";     // U+2026

bool IsContinuation(char c) { return (c & 0xC0) == 0x80; }

// Length of the well-formed UTF-8 sequence that `text` starts with; 0 when it
// does not start with one. As in table 3-7 of the Unicode standard: no overlong
// forms, no surrogates, nothing above U+10FFFF.
size_t Utf8SequenceLength(absl::string_view text) {
  const auto byte = [&text](size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (text.size() < length || byte(1) < low || byte(1) > high) return 0;
  for (size_t i = 2; i < length; ++i) {
    if (!IsContinuation(text[i])) return 0;
  }
  return length;
}

// Makes `text` presentable: valid UTF-8 without NUL.
std::string Sanitized(absl::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    if (length == 0) {
      result += kReplacement;
    } else if (text[0] == '\0') {
      result += kVisibleNul;
    } else {
      result.append(text.data(), length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return result;
}

// Number of bytes at the end of `text` that may be the start of a character
// that was cut; at most 3.
size_t CutCharacterAtEnd(absl::string_view text) {
  for (size_t back = 1; back <= std::min<size_t>(3, text.size()); ++back) {
    const char c = text[text.size() - back];
    if (IsContinuation(c)) continue;
    const bool leads = (c & 0xC0) == 0xC0;
    return leads && Utf8SequenceLength(text.substr(text.size() - back)) == 0
               ? back
               : 0;
  }
  return 0;
}

// Number of bytes at the start of `text` that end a character that was cut.
size_t CutCharacterAtStart(absl::string_view text) {
  size_t count = 0;
  while (count < std::min<size_t>(3, text.size()) &&
         IsContinuation(text[count])) {
    ++count;
  }
  return count;
}

}  // namespace

void BoundedLog::Append(absl::string_view data) {
  const size_t to_head = std::min(data.size(), head_bytes_ - head_.size());
  head_.append(data.data(), to_head);
  data.remove_prefix(to_head);
  after_head_ += data.size();
  if (data.size() > tail_bytes_) data.remove_prefix(data.size() - tail_bytes_);
  tail_.append(data.data(), data.size());
  // Trimmed at twice the size, so that each byte is moved once at most.
  if (tail_.size() > 2 * tail_bytes_) {
    tail_.erase(0, tail_.size() - tail_bytes_);
  }
}

std::string BoundedLog::Text() const {
  if (after_head_ <= tail_bytes_) {
    return Sanitized(absl::StrCat(head_, tail_));
  }
  absl::string_view head = head_;
  absl::string_view tail = tail_;
  tail.remove_prefix(tail.size() - tail_bytes_);
  uint64_t cut = after_head_ - tail_bytes_;
  const size_t head_part = CutCharacterAtEnd(head);
  const size_t tail_part = CutCharacterAtStart(tail);
  head.remove_suffix(head_part);
  tail.remove_prefix(tail_part);
  cut += head_part + tail_part;
  return absl::StrCat(Sanitized(head), "\n", kEllipsis, " ", cut, " bytes cut ",
                      kEllipsis, "\n", Sanitized(tail));
}

void BoundedLog::Clear() {
  head_.clear();
  tail_.clear();
  after_head_ = 0;
}

absl::StatusOr<std::unique_ptr<LogCapture>> LogCapture::Start() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return PosixError("pipe");
  UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  // This end only: the writers share the other one's flags and would get
  // EAGAIN.
  if (fcntl(read_end.get(), F_SETFL, O_NONBLOCK) != 0) {
    return PosixError("fcntl");
  }
  UniqueFd stop(eventfd(0, EFD_CLOEXEC));
  if (!stop.valid()) return PosixError("eventfd");
  return absl::WrapUnique(new LogCapture(
      std::move(read_end), std::move(write_end), std::move(stop)));
}

LogCapture::LogCapture(UniqueFd read_end, UniqueFd write_end, UniqueFd stop)
    : read_end_(std::move(read_end)),
      write_end_(std::move(write_end)),
      stop_(std::move(stop)),
      log_(kHeadBytes, kTailBytes),
      thread_([this] { ReadLoop(); }) {}

LogCapture::~LogCapture() { Finish(); }

bool LogCapture::ReadSome() {
  char buffer[16 << 10];
  // Held while reading, too, so that two readers append in the pipe's order.
  absl::MutexLock lock(&mutex_);
  ssize_t got;
  do {
    got = read(read_end_.get(), buffer, sizeof(buffer));
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return false;
  printed_bytes_ += got;
  log_.Append({buffer, static_cast<size_t>(got)});
  return true;
}

void LogCapture::ReadLoop() {
  pollfd pollers[] = {{read_end_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
  while (true) {
    if (poll(pollers, 2, -1) < 0 && errno != EINTR) return;
    if (pollers[1].revents != 0) break;
    // POLLHUP without data: no writer is left.
    if (pollers[0].revents != 0 && !ReadSome() &&
        (pollers[0].revents & POLLHUP) != 0) {
      return;
    }
  }
  ReadPipe();
}

void LogCapture::ReadPipe() {
  // What processes wrote so far is in the pipe by now. Not more than it can
  // hold: one that still writes would keep this going.
  for (size_t left = 2 * kPipeBytes / (16 << 10); left > 0 && ReadSome();) {
    --left;
  }
}

std::string LogCapture::Finish() {
  if (thread_.joinable()) {
    write_end_.Reset();
    const uint64_t one = 1;
    while (write(stop_.get(), &one, sizeof(one)) < 0 && errno == EINTR) {
    }
    thread_.join();
  }
  return Snapshot();
}

std::string LogCapture::Drain() {
  ReadPipe();
  absl::MutexLock lock(&mutex_);
  std::string text = log_.Text();
  log_.Clear();
  return text;
}

std::string LogCapture::Snapshot() const {
  absl::MutexLock lock(&mutex_);
  return log_.Text();
}

}  // namespace assay

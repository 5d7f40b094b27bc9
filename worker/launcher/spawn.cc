#include "worker/launcher/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "worker/launcher/user_namespace.h"

namespace assay {
namespace {

constexpr int kMaxFdNumber = 255;

// What a child writes before it gives up: which step failed, and errno.
struct Failure {
  const char* step;
  int error_number;
};

// The parts of a Spawn in the form that the system calls want.
struct Program {
  std::vector<char*> argv;
  std::vector<char*> env;
  // (descriptor here, its number in the program)
  std::vector<std::pair<int, int>> fds;
  // To write to, to become a member of a control group; negative: none.
  int control_group = -1;
  // Those of `fds` that end with the spawn.
  std::vector<UniqueFd> data;
};

std::vector<char*> Pointers(
    const google::protobuf::RepeatedPtrField<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) {
    pointers.push_back(const_cast<char*>(text.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

absl::StatusOr<UniqueFd> DataFile(const std::string& content) {
  UniqueFd file(memfd_create("assay-data", MFD_CLOEXEC));
  if (!file.valid()) return PosixError("memfd_create");
  ASSAY_RETURN_IF_ERROR(WriteAll(file.get(), content, "data of a program"));
  if (lseek(file.get(), 0, SEEK_SET) != 0) return PosixError("lseek");
  return file;
}

absl::Status CheckNumbers(const Program& program) {
  std::set<int> numbers;
  for (const auto& [here, number] : program.fds) {
    if (number < 0 || number > kMaxFdNumber || !numbers.insert(number).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "descriptor number ", number, " is out of range or named twice"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Program> MakeProgram(const worker::Spawn& spawn,
                                    const std::vector<UniqueFd>& fds) {
  if (spawn.argv().empty()) {
    return absl::InvalidArgumentError("no program is named");
  }
  const int announced = spawn.fds_size() + (spawn.control_group() ? 1 : 0);
  if (static_cast<size_t>(announced) != fds.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        announced, " descriptors are announced, but ", fds.size(), " came"));
  }
  Program program;
  program.argv = Pointers(spawn.argv());
  program.env = Pointers(spawn.env());
  for (int i = 0; i < spawn.fds_size(); ++i) {
    program.fds.emplace_back(fds[static_cast<size_t>(i)].get(), spawn.fds(i));
  }
  if (spawn.control_group()) program.control_group = fds.back().get();
  for (const worker::Data& data : spawn.data()) {
    ASSAY_ASSIGN_OR_RETURN(UniqueFd file, DataFile(data.content()));
    program.fds.emplace_back(file.get(), data.fd());
    program.data.push_back(std::move(file));
  }
  if (spawn.has_user_namespace()) {
    const worker::UserNamespace& wanted = spawn.user_namespace();
    ASSAY_ASSIGN_OR_RETURN(UniqueFd space, MakeUserNamespace(wanted.id()));
    program.fds.emplace_back(space.get(), wanted.fd());
    program.data.push_back(std::move(space));
  }
  ASSAY_RETURN_IF_ERROR(CheckNumbers(program));
  return program;
}

bool SetLimit(__rlimit_resource resource, bool is_set, int64_t value) {
  if (!is_set) return true;
  rlimit limit;
  if (getrlimit(resource, &limit) != 0) return false;
  // A limit that is already lower stays: raising it takes privilege.
  const auto wanted = static_cast<rlim_t>(value);
  limit.rlim_cur = limit.rlim_max = std::min(wanted, limit.rlim_max);
  return setrlimit(resource, &limit) == 0;
}

bool SetProcessors(const worker::Limits& limits) {
  if (limits.cpus().empty()) return true;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : limits.cpus()) {
    if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(cpu, &set);
  }
  return sched_setaffinity(0, sizeof(set), &set) == 0;
}

bool SetNiceness(const worker::Limits& limits) {
  if (limits.nice() == 0) return true;
  errno = 0;
  return nice(limits.nice()) != -1 || errno == 0;
}

bool SetLimits(const worker::Limits& limits) {
  return SetProcessors(limits) && SetNiceness(limits) &&
         SetLimit(RLIMIT_CORE, limits.has_core_bytes(), limits.core_bytes()) &&
         SetLimit(RLIMIT_FSIZE, limits.has_file_bytes(), limits.file_bytes()) &&
         SetLimit(RLIMIT_NPROC, limits.has_processes(), limits.processes()) &&
         SetLimit(RLIMIT_NOFILE, limits.has_open_files(),
                  limits.open_files()) &&
         SetLimit(RLIMIT_CPU, limits.has_cpu_seconds(), limits.cpu_seconds()) &&
         SetLimit(RLIMIT_AS, limits.has_address_space_bytes(),
                  limits.address_space_bytes());
}

// When memory runs out the kernel takes these processes first, and the worker
// lives. Where it cannot be set it is not missed.
void OfferToOomKiller() {
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  [[maybe_unused]] const ssize_t written = write(fd, "500", 3);
  close(fd);
}

void ResetSignals() {
  // What is ignored here, or was by whoever started the worker, would be
  // ignored in the program. Fails for the C library's own two, which is fine.
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Gives the descriptors their numbers. Everything else is close-on-exec.
bool PlaceFds(const std::vector<std::pair<int, int>>& fds) {
  // Out of the way first: one's number may be where another lies now.
  std::vector<std::pair<int, int>> moved;
  for (const auto& [here, there] : fds) {
    const int high = fcntl(here, F_DUPFD_CLOEXEC, kMaxFdNumber + 1);
    if (high < 0) return false;
    moved.emplace_back(high, there);
  }
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return false;
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (dup2(null, number) < 0) return false;
  }
  for (const auto& [high, there] : moved) {
    if (dup2(high, there) < 0) return false;
  }
  return true;
}

// Runs in the child and returns the step that failed, if one does.
const char* BecomeProgram(const Program& program, const worker::Spawn& spawn,
                          pid_t launcher) {
  if (setpgid(0, 0) != 0) return "making a process group";
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return "prctl";
  // The launcher may have died before prctl.
  if (getppid() != launcher) return "finding the launcher";
  if (program.control_group >= 0 && write(program.control_group, "0", 1) != 1) {
    return "joining a control group";
  }
  if (!spawn.working_directory().empty() &&
      chdir(spawn.working_directory().c_str()) != 0) {
    return "entering the working directory";
  }
  if (!PlaceFds(program.fds)) return "placing descriptors";
  OfferToOomKiller();
  if (!SetLimits(spawn.limits())) return "setting resource limits";
  ResetSignals();
  execve(program.argv[0], program.argv.data(), program.env.data());
  return "executing";
}

// Waits for the pipe to close (the program runs) or to deliver a failure.
absl::Status ReadFailure(int pipe, const worker::Spawn& spawn) {
  Failure failure;
  ssize_t got;
  do {
    got = read(pipe, &failure, sizeof(failure));
  } while (got < 0 && errno == EINTR);
  if (got == 0) return absl::OkStatus();
  if (got != sizeof(failure)) return PosixError("reading from a child");
  // The child is a copy of this process: its pointers are valid here.
  return PosixError(
      absl::StrCat("cannot start \"", spawn.argv(0), "\" in \"",
                   spawn.working_directory(), "\": ", failure.step),
      failure.error_number);
}

}  // namespace

absl::StatusOr<pid_t> SpawnProgram(const worker::Spawn& spawn,
                                   const std::vector<UniqueFd>& fds) {
  ASSAY_ASSIGN_OR_RETURN(const Program program, MakeProgram(spawn, fds));
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return PosixError("pipe");
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const pid_t launcher = getpid();
  const pid_t pid = fork();
  if (pid < 0) return PosixError("fork");
  if (pid == 0) {
    // Above every number that a descriptor may be given.
    const int report =
        fcntl(write_end.get(), F_DUPFD_CLOEXEC, kMaxFdNumber + 1);
    Failure failure = {BecomeProgram(program, spawn, launcher), errno};
    const ssize_t ignored = write(report, &failure, sizeof(failure));
    _exit(ignored == sizeof(failure) ? 127 : 126);
  }
  write_end.Reset();
  const absl::Status status = ReadFailure(read_end.get(), spawn);
  if (!status.ok()) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    return status;
  }
  return pid;
}

}  // namespace assay

#include "worker/worker.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/channel_security.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/secure_channel.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "worker/blob/blob_cache.h"
#include "worker/build/builder.h"
#include "worker/build/torch_toolkit.h"
#include "worker/cpu_shares.h"
#include "worker/cuda/driver.h"
#include "worker/device/cpu_device.h"
#include "worker/device/cuda_device.h"
#include "worker/evaluate/baseline.h"
#include "worker/evaluate/baseline_pool.h"
#include "worker/evaluate/evaluation_tools.h"
#include "worker/evaluate/latency_cache.h"
#include "worker/evaluate/lease_evaluation.h"
#include "worker/evaluate/source_bundle.h"
#include "worker/gpu_tools.h"
#include "worker/launcher/launcher.h"
#include "worker/lease/lease_loop.h"
#include "worker/lease/report_spool.h"
#include "worker/runner/native_runner.h"
#include "worker/runner/python_zygote.h"
#include "worker/sandbox/control_group.h"
#include "worker/sandbox/group_files.h"
#include "worker/sandbox/self_test.h"
#include "worker/tool_versions.h"

namespace assay {
namespace {

constexpr int kMaxMessageBytes = 64 << 20;
constexpr int64_t kGpuBytesALease = int64_t{8} << 30;

absl::StatusOr<std::shared_ptr<grpc::Channel>> Connect(
    const std::string& address, const ChannelSecurity& security) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  // A coordinator that restarts is found again soon.
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2000);
  return MakeChannel(address, security, arguments);
}

// Folders of installations, `bin` left out, that the interpreter belongs to,
// beyond the system's.
std::vector<std::string> PythonPrefixes(const std::string& python) {
  std::vector<std::string> prefixes;
  std::error_code error;
  for (const std::filesystem::path& path :
       {std::filesystem::path(python),
        std::filesystem::canonical(python, error)}) {
    const std::string prefix = path.parent_path().parent_path().string();
    if (!prefix.empty() && prefix != "/" && prefix != "/usr") {
      prefixes.push_back(prefix);
    }
  }
  return prefixes;
}

// Both zygotes import torch: at the same time.
absl::Status StartZygotes(Launcher& launcher, const Sandbox& sandbox,
                          PythonZygoteOptions options,
                          std::unique_ptr<PythonZygote>& solutions,
                          std::unique_ptr<PythonZygote>& references) {
  absl::Status other_status;
  PythonZygoteOptions other_options = options;
  other_options.user = SandboxUser::kReference;
  std::thread other([&] {
    absl::StatusOr<std::unique_ptr<PythonZygote>> started =
        PythonZygote::Start(launcher, sandbox, std::move(other_options));
    other_status = started.status();
    if (started.ok()) references = *std::move(started);
  });
  absl::StatusOr<std::unique_ptr<PythonZygote>> started =
      PythonZygote::Start(launcher, sandbox, std::move(options));
  other.join();
  ASSAY_RETURN_IF_ERROR(other_status);
  ASSAY_ASSIGN_OR_RETURN(solutions, std::move(started));
  return absl::OkStatus();
}

// What a child of a Python zygote can do, and a solution's must not.
constexpr char kSeesProcesses[] = "see processes outside";

// Runs a command as a Python solution would.
RunConfined InPythonChild(PythonZygote& zygote) {
  return [&zygote](const std::vector<std::string>& command)
             -> absl::StatusOr<std::string> {
    constexpr absl::Duration kTimeout = absl::Seconds(30);
    worker::SourceBundle bundle;
    v1::SourceFile& file = *bundle.add_files();
    file.set_path("main.py");
    file.set_content(absl::StrCat("import subprocess\nsubprocess.run([\"",
                                  absl::StrJoin(command, "\", \""),
                                  "\"])\ndef run(): pass\n"));
    ASSAY_ASSIGN_OR_RETURN(const SharedBytes content, ShareBundle(bundle));
    worker::Load load;
    load.set_kind(worker::Load::PYTHON);
    load.set_entry_file("main.py");
    load.set_symbol("run");
    load.set_content_bytes(content.size_bytes);
    ASSAY_ASSIGN_OR_RETURN(const auto session, zygote.Fork());
    ASSAY_ASSIGN_OR_RETURN(const RunnerOutcome outcome,
                           session->Load(load, content.fd.get(), kTimeout));
    if (outcome.kind != RunnerOutcome::kOk) {
      return absl::UnavailableError(absl::StrCat(
          "Python cannot run the sandbox's probe: ", outcome.failed.message(),
          outcome.detail));
    }
    return session->TakeLog();
  };
}

// Members are destroyed in reverse: what uses comes after what is used.
class WorkerImpl final : public Worker {
 public:
  absl::Status Init(const WorkerOptions& options) {
    options_ = options;
    ASSAY_ASSIGN_OR_RETURN(device_name_, ParseDeviceName(options.device));
    ASSAY_ASSIGN_OR_RETURN(options_.python, FindPython(options));
    ASSAY_ASSIGN_OR_RETURN(files_, FindWorkerFiles(options));
    ASSAY_ASSIGN_OR_RETURN(cache_, CacheDirectory(options));
    ASSAY_ASSIGN_OR_RETURN(const ChannelSecurity security,
                           ResolveChannelSecurity(options.security));
    // Before there are other processes.
    JoinControlGroups();
    // First of all: it forks, which nothing may that has threads or a GPU.
    ASSAY_ASSIGN_OR_RETURN(launcher_, Launcher::Start(files_.launcher));
    if (device_name_.kind == "cuda") {
      ASSAY_ASSIGN_OR_RETURN(gpu_,
                             FindGpuTools(options_, device_name_.ordinal));
      // Of a CPU all processors are measured.
      cpus_ = ShareCpus(AllowedCpus());
    }
    ASSAY_RETURN_IF_ERROR(StartSandbox());
    ASSAY_RETURN_IF_ERROR(StartBuilder());
    ASSAY_RETURN_IF_ERROR(OpenDevice());
    ASSAY_RETURN_IF_ERROR(StartPython());
    ASSAY_RETURN_IF_ERROR(TestOwnSandbox());
    ASSAY_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel,
                           Connect(options_.server, security));
    worker_stub_ = v1::WorkerService::NewStub(channel);
    blob_stub_ = v1::BlobService::NewStub(channel);
    blobs_ = std::make_unique<BlobCache>(*blob_stub_,
                                         absl::StrCat(cache_, "/blobs"));
    latencies_ = std::make_unique<LatencyCache>(
        absl::StrCat(cache_, "/reference_latencies"));
    // NOLINTNEXTLINE(modernize-make-unique): it makes no aggregates.
    tools_ = std::unique_ptr<EvaluationTools>(new EvaluationTools{
        *device_, *launcher_, *sandbox_, *builder_, NativeRunner(),
        *solution_zygote_, *baselines_, *blobs_, *latencies_, Clock::Real(),
        device_turn_, cpus_.measuring});
    OpenSpool();
    loop_ = std::make_unique<LeaseLoop>(LoopOptions());
    return absl::OkStatus();
  }

  absl::Status Run() override { return loop_->Run(); }
  void Stop() override { loop_->Stop(); }

  std::string Describe() const override {
    const v1::Device& device = device_->description();
    const std::map<std::string, std::string> libs(device.libs().begin(),
                                                  device.libs().end());
    return absl::StrCat(
        "worker     ", WorkerId(options_), "\n",  //
        "device     ", device.kind(), " ", device.model(), " ",
        device.architecture(), ", ", device.memory_bytes() >> 20,
        " MiB for evaluations\n",                      //
        DescribeCuda(),                                //
        "sandbox    ", sandbox_->description(), "\n",  //
        DescribeMissing(), "libraries  ",
        absl::StrJoin(libs, ", ", absl::PairFormatter(" ")), "\n");
  }

 private:
  std::string DescribeMissing() const {
    std::string lines;
    for (const std::string& missing : sandbox_->Missing()) {
      absl::StrAppend(&lines, "missing    ", missing, "\n");
    }
    return lines;
  }

  std::string DescribeCuda() const {
    if (!gpu_.has_value()) {
      const absl::StatusOr<const CudaDriver*> driver = CudaDriver::Load();
      if (driver.ok()) return "cuda       available, with --device=cuda\n";
      absl::string_view why = driver.status().message();
      absl::ConsumePrefix(&why, "CUDA is ");
      return absl::StrCat("cuda       ", why, "\n");
    }
    std::vector<std::string> architectures;
    for (const CudaArchitecture& architecture : gpu_->build.architectures) {
      architectures.push_back(architecture.Name());
    }
    const v1::Device& device = device_->description();
    return absl::StrCat(
        "gpu        ", device.uuid(), ", ",
        device.gpu().total_memory_bytes() >> 20, " MiB, ",
        device.gpu().multiprocessors(), " multiprocessors\n",  //
        "toolkit    ", gpu_->build.toolkit.folder, ", builds for ",
        absl::StrJoin(architectures, ", "), "\n",  //
        "timer      ",
        gpu_->cupti_path.empty() ? "CUDA events" : gpu_->cupti_path, "\n");
  }

  // What this place does not give is said, and done without.
  void JoinControlGroups() {
    if (options_.sandbox == SandboxMode::kOff) return;
    const absl::StatusOr<GroupPlace> place = GroupPlace::OfThisProcess();
    absl::Status status = place.status();
    if (status.ok()) {
      auto groups = ControlGroups::Create(GroupFiles::OfTheKernel(), *place);
      status = groups.status();
      if (groups.ok()) groups_ = *std::move(groups);
    }
    no_groups_ = std::string(status.message());
  }

  absl::Status StartSandbox() {
    SandboxOptions options;
    options.hidden_paths = {cache_};
    options.bubblewrap = files_.bubblewrap;
    options.memory_bytes = SandboxMemoryBytes(options_);
    options.processes = options_.sandbox_processes;
    options.cpu_time = SandboxCpuTime(options_);
    options.cpus = options_.sandbox_cpus;
    options.groups = groups_;
    options.no_groups = no_groups_;
    options.first_user_id = options_.sandbox_user_id;
    options.enter_path = files_.enter;
    ASSAY_ASSIGN_OR_RETURN(
        Sandbox sandbox,
        Sandbox::Create(options_.sandbox, *launcher_, options));
    sandbox_ = std::make_unique<Sandbox>(std::move(sandbox));
    if (!sandbox_->warning().empty()) {
      LogWarning("no sandbox", {{"reason", sandbox_->warning()}});
    }
    return absl::OkStatus();
  }

  // Tries what must not work, as a program and as a child of the zygote.
  absl::Status TestOwnSandbox() {
    if (!sandbox_->confines()) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(
        std::vector<std::string> leaks,
        TestSandbox(files_.probe, cache_,
                    InSandbox(*launcher_, *sandbox_, files_.probe)));
    ASSAY_ASSIGN_OR_RETURN(
        const std::vector<std::string> python_leaks,
        TestSandbox(files_.probe, cache_, InPythonChild(*solution_zygote_)));
    bool is_strict = options_.sandbox == SandboxMode::kStrict;
    bool must_refuse = is_strict && !leaks.empty();
    for (const std::string& leak : python_leaks) {
      // Where a GPU's driver needs the /proc of the zygote.
      must_refuse |= is_strict && leak != kSeesProcesses;
      leaks.push_back(absl::StrCat("in Python, ", leak));
    }
    if (must_refuse) {
      return absl::FailedPreconditionError(absl::StrCat(
          "the sandbox does not hold on this machine: a confined process can ",
          absl::StrJoin(leaks, ", "),
          "; see docs/sandbox.md for what that takes, or start the worker with "
          "--sandbox=best-effort if you trust every solution"));
    }
    for (const std::string& leak : leaks) {
      LogWarning("the sandbox does not hold",
                 {{"confined processes can", leak}});
    }
    sandbox_->set_leaks(std::move(leaks));
    return absl::OkStatus();
  }

  absl::Status StartBuilder() {
    BuilderOptions options;
    options.cache_dir = absl::StrCat(cache_, "/builds");
    options.tvm_ffi_dir = files_.tvm_ffi_dir;
    if (gpu_.has_value()) {
      options.cuda = gpu_->build;
      options.cpus = cpus_.background;
    }
    absl::StatusOr<TorchToolkit> torch =
        FindTorchToolkit(*launcher_, *sandbox_, options_.python,
                         PythonPrefixes(options_.python));
    if (torch.ok()) {
      options.torch = *std::move(torch);
    } else {
      LogInfo("solutions with binding torch cannot be built",
              {{"reason", std::string(torch.status().message())}});
    }
    ASSAY_ASSIGN_OR_RETURN(builder_,
                           Builder::Create(*launcher_, *sandbox_, options));
    return absl::OkStatus();
  }

  absl::Status OpenDevice() {
    std::map<std::string, std::string> libs =
        ToolVersions(*launcher_, options_.python, files_);
    // Bears on times as a version does.
    if (options_.torch_threads > 0) {
      libs["torch_threads"] = absl::StrCat(options_.torch_threads);
    }
    if (!gpu_.has_value()) {
      CpuDeviceOptions options;
      options.memory_bytes = options_.memory_bytes;
      options.libs = std::move(libs);
      options.languages = Languages();
      options.bindings = builder_->bindings();
      device_ = std::make_unique<CpuDevice>(options);
      return absl::OkStatus();
    }
    ASSAY_RETURN_IF_ERROR(CheckTimer());
    CudaDeviceOptions options;
    options.ordinal = device_name_.ordinal;
    options.memory_bytes = options_.memory_bytes;
    options.cupti_path = gpu_->cupti_path;
    options.libs = std::move(libs);
    options.libs["cuda"] = gpu_->build.toolkit.version;
    options.languages = Languages();
    options.bindings = builder_->bindings();
    ASSAY_ASSIGN_OR_RETURN(device_, CudaDevice::Create(options));
    gpu_->context.reset();
    return absl::OkStatus();
  }

  // Whether CUPTI works in a process like those that will time with it.
  absl::Status CheckTimer() {
    if (gpu_->cupti_path.empty()) return absl::OkStatus();
    worker::SetUp set_up;
    set_up.set_cuda_uuid(gpu_->context->uuid());
    set_up.set_cupti_path(gpu_->cupti_path);
    ASSAY_ASSIGN_OR_RETURN(
        const std::unique_ptr<RunnerSession> session,
        StartNativeRunner(*launcher_, *sandbox_, NativeRunner()));
    absl::Status status = session->SetUp(set_up, absl::Minutes(1));
    if (status.ok() || options_.timer == "cupti") return status;
    LogWarning(
        "kernels are timed with CUDA events, which count up to 3 us more",
        {{"reason", std::string(status.message())}});
    gpu_->cupti_path.clear();
    return absl::OkStatus();
  }

  // What can be built, and what Python runs.
  std::vector<v1::BuildSpec::Language> Languages() const {
    std::vector<v1::BuildSpec::Language> languages = builder_->languages();
    languages.push_back(v1::BuildSpec::PYTHON);
    if (gpu_.has_value()) languages.push_back(v1::BuildSpec::TRITON);
    return languages;
  }

  absl::Status StartPython() {
    PythonZygoteOptions options;
    options.python_path = options_.python;
    // A virtual environment may lie in a folder that the sandbox hides.
    options.readable_paths = PythonPrefixes(options_.python);
    options.torch_threads = options_.torch_threads;
    options.package_dir = files_.python_package;
    options.harness_path = files_.harness;
    options.readable_paths.push_back(files_.probe);
    for (const std::string& folder : builder_->run_time_folders()) {
      options.readable_paths.push_back(folder);
    }
    if (gpu_.has_value()) {
      options.env = gpu_->environment;
      options.device_paths = gpu_->device_paths;
      options.cpus = cpus_.background;
      AddGpuFiles(options.readable_paths);
    }
    ASSAY_RETURN_IF_ERROR(StartZygotes(*launcher_, *sandbox_, options,
                                       solution_zygote_, reference_zygote_));
    baselines_ = std::make_unique<BaselinePool>(
        static_cast<size_t>(MaxLeases()) + 1, [this] {
          return std::make_unique<Baseline>(
              *reference_zygote_, device_->runner_set_up(), cpus_.measuring);
        });
    return absl::OkStatus();
  }

  NativeRunnerOptions NativeRunner() const {
    NativeRunnerOptions options;
    options.runner_path = files_.runner;
    options.readable_paths = {files_.tvm_ffi_dir};
    for (const std::string& folder : builder_->run_time_folders()) {
      options.readable_paths.push_back(folder);
    }
    if (gpu_.has_value()) {
      options.env = gpu_->environment;
      options.device_paths = gpu_->device_paths;
      options.cpus = cpus_.background;
      AddGpuFiles(options.readable_paths);
    }
    return options;
  }

  void AddGpuFiles(std::vector<std::string>& readable_paths) const {
    for (const std::string& folder : gpu_->readable_paths) {
      readable_paths.push_back(folder);
    }
    if (!gpu_->cupti_path.empty()) readable_paths.push_back(gpu_->cupti_path);
  }

  int MaxLeases() const {
    const int leases =
        LeasesAtATime(options_, static_cast<int>(AllowedCpus().size()));
    if (!gpu_.has_value() || options_.builds_ahead >= 0) return leases;
    // Each has processes with contexts of their own, half a GiB or more.
    const int64_t gpu_bytes = device_->description().gpu().total_memory_bytes();
    return std::min(leases, 1 + static_cast<int>(gpu_bytes / kGpuBytesALease));
  }

  // A worker without one works, too.
  void OpenSpool() {
    std::string name = WorkerId(options_);
    std::replace(name.begin(), name.end(), '/', '_');
    absl::StatusOr<std::unique_ptr<ReportSpool>> spool =
        ReportSpool::Open(absl::StrCat(cache_, "/spool/worker-", name));
    if (spool.ok()) {
      spool_ = *std::move(spool);
    } else {
      LogWarning("results are not kept on disk",
                 {{"reason", spool.status().ToString()}});
    }
  }

  // While the device is at work it is well enough.
  absl::Status CheckReady() {
    if (!device_turn_.TryLock()) return absl::OkStatus();
    absl::Status status = device_->CheckReady();
    if (absl::IsResourceExhausted(status)) {
      // The references that are kept ready may be what takes the memory.
      baselines_->Clear();
      status = device_->CheckReady();
    }
    device_turn_.Unlock();
    return status;
  }

  LeaseLoop::Options LoopOptions() {
    LeaseLoop::Options options;
    options.stub = worker_stub_.get();
    options.worker_id = WorkerId(options_);
    options.version = kVersion;
    options.device = device_->description();
    options.max_leases = MaxLeases();
    options.spool = spool_.get();
    options.check_ready = [this] { return CheckReady(); };
    options.evaluate = [this](const v1::Lease& lease, JobObserver& observer) {
      return LeaseEvaluation(*tools_, lease, observer).Run();
    };
    options.on_registered = [this] {
      std::printf("assay-worker %s %s serving %s\n", kVersion,
                  WorkerId(options_).c_str(), options_.server.c_str());
      std::fflush(stdout);
    };
    return options;
  }

  WorkerOptions options_;
  DeviceName device_name_;
  WorkerFiles files_;
  std::string cache_;
  // Null where there are none, and why.
  std::shared_ptr<ControlGroups> groups_;
  std::string no_groups_;
  std::unique_ptr<Launcher> launcher_;
  // None for a CPU.
  std::optional<GpuTools> gpu_;
  CpuShares cpus_;
  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<Builder> builder_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<PythonZygote> solution_zygote_;
  std::unique_ptr<PythonZygote> reference_zygote_;
  std::unique_ptr<BaselinePool> baselines_;
  std::unique_ptr<v1::WorkerService::StubInterface> worker_stub_;
  std::unique_ptr<v1::BlobService::StubInterface> blob_stub_;
  std::unique_ptr<BlobSource> blobs_;
  std::unique_ptr<LatencyCache> latencies_;
  absl::Mutex device_turn_;
  std::unique_ptr<EvaluationTools> tools_;
  std::unique_ptr<ReportSpool> spool_;
  std::unique_ptr<LeaseLoop> loop_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Worker>> Worker::Create(
    const WorkerOptions& options) {
  auto worker = std::make_unique<WorkerImpl>();
  ASSAY_RETURN_IF_ERROR(worker->Init(options));
  return worker;
}

}  // namespace assay

#include "worker/worker.h"

#include <grpcpp/grpcpp.h>

#include <cstdio>
#include <filesystem>
#include <map>
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
#include "base/clock.h"
#include "base/log.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "worker/blob/blob_cache.h"
#include "worker/build/builder.h"
#include "worker/device/cpu_device.h"
#include "worker/evaluate/baseline.h"
#include "worker/evaluate/evaluation_tools.h"
#include "worker/evaluate/latency_cache.h"
#include "worker/evaluate/lease_evaluation.h"
#include "worker/launcher/launcher.h"
#include "worker/lease/lease_loop.h"
#include "worker/runner/python_zygote.h"
#include "worker/tool_versions.h"

namespace assay {
namespace {

constexpr int kMaxMessageBytes = 64 << 20;

std::shared_ptr<grpc::Channel> Connect(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  // A coordinator that restarts is found again soon.
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2000);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
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
                          const PythonZygoteOptions& options,
                          std::unique_ptr<PythonZygote>& solutions,
                          std::unique_ptr<PythonZygote>& references) {
  absl::Status other_status;
  std::thread other([&] {
    absl::StatusOr<std::unique_ptr<PythonZygote>> started =
        PythonZygote::Start(launcher, sandbox, options);
    other_status = started.status();
    if (started.ok()) references = *std::move(started);
  });
  absl::StatusOr<std::unique_ptr<PythonZygote>> started =
      PythonZygote::Start(launcher, sandbox, options);
  other.join();
  ASSAY_RETURN_IF_ERROR(other_status);
  ASSAY_ASSIGN_OR_RETURN(solutions, std::move(started));
  return absl::OkStatus();
}

// Members are destroyed in reverse: what uses comes after what is used.
class WorkerImpl final : public Worker {
 public:
  absl::Status Init(const WorkerOptions& options) {
    if (options.device != "cpu") {
      return absl::InvalidArgumentError(absl::StrCat(
          "unknown device \"", options.device, "\"; this worker knows: cpu"));
    }
    if (options.python.empty() || options.python[0] != '/') {
      return absl::InvalidArgumentError(
          absl::StrCat("--python \"", options.python,
                       "\" is not an absolute path; give the whole path"));
    }
    options_ = options;
    ASSAY_ASSIGN_OR_RETURN(const WorkerFiles files, FindWorkerFiles(options));
    ASSAY_ASSIGN_OR_RETURN(const std::string cache, CacheDirectory(options));
    ASSAY_ASSIGN_OR_RETURN(launcher_, Launcher::Start(files.launcher));
    SandboxOptions sandbox_options;
    sandbox_options.hidden_paths = {cache};
    ASSAY_ASSIGN_OR_RETURN(
        Sandbox sandbox,
        Sandbox::Create(options.sandbox, *launcher_, sandbox_options));
    sandbox_ = std::make_unique<Sandbox>(std::move(sandbox));
    if (!sandbox_->warning().empty()) {
      LogWarning("no sandbox", {{"reason", sandbox_->warning()}});
    }
    BuilderOptions builder_options;
    builder_options.cache_dir = absl::StrCat(cache, "/builds");
    builder_options.tvm_ffi_dir = files.tvm_ffi_dir;
    ASSAY_ASSIGN_OR_RETURN(
        builder_, Builder::Create(*launcher_, *sandbox_, builder_options));
    PythonZygoteOptions python;
    python.python_path = options.python;
    // A virtual environment may lie in a folder that the sandbox hides.
    python.readable_paths = PythonPrefixes(options.python);
    python.torch_threads = options.torch_threads;
    python.package_dir = files.python_package;
    python.harness_path = files.harness;
    ASSAY_RETURN_IF_ERROR(StartZygotes(*launcher_, *sandbox_, python,
                                       solution_zygote_, reference_zygote_));
    CpuDeviceOptions device_options;
    device_options.memory_bytes = options.memory_bytes;
    device_options.libs = ToolVersions(*launcher_, options.python, files);
    // Bears on times as a version does.
    if (options.torch_threads > 0) {
      device_options.libs["torch_threads"] =
          absl::StrCat(options.torch_threads);
    }
    device_ = std::make_unique<CpuDevice>(device_options);

    const std::shared_ptr<grpc::Channel> channel = Connect(options.server);
    worker_stub_ = v1::WorkerService::NewStub(channel);
    blob_stub_ = v1::BlobService::NewStub(channel);
    blobs_ =
        std::make_unique<BlobCache>(*blob_stub_, absl::StrCat(cache, "/blobs"));
    latencies_ = std::make_unique<LatencyCache>(
        absl::StrCat(cache, "/reference_latencies"));
    NativeRunnerOptions native_runner;
    native_runner.runner_path = files.runner;
    native_runner.readable_paths = {files.tvm_ffi_dir};
    tools_ = std::unique_ptr<EvaluationTools>(new EvaluationTools{
        *device_, *launcher_, *sandbox_, *builder_, native_runner,
        *solution_zygote_, *reference_zygote_, *blobs_, *latencies_,
        Clock::Real()});
    baseline_ = std::make_unique<Baseline>(*reference_zygote_);
    loop_ = std::make_unique<LeaseLoop>(LoopOptions());
    return absl::OkStatus();
  }

  absl::Status Run() override { return loop_->Run(); }
  void Stop() override { loop_->Stop(); }

  std::string Describe() const override {
    const v1::Device& device = device_->description();
    std::map<std::string, std::string> libs(device.libs().begin(),
                                            device.libs().end());
    return absl::StrCat(
        "worker     ", WorkerId(options_), "\n",  //
        "device     ", device.kind(), " ", device.model(), " ",
        device.architecture(), ", ", device.memory_bytes() >> 20,
        " MiB for evaluations\n",  //
        "sandbox    ", sandbox_->description(), "\n", "libraries  ",
        absl::StrJoin(libs, ", ", absl::PairFormatter(" ")), "\n");
  }

 private:
  LeaseLoop::Options LoopOptions() {
    LeaseLoop::Options options;
    options.stub = worker_stub_.get();
    options.worker_id = WorkerId(options_);
    options.version = kVersion;
    options.device = device_->description();
    options.evaluate = [this](const v1::Lease& lease, JobObserver& observer) {
      return LeaseEvaluation(*tools_, lease, *baseline_, observer).Run();
    };
    options.on_registered = [this] {
      std::printf("assay-worker %s %s serving %s\n", kVersion,
                  WorkerId(options_).c_str(), options_.server.c_str());
      std::fflush(stdout);
    };
    return options;
  }

  WorkerOptions options_;
  std::unique_ptr<Launcher> launcher_;
  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<Builder> builder_;
  std::unique_ptr<PythonZygote> solution_zygote_;
  std::unique_ptr<PythonZygote> reference_zygote_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<v1::WorkerService::StubInterface> worker_stub_;
  std::unique_ptr<v1::BlobService::StubInterface> blob_stub_;
  std::unique_ptr<BlobSource> blobs_;
  std::unique_ptr<LatencyCache> latencies_;
  std::unique_ptr<EvaluationTools> tools_;
  std::unique_ptr<Baseline> baseline_;
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

#include "worker/sandbox/sandbox_remedy.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace assay {
namespace {

struct Remedy {
  // Part of the reason.
  absl::string_view reason;
  absl::string_view what_to_do;
};

// The first that fits.
constexpr Remedy kRemedies[] = {
    {"there is no program", "install the package bubblewrap"},
    // AppArmor of Ubuntu 24.04 lets a namespace be made, and nothing in it.
    {"setting up uid map: Permission denied",
     "allow user namespaces (sysctl "
     "kernel.apparmor_restrict_unprivileged_userns=0)"},
    {"loopback: Failed RTM_NEWADDR",
     "allow user namespaces (sysctl "
     "kernel.apparmor_restrict_unprivileged_userns=0)"},
    {"setting up uid map",
     "leave root of the container its capabilities SETFCAP, SETUID, SETGID and "
     "CHOWN, or start the container with --user 1000"},
    {"mount proc",
     "the container covers parts of /proc: start it with --security-opt "
     "systempaths=unconfined (podman: unmask=ALL)"},
    {"make / slave",
     "the container may not mount: start it with --security-opt "
     "apparmor=unconfined --security-opt seccomp=unconfined"},
    {"new namespace",
     "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1 and "
     "user.max_user_namespaces above 0; for a container --security-opt "
     "seccomp=unconfined"},
};

// Each setting that is known to be in the way.
constexpr absl::string_view kAll =
    "allow unprivileged user namespaces (sysctl "
    "kernel.unprivileged_userns_clone=1; on Ubuntu 24.04 also "
    "kernel.apparmor_restrict_unprivileged_userns=0), and start a container "
    "with --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
    "--security-opt systempaths=unconfined (podman: unmask=ALL for the last)";

absl::string_view WhatToDo(absl::string_view reason) {
  for (const Remedy& remedy : kRemedies) {
    if (absl::StrContains(reason, remedy.reason)) return remedy.what_to_do;
  }
  return kAll;
}

}  // namespace

std::string SandboxRemedy(absl::string_view reason) {
  return absl::StrCat(WhatToDo(reason),
                      "; see \"Where it does not start\" in docs/sandbox.md; "
                      "or start the worker with --sandbox=best-effort if you "
                      "trust every solution");
}

}  // namespace assay

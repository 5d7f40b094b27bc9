// The system calls that code of strangers may not make, and why.

#ifndef ASSAY_WORKER_SANDBOX_DENIED_CALLS_H_
#define ASSAY_WORKER_SANDBOX_DENIED_CALLS_H_

#include <cerrno>

namespace assay {

struct DeniedCall {
  // As in the manual; a machine that lacks it is fine.
  const char* name;
  // What the caller gets. ENOSYS where libraries try and have another way.
  int error_number;
  // The Python zygote makes namespaces for its children; they may not.
  bool zygote_needs = false;
  // A GPU's driver makes it, for those that use one.
  bool gpu_needs = false;
};

// Those denied whatever their arguments are. See seccomp_filter.cc for calls
// that depend on them.
inline constexpr DeniedCall kDeniedCalls[] = {
    // Reading, changing or stopping another process: neighbours of the same
    // user, and one's own children to get around the filter.
    {"ptrace", EPERM},
    {"process_vm_readv", EPERM},
    {"process_vm_writev", EPERM},
    {"process_madvise", EPERM},
    {"pidfd_getfd", EPERM},
    {"kcmp", EPERM},

    // Namespaces give rights over parts of the kernel that strangers otherwise
    // cannot reach, where most of its escapes were found. clone3 hides its
    // flags from filters; the C library then takes clone.
    {"unshare", EPERM, true},
    {"setns", EPERM},
    {"clone3", ENOSYS},

    // What is seen where is decided outside.
    {"mount", EPERM, true},
    {"umount2", EPERM, true},
    {"pivot_root", EPERM},
    {"chroot", EPERM},
    {"fsopen", EPERM},
    {"fsconfig", EPERM},
    {"fsmount", EPERM},
    {"fspick", EPERM},
    {"open_tree", EPERM},
    {"move_mount", EPERM},
    {"mount_setattr", EPERM},
    {"quotactl", EPERM},
    {"quotactl_fd", EPERM},
    {"fanotify_init", EPERM},

    // Opening files by number goes around what is visible.
    {"name_to_handle_at", EPERM},
    {"open_by_handle_at", EPERM},

    // Parts of the kernel with a long list of faults and no use for kernels of
    // numbers. io_uring also does what filters deny, unseen by them.
    {"bpf", EPERM},
    {"io_uring_setup", ENOSYS},
    {"io_uring_enter", ENOSYS},
    {"io_uring_register", ENOSYS},
    {"userfaultfd", EPERM},
    {"perf_event_open", EPERM},
    {"modify_ldt", ENOSYS},
    {"remap_file_pages", ENOSYS},
    {"vmsplice", ENOSYS},
    {"lookup_dcookie", ENOSYS},
    {"nfsservctl", ENOSYS},
    {"_sysctl", ENOSYS},
    {"sysfs", ENOSYS},
    {"uselib", ENOSYS},
    {"ustat", ENOSYS},

    // Keys have no namespaces: they are shared with all processes of the user.
    {"add_key", EPERM},
    {"request_key", EPERM},
    {"keyctl", EPERM},

    // Memory that belongs to no process: limits do not see it, and messages
    // may be left in it. Descriptors of a memfd can wait in a socket, where
    // nobody counts what it holds. Just-in-time compilers (libffi, oneDNN) then
    // map memory instead; shared memory of the C library and of torch is in
    // /dev/shm, which has a size.
    {"memfd_create", ENOSYS, true, true},
    {"memfd_secret", ENOSYS},
    {"shmget", ENOSYS},
    {"msgget", ENOSYS},
    {"mq_open", ENOSYS},

    // The machine, its clock and its names. They need rights that nobody here
    // has: a second lock.
    {"reboot", EPERM},
    {"kexec_load", EPERM},
    {"kexec_file_load", EPERM},
    {"init_module", EPERM},
    {"finit_module", EPERM},
    {"delete_module", EPERM},
    {"swapon", EPERM},
    {"swapoff", EPERM},
    {"acct", EPERM},
    {"syslog", EPERM},
    {"vhangup", EPERM},
    {"iopl", EPERM},
    {"ioperm", EPERM},
    {"sethostname", EPERM},
    {"setdomainname", EPERM},
    {"settimeofday", EPERM},
    {"clock_settime", EPERM},
    {"clock_adjtime", EPERM},
    {"adjtimex", EPERM},

    // Takes processors away from all others; its arguments cannot be filtered.
    {"sched_setattr", EPERM},
};

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_DENIED_CALLS_H_

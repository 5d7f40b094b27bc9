"""Solutions that try to get out of their sandbox, or to take the machine down.

Each is followed by an honest one on the same worker, which must pass.
"""

import json
import os
import pathlib
import re
import socket
import tempfile
import unittest

import installation
import trace_sets

C = {"language": "cpp", "binding": "c"}

# Small, so that what takes too much is not much. Python with torch needs 200 MiB
# in each of a child's processes.
MOST_PROCESSES = 25
LIMITS = (
    "--sandbox-memory-bytes", str(2500 << 20), "--sandbox-processes", str(MOST_PROCESSES)
)

# A process of that name is left when something survives its solution.
MARK = "assay-escaped-process"

HONEST = trace_sets.solution(
    "honest", "def run(x, y):\n    y.copy_(x * 2)\n"
)

# Every attempt is a function that returns what it got, and raises otherwise.
PY_ESCAPES = r'''
import ctypes, errno, os, resource, socket, subprocess

SECRET, PORT, NAME, WORKER = FACTS
libc = ctypes.CDLL(None, use_errno=True)


def call(result):
    if result < 0:
        raise OSError(ctypes.get_errno())
    return result


def read(path):
    with open(path, "rb") as file:
        return file.read(1)


def create(path):
    with open(path, "x") as file:
        return file.write("x")


def connect(family, kind, address):
    with socket.socket(family, kind) as s:
        s.settimeout(2)
        s.connect(address)
        return s.send(b"x")


def unwrapped_environment():
    texts = []
    for pid in os.listdir("/proc"):
        if pid.isdigit() and int(pid) != os.getpid():
            with open(f"/proc/{pid}/environ", "rb") as file:
                texts.append(file.read())
    if not any(b"SECRET" in text for text in texts):
        raise OSError("nothing secret")
    return texts


def foreign_processes():
    found = [p for p in os.listdir("/proc") if p.isdigit()
             and int(p) not in (1, os.getpid())]
    if not found:
        raise OSError("none")
    return found


def foreign_descriptors():
    found = []
    for pid in (1, os.getppid()):
        for fd in os.listdir(f"/proc/{pid}/fd"):
            found.append(os.open(f"/proc/{pid}/fd/{fd}", os.O_RDWR))
    return found


def raise_limit():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard + 1, hard + 1))


def may_mount():
    # Whoever may learns that there is no such type; nothing is mounted.
    libc.mount(b"none", b"/", b"assay-no-such-type", 0, None)
    if ctypes.get_errno() != errno.ENODEV:
        raise OSError("not allowed")


ATTEMPTS = {
    "read a secret": lambda: read(SECRET),
    "read a secret by /proc/1/root": lambda: read("/proc/1/root" + SECRET),
    "read the passwords": lambda: read("/etc/shadow"),
    "read the real users": lambda: open("/etc/passwd").read().index("daemon"),
    "read the machine's id": lambda: read("/etc/machine-id"),
    "list home": lambda: os.listdir("/root"),
    "see processes": foreign_processes,
    "signal the worker": lambda: os.kill(WORKER, 0),
    "read environments": unwrapped_environment,
    "open descriptors": foreign_descriptors,
    "read memory": lambda: read("/proc/1/mem"),
    "trace": lambda: call(libc.ptrace(16, os.getppid(), 0, 0)),
    "tcp": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT)),
    "udp": lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", PORT)),
    "metadata": lambda: connect(
        socket.AF_INET, socket.SOCK_STREAM, ("169.254.169.254", 80)),
    "ipv6": lambda: connect(socket.AF_INET6, socket.SOCK_DGRAM, ("::1", PORT)),
    "dns": lambda: socket.getaddrinfo("example.org", 80),
    "abstract socket": lambda: connect(
        socket.AF_UNIX, socket.SOCK_STREAM, "\0" + NAME),
    "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "vsock": lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM),
    "write beside the secret": lambda: create(SECRET + ".new"),
    "write to /usr": lambda: create("/usr/assay-escape"),
    "write to /": lambda: create("/assay-escape"),
    "write to /dev": lambda: create("/dev/assay-escape"),
    "user namespace": lambda: call(libc.unshare(0x10000000)),
    "mount": may_mount,
    "root": lambda: os.setuid(0),
    "raise a limit": raise_limit,
    "negative niceness": lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
    "real time": lambda: os.sched_setscheduler(
        0, os.SCHED_FIFO, os.sched_param(1)),
}


def run(x, y):
    got_out = []
    for name, attempt in ATTEMPTS.items():
        try:
            got_out.append(f"{name}: {attempt()}")
        except Exception:
            pass
    if got_out:
        raise RuntimeError("escaped: " + "; ".join(got_out))
    y.copy_(x * 2)
'''

C_HEAD = r"""#include <arpa/inet.h>
#include <dlpack/dlpack.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <initializer_list>
static int Double(const DLTensor* x, DLTensor* y) {
  const float* in = static_cast<const float*>(x->data);
  float* out = static_cast<float*>(y->data);
  for (int64_t i = 0; i < x->shape[0] * x->shape[1]; ++i) out[i] = in[i] * 2;
  return 0;
}
"""
C_RUN = 'extern "C" int run(const DLTensor* x, DLTensor* y, void*) {\n'

CPP_ESCAPES = (
    C_HEAD
    + C_RUN
    + r"""
  int escaped = 0;
  auto must_fail = [&](const char* what, bool succeeded) {
    if (!succeeded) return;
    std::printf("escaped: %s\n", what);
    ++escaped;
  };
  must_fail("secret", open("SECRET", O_RDONLY) >= 0);
  must_fail("through pid 1", open("/proc/1/root/SECRET", O_RDONLY) >= 0);
  must_fail("create", open("/usr/assay-escape", O_CREAT | O_RDWR, 0600) >= 0);
  must_fail("device", mknod("/tmp/sda", S_IFBLK | 0600, 8 << 8) == 0);
  must_fail("trace", ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0);
  must_fail("namespace", unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0);
  must_fail("root", setuid(0) == 0 || setgid(0) == 0);
  must_fail("worker", kill(WORKER, 0) == 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(PORT);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int kind : {SOCK_STREAM, SOCK_DGRAM}) {
    const int s = socket(AF_INET, kind, 0);
    must_fail("network", connect(s, (sockaddr*)&address, sizeof address) == 0);
  }
  for (int family : {AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG}) {
    must_fail("socket", socket(family, SOCK_RAW, 0) >= 0 ||
                            socket(family, SOCK_STREAM, 0) >= 0);
  }
  return escaped > 0 ? 99 : Double(x, y);
}
"""
)


def _python(name, body):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return trace_sets.solution(
        name, f"import os, signal, subprocess, threading, time\n\ndef run(x, y):\n{lines}"
    )


def _cpp(name, body):
    return trace_sets.solution(name, C_HEAD + C_RUN + body + "\n}\n", **C)


# Who is not in a pid namespace of its own must not signal all that it can.
ALONE = "os.getppid() == 1"
DAEMON = f"exec -a {MARK} sleep 1000"

# Solution, status, and a text of its log.
MEMORY = "used more than 2500 MiB of memory, which is the limit"
PROCESSES = f"had more than {MOST_PROCESSES} processes and threads at a time, which is the limit"
OUTPUT = "printed more than 64 MiB, which is the limit"
BOMBS = [
    (
        _python("py_memory_bomb", "x = [bytearray(b'1' * (64 << 20)) for _ in range(64)]\ntime.sleep(60)"),
        "RUNTIME_ERROR",
        MEMORY,
    ),
    (
        _cpp(
            "cpp_memory_bomb",
            "for (int i = 0; i < 64; ++i) std::memset(mmap(0, 64 << 20, 3, "
            "MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, 64 << 20);\n"
            "sleep(60); return 0;",
        ),
        "RUNTIME_ERROR",
        MEMORY,
    ),
    (
        _python(
            "py_shared_memory_bomb",
            "import mmap\nx = []\nfor _ in range(64):\n  x.append(mmap.mmap(-1, 64 << 20))\n"
            "  x[-1].write(b'1' * (64 << 20))\ntime.sleep(60)",
        ),
        "RUNTIME_ERROR",
        MEMORY,
    ),
    (
        _cpp(
            "cpp_shared_memory_bomb",
            "for (int i = 0; i < 64; ++i) std::memset(mmap(0, 64 << 20, 3, "
            "MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, 64 << 20);\n"
            "sleep(60); return 0;",
        ),
        "RUNTIME_ERROR",
        MEMORY,
    ),
    (
        # Each of them is below the size of its file system.
        _cpp(
            "cpp_memory_files_bomb",
            "static char text[1 << 20];\n"
            'for (const char* name : {"/tmp/f", "/dev/shm/f"}) {\n'
            "  const int f = open(name, O_CREAT | O_RDWR, 0600);\n"
            "  for (int i = 0; i < 1000; ++i) write(f, text, sizeof text);\n"
            "}\n"
            "std::memset(mmap(0, 700 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), "
            "1, 700 << 20);\n"
            "sleep(60); return 0;",
        ),
        "RUNTIME_ERROR",
        MEMORY,
    ),
    (
        # A file of memory that is nowhere: descriptors of it could be hidden in a socket.
        _cpp(
            "cpp_memfd_bomb",
            "if (memfd_create(\"x\", 0) >= 0) sleep(60);\n"
            'std::printf("%s\\n", strerror(errno)); return 1;',
        ),
        "RUNTIME_ERROR",
        "Function not implemented",
    ),
    (
        _cpp(
            "cpp_sysv_memory_bomb",
            "if (shmget(IPC_PRIVATE, 64 << 20, 0600) >= 0) sleep(60);\n"
            'std::printf("%s\\n", strerror(errno)); return 1;',
        ),
        "RUNTIME_ERROR",
        "Function not implemented",
    ),
    (
        _cpp(
            "cpp_memory_file_bomb",
            'for (const char* name : {"/dev/shm/f", "/dev/shm/g"}) {\n'
            "  const int f = open(name, O_CREAT | O_RDWR, 0600);\n"
            "  if (ftruncate(f, 600 << 20) != 0) return 1;\n"
            "  std::memset(mmap(0, 600 << 20, 3, MAP_SHARED, f, 0), 1, 600 << 20);\n"
            "}\n"
            "return 1;",
        ),
        "RUNTIME_ERROR",
        "/tmp and /dev/shm hold 1 GiB each",
    ),
    (
        _python("py_fork_bomb", "for _ in range(9):\n  try: os.fork()\n  except OSError: pass\ntime.sleep(60)"),
        "RUNTIME_ERROR",
        PROCESSES,
    ),
    (
        _cpp("cpp_fork_bomb", "for (int i = 0; i < 9; ++i) fork();\nsleep(60); return 1;"),
        "RUNTIME_ERROR",
        PROCESSES,
    ),
    (
        _python(
            "py_thread_bomb",
            "for _ in range(200):\n"
            "  try: threading.Thread(target=time.sleep, args=[60]).start()\n"
            "  except RuntimeError: break\n"
            "time.sleep(60)",
        ),
        "RUNTIME_ERROR",
        PROCESSES,
    ),
    (
        # 10 GB, were it let.
        _python(
            "py_output_bomb",
            "for _ in range(10 << 10): os.write(1, b'x' * (1 << 20))",
        ),
        "RUNTIME_ERROR",
        OUTPUT,
    ),
    (
        _cpp(
            "cpp_output_bomb",
            "static char text[1 << 20];\n"
            "for (int i = 0; i < (10 << 10); ++i) "
            "if (write(2, text, sizeof text) < 0) return 1;\nreturn 1;",
        ),
        "RUNTIME_ERROR",
        OUTPUT,
    ),
    (
        _python(
            "py_disk_bomb",
            "for i in range(10 << 10):\n"
            "  with open(f'/tmp/{i}', 'wb') as f: f.write(b'x' * (1 << 20))",
        ),
        "RUNTIME_ERROR",
        "No space left on device",
    ),
    (
        _cpp(
            "cpp_disk_bomb",
            "static char text[1 << 20];\n"
            "const int f = open(\"/tmp/f\", O_CREAT | O_RDWR, 0600);\n"
            "for (int i = 0; i < (2 << 10); ++i) write(f, text, sizeof text);\n"
            "return 1;",
        ),
        "RUNTIME_ERROR",
        "",
    ),
    (
        _python("py_descriptor_bomb", "x = [os.open('/dev/null', 0) for _ in range(100000)]"),
        "RUNTIME_ERROR",
        "Too many open files",
    ),
    (
        _cpp(
            "cpp_descriptor_bomb",
            "int i = 0; while (open(\"/dev/null\", O_RDONLY) >= 0) ++i;\n"
            'std::printf("%d descriptors\\n", i); return i < 1024 ? Double(x, y) : 9;',
        ),
        # Where memory for more calls comes next, there is no room to take it.
        "RUNTIME_ERROR",
        "too many open files",
    ),
    (
        _python("py_kills_parent", f"assert {ALONE}\nos.kill(os.getppid(), signal.SIGKILL)\n"
            "try: os.kill(-1, signal.SIGKILL)\n"
            "except ProcessLookupError: pass\ny.copy_(x * 2)"),
        "PASSED",
        "",
    ),
    (
        # Its parent is another process each time.
        _cpp("cpp_kills_parent", "if (getppid() != 1) return 1;\nkill(getppid(), SIGKILL); "
            "kill(-1, SIGKILL);\nreturn Double(x, y);"),
        "PASSED",
        "",
    ),
    (
        _python(
            "py_survives",
            f"subprocess.Popen(['setsid', 'bash', '-c', '{DAEMON} & {DAEMON} &'])\n"
            "time.sleep(0.5)\nraise ValueError('done')",
        ),
        "RUNTIME_ERROR",
        "done",
    ),
    (
        _cpp(
            "cpp_survives",
            "if (fork() == 0) { setsid(); if (fork() == 0) "
            f'execl("/bin/bash", "bash", "-c", "{DAEMON}", (char*)0); _exit(0); }}\n'
            "usleep(500000); return 7;",
        ),
        "RUNTIME_ERROR",
        "7",
    ),
]

# They say how far they get before they are noticed.
FLOODS = [
    _cpp(
        "cpp_fork_flood",
        "for (int i = 1; i <= 400; ++i) {\n"
        "  const pid_t pid = fork();\n"
        "  if (pid == 0) { pause(); _exit(0); }\n"
        "  if (pid < 0) break;\n"
        '  dprintf(1, "started %d\\n", i);\n'
        "}\n"
        "sleep(60); return 1;",
    ),
    _cpp(
        "cpp_thread_flood",
        "for (int i = 1; i <= 400; ++i) {\n"
        "  pthread_t thread;\n"
        "  const auto wait = [](void*) -> void* { pause(); return nullptr; };\n"
        "  if (pthread_create(&thread, nullptr, wait, nullptr) != 0) break;\n"
        '  dprintf(1, "started %d\\n", i);\n'
        "}\n"
        "sleep(60); return 1;",
    ),
    _python(
        "py_thread_flood",
        "for i in range(1, 401):\n"
        "  try: threading.Thread(target=time.sleep, args=[60]).start()\n"
        "  except RuntimeError: break\n"
        "  os.write(1, b'started %d\\n' % i)\n"
        "time.sleep(60)",
    ),
]


def _marked_processes():
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if MARK.encode() == path.read_bytes().split(b"\0")[0]:
                found.append(str(path))
        except OSError:
            pass
    return found


class EscapeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = installation.Stack().__enter__()
        try:
            cls.start()
        except BaseException:
            cls.stack.__exit__(None, None, None)
            raise

    @classmethod
    def start(cls):
        os.environ["ASSAY_TEST_SECRET"] = "SECRET"
        cls.stack.start_coordinator()
        cls.stack.start_worker(*LIMITS)
        cls.folder = trace_sets.write(
            cls.stack.folder / "set", workloads=[trace_sets.workload()]
        )
        imported = cls.stack.assay("import", cls.folder)
        assert imported.returncode == 0, imported.stdout + imported.stderr
        cls.honest = 0

    @classmethod
    def tearDownClass(cls):
        cls.stack.__exit__(None, None, None)

    def evaluate(self, solution):
        """The evaluation of its one workload."""
        path = trace_sets.write_json(self.stack.folder / "solution.json", solution)
        process = self.stack.assay(
            "submit", path, "--watch", "--timeout", "20",
            "--warmup", "1", "--iterations", "3", "--trials", "1",
        )
        exported = tempfile.mkdtemp(dir=self.stack.folder)
        self.assertEqual(self.stack.assay("export", exported).returncode, 0)
        for path in pathlib.Path(exported).glob("traces/**/*.jsonl"):
            for line in path.read_text().splitlines():
                trace = json.loads(line)
                if trace["solution"] == solution["name"]:
                    return trace["evaluation"]
        self.fail(process.stdout + process.stderr)

    def check_honest(self):
        """The same content would be answered from what is stored."""
        type(self).honest += 1
        solution = dict(HONEST, name=f"honest_{self.honest}")
        evaluation = self.evaluate(solution)
        self.assertEqual(evaluation["status"], "PASSED", evaluation["log"])

    def test_nothing_gets_out(self):
        secret = self.stack.folder / "secret"
        secret.write_text("SECRET")
        worker = self.stack.worker.process.pid
        name = f"assay-test-{os.getpid()}"
        with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(
            socket.AF_UNIX
        ) as unix:
            unix.bind("\0" + name)
            unix.listen(1)
            port = tcp.getsockname()[1]
            facts = repr((str(secret), port, name, worker))
            python = PY_ESCAPES.replace("FACTS", facts)
            cpp = CPP_ESCAPES.replace("SECRET", str(secret))
            cpp = cpp.replace("PORT", str(port)).replace("WORKER", str(worker))
            for solution in (
                trace_sets.solution("py_escapes", python),
                trace_sets.solution("cpp_escapes", cpp, **C),
            ):
                with self.subTest(solution["name"]):
                    evaluation = self.evaluate(solution)
                    self.assertEqual(evaluation["status"], "PASSED", evaluation["log"])
        self.check_honest()

    def test_a_compiler_reads_no_secrets(self):
        secret = self.stack.folder / "compile_secret"
        secret.write_text("int leaked = 1;")
        for number, path in enumerate(
            (secret, "/proc/self/environ", "/etc/shadow", f"/proc/1/root{secret}")
        ):
            source = f'#include "{path}"\n{C_HEAD}{C_RUN}return Double(x, y);\n}}\n'
            evaluation = self.evaluate(
                trace_sets.solution(f"cpp_includes_{number}", source, **C)
            )
            if path != "/proc/self/environ":  # Empty to a compiler.
                self.assertEqual(evaluation["status"], "COMPILE_ERROR")
            self.assertNotIn("ASSAY_TEST_SECRET", evaluation["log"])
            self.assertNotIn("leaked", evaluation["log"])

    def test_the_kernel_bounds_processes(self):
        """Who only counts now and then is too late for what forks fast."""
        for solution in FLOODS:
            with self.subTest(solution["name"]):
                log = self.evaluate(solution)["log"]
                started = [int(n) for n in re.findall(r"started (\d+)", log)]
                self.assertTrue(started, log)
                # Beside them are the harness and, in Python, an init.
                self.assertLess(max(started), 2 * MOST_PROCESSES, log)
        self.check_honest()

    def test_the_worker_outlived_it_all(self):
        """Runs last by its name's place in the alphabet."""
        self.assertIsNone(self.stack.worker.process.poll())
        self.check_honest()


def _add(solution, status, text):
    def test(self):
        evaluation = self.evaluate(solution)
        self.assertEqual(evaluation["status"], status, evaluation["log"])
        self.assertIn(text, evaluation["log"])
        self.assertEqual(_marked_processes(), [])
        self.check_honest()

    setattr(EscapeTest, f"test_{solution['name']}", test)


for _bomb in BOMBS:
    _add(*_bomb)

if __name__ == "__main__":
    unittest.main()

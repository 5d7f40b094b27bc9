"""Build rules of Assay: one place for what every target shares."""

load("//bazel:plain.bzl", "plain_binary")

def assay_cc_library(name, **kwargs):
    """A C++ library, normally one header pair."""
    native.cc_library(name = name, linkstatic = True, **kwargs)

def assay_cc_binary(name, **kwargs):
    """A program."""
    native.cc_binary(name = name, **kwargs)

def assay_plain_binary(name, without = "", testonly = False, visibility = None, **kwargs):
    """A program, or a library, that does not bear a sanitizer.

    Args:
      name: the file.
      without: the sanitizer, e.g. "thread"; empty: none at all, as for what
        runs in a sandbox.
      testonly: as everywhere.
      visibility: as everywhere.
      **kwargs: passed to cc_binary.
    """
    native.cc_binary(
        name = "plain/" + name,
        testonly = testonly,
        visibility = ["//visibility:private"],
        # Only as the target below wants it.
        tags = ["manual"],
        **kwargs
    )
    plain_binary(
        name = name,
        testonly = testonly,
        binary = ":plain/" + name,
        without = without,
        visibility = visibility,
    )

def assay_cc_test(name, deps = [], size = "small", **kwargs):
    """A GoogleTest with gmock's main."""
    native.cc_test(
        name = name,
        size = size,
        linkstatic = True,
        deps = deps + ["@system//:gtest_main"],
        **kwargs
    )

# Machine code for the GPUs that Assay is used on, and code that the driver
# translates for later ones.
_CUDA_ARCHITECTURES = [
    "-gencode arch=compute_80,code=sm_80",
    "-gencode arch=compute_90,code=sm_90",
    "-gencode arch=compute_100,code=[sm_100,compute_100]",
]

def assay_cuda_library(name, srcs, hdrs = [], textual_hdrs = [], deps = [], **kwargs):
    """A C++ library whose sources are CUDA (.cu).

    Args:
      name: the cc_library that comes out.
      srcs: .cu files.
      hdrs: headers that users of the library include.
      textual_hdrs: files and filegroups with all further headers that the
        sources include; nvcc does not see those of `deps`.
      deps: libraries to link, the runtime aside.
      **kwargs: passed to cc_library.
    """
    objects = []
    for src in srcs:
        object = src[:-len(".cu")] + ".cu.o"
        objects.append(object)
        native.genrule(
            name = name + "_" + src.replace(".", "_") + "_nvcc",
            srcs = [src] + hdrs + textual_hdrs + ["@cuda//:compiler"],
            outs = [object],
            # nvcc names temporary files by process id, which is the same in
            # every sandbox. No fused operations: the twins on the CPU have none.
            cmd = " ".join([
                "TMPDIR=$$(mktemp -d); export TMPDIR;",
                "trap 'rm -rf \"$$TMPDIR\"' EXIT;",
                "external/cuda/bin/nvcc -std=c++17 -O3 -fmad=false",
                "--Werror all-warnings -Xcompiler -fPIC,-Wall,-Wextra -I.",
            ] + _CUDA_ARCHITECTURES + ["-c $(location %s) -o $@" % src]),
        )
    native.cc_library(
        name = name,
        srcs = objects,
        hdrs = hdrs,
        linkstatic = True,
        deps = deps + ["@cuda//:runtime"],
        **kwargs
    )

def assay_proto_library(name, srcs, root = "", services = False, deps = [], **kwargs):
    """C++ messages, and gRPC stubs with `services`, from .proto files.

    Args:
      name: the cc_library that comes out.
      srcs: .proto files of this package.
      root: folder, from the workspace, that import paths start at.
      services: whether the files declare gRPC services.
      deps: assay_proto_library targets that are imported.
      **kwargs: passed to cc_library.
    """
    prefix = native.package_name()
    bases = [src[:-len(".proto")] for src in srcs]
    sources = [base + ".pb.cc" for base in bases]
    headers = [base + ".pb.h" for base in bases]
    options = "--cpp_out=$(RULEDIR)" + "/.." * _depth(prefix, root)
    if services:
        sources += [base + ".grpc.pb.cc" for base in bases]
        headers += [base + ".grpc.pb.h" for base in bases]
        options += " --grpc_out=$(RULEDIR)" + "/.." * _depth(prefix, root)
        options += " --plugin=protoc-gen-grpc=$$(command -v grpc_cpp_plugin)"
    native.filegroup(
        name = name + "_protos",
        srcs = srcs + [dep + "_protos" for dep in deps],
        visibility = ["//visibility:public"],
    )
    native.genrule(
        name = name + "_gen",
        srcs = [":" + name + "_protos"],
        outs = sources + headers,
        # A file is known by its path below the folder named first.
        cmd = "protoc -I%s %s %s" % (
            root or (". -Iproto" if deps else "."),
            options,
            " ".join([prefix + "/" + src for src in srcs]),
        ),
    )
    native.cc_library(
        name = name,
        srcs = sources,
        hdrs = headers,
        # Generated code: its warnings are not ours, and speed is in the library.
        copts = ["-w", "-O1"],
        strip_include_prefix = "/" + root if root else None,
        linkstatic = True,
        deps = deps + ["@system//:grpc" if services else "@system//:protobuf"],
        **kwargs
    )

def _depth(package, root):
    package_parts = len(package.split("/")) if package else 0
    root_parts = len(root.split("/")) if root else 0
    return package_parts - root_parts

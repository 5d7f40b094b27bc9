"""A fuzz target in two forms: a libFuzzer program and a test."""

load("//bazel:assay.bzl", "assay_cc_test")

def assay_fuzz_target(name, srcs, corpus, deps):
    """Programs around one `LLVMFuzzerTestOneInput`.

    `<name>_fuzzer` searches for inputs that break it; build it with
    --config=fuzz. `<name>_replay_test` runs the corpus through it with any
    compiler.

    Args:
      name: what is fuzzed.
      srcs: the source with the function.
      corpus: files to begin with, and to replay.
      deps: what the source uses.
    """
    native.cc_binary(
        name = name + "_fuzzer",
        srcs = srcs,
        testonly = True,
        linkopts = ["-fsanitize=fuzzer"],
        # Without --config=fuzz the compiler does not know the option.
        tags = ["manual"],
        deps = deps,
    )
    assay_cc_test(
        name = name + "_replay_test",
        srcs = srcs + ["replay_test.cc"],
        args = ["$(locations %s)" % corpus],
        data = [corpus],
        # Each once, whatever the target uses itself.
        deps = {dep: None for dep in deps + [
            "//base:file",
            "//base:status_testing",
        ]}.keys(),
    )

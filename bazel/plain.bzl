"""Programs that are built without a sanitizer that they do not bear.

A runtime of a sanitizer reserves terabytes of addresses, looks at itself under
/proc and has to be the first library of its process. In a sandbox, with its
bounds and its filter of system calls, it cannot; nor in a Python that loads a
library of ours.
"""

_OPTIONS = ["//command_line_option:copt", "//command_line_option:linkopt"]

def _plain_impl(settings, attr):
    return {
        option: [
            flag
            for flag in settings[option]
            if "-fsanitize=" + attr.without not in flag
        ]
        for option in _OPTIONS
    }

# Changes nothing, and builds nothing twice, where no sanitizer is asked for.
_plain = transition(
    implementation = _plain_impl,
    inputs = _OPTIONS,
    outputs = _OPTIONS,
)

def _plain_binary_impl(ctx):
    binary = ctx.attr.binary[0][DefaultInfo]
    output = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(
        output = output,
        target_file = binary.files_to_run.executable,
        is_executable = True,
    )
    return [DefaultInfo(
        files = depset([output]),
        runfiles = ctx.runfiles([output]).merge(binary.default_runfiles),
        executable = output,
    )]

plain_binary = rule(
    implementation = _plain_binary_impl,
    attrs = {
        "binary": attr.label(mandatory = True, cfg = _plain, executable = True),
        # What a flag begins with after -fsanitize=; empty: any of them.
        "without": attr.string(),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    executable = True,
)

"""Libraries of the system, linked by name.

Normally dynamically, which is quick. With --config=portable from their
archives, so that a program needs nothing but the C library where it runs.
"""

def system_library(name, libraries = [], archives = [], deps = []):
    """A library that the system has; its headers are on the include path.

    Args:
      name: what targets depend on.
      libraries: names as in -lNAME.
      archives: further ones that those need when they are linked from their
        archives, which do not say so themselves.
      deps: system libraries that these use.
    """
    dynamic = ["-l" + library for library in libraries]
    static = ["-l:lib%s.a" % library for library in libraries + archives]

    # Archives of one group may need each other in any order.
    if static:
        static = ["-Wl,--start-group"] + static + ["-Wl,--end-group"]
    native.cc_library(
        name = name,
        linkopts = select({
            ":portable": static,
            "//conditions:default": dynamic,
        }),
        deps = deps,
    )

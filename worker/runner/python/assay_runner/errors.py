"""Failures as the worker gets them, with tracebacks as the author knows them."""

import os
import traceback


class Failure(Exception):
    """Ends a request. `kind` is a name of worker.Failed.Kind."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind
        self.message = message


def format_exception(error, root):
    """Traceback of `error`: only frames of files below `root`, named from it."""
    try:
        report = traceback.TracebackException.from_exception(error)
        _keep_own_frames(report, root.rstrip(os.sep) + os.sep, set())
        return "".join(report.format()).rstrip("\n")
    except BaseException:  # pylint: disable=broad-except
        # Formatting runs the solution's code: __str__ and __repr__.
        return type(error).__name__


def _keep_own_frames(report, prefix, seen):
    if report is None or id(report) in seen:
        return
    seen.add(id(report))
    own = [f for f in report.stack if f.filename.startswith(prefix)]
    for frame in own:
        frame.line  # Read while the name still leads to the file.
        frame.filename = frame.filename[len(prefix) :]
    report.stack[:] = own
    name = getattr(report, "filename", None)  # Of a SyntaxError.
    if name is not None and name.startswith(prefix):
        report.filename = name[len(prefix) :]
    _keep_own_frames(report.__cause__, prefix, seen)
    _keep_own_frames(report.__context__, prefix, seen)
    for part in getattr(report, "exceptions", None) or ():
        _keep_own_frames(part, prefix, seen)

"""From source files, or a compiled module, to the callable that they define."""

import importlib
import importlib.machinery
import importlib.util
import inspect
import os
import sys

from assay_runner.errors import Failure, format_exception


# worker/runner/torch_extension.h has the same.
_EXTENSION_NAME = "assay_torch_extension"


def load(request, root):
    """Returns the entry point.

    Args:
      request: a harness.LoadRequest.
      root: a folder of this solution's own; sources are written there.
    """
    if request.module_fd >= 0:
        return _load_extension(request, root)
    return _load_sources(request, root)


def _load_sources(request, root):
    for path, content in request.files:
        _write(os.path.join(root, path), content)
    if request.entry_file not in dict(request.files):
        raise Failure(
            "LOAD", f'the entry file "{request.entry_file}" is not a source'
        )
    # As if the program had been started there.
    os.chdir(root)
    sys.path.insert(0, root)
    try:
        module = _import(request.entry_file, root)
        function = getattr(module, request.symbol, None)
    except BaseException as error:  # pylint: disable=broad-except
        raise Failure("LOAD", format_exception(error, root)) from None
    _check_callable(function, request, f'"{request.entry_file}"')
    return function


def _load_extension(request, root):
    os.chdir(root)
    # Some loaders and debuggers want the ending.
    path = os.path.join(root, f"{_EXTENSION_NAME}.so")
    os.symlink(f"/proc/self/fd/{request.module_fd}", path)
    loader = importlib.machinery.ExtensionFileLoader(_EXTENSION_NAME, path)
    spec = importlib.util.spec_from_file_location(
        _EXTENSION_NAME, path, loader=loader
    )
    try:
        module = importlib.util.module_from_spec(spec)
        sys.modules[_EXTENSION_NAME] = module
        loader.exec_module(module)
        function = getattr(module, request.symbol, None)
    except BaseException as error:  # pylint: disable=broad-except
        raise Failure("LOAD", format_exception(error, root)) from None
    _check_callable(function, request, "the extension")
    return function


def _write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def _import(entry_file, root):
    package, _, stem = entry_file.removesuffix(".py").rpartition("/")
    package = package.replace("/", ".")
    if package:
        # So that relative imports work.
        importlib.import_module(package)
    if stem == "__init__" and package:
        name = package
    else:
        name = f"{package}.{stem}" if package else stem
    path = os.path.join(root, entry_file)
    loaded = sys.modules.get(name)
    if loaded is not None:
        if _is_from(loaded, path):
            # Its package imports it; a second copy would be another module.
            return loaded
        # The author's file is meant, not the library of that name.
        name = f"solution_{stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise ImportError(f'"{entry_file}" does not end in ".py"')
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _is_from(module, path):
    file = getattr(module, "__file__", None)
    return file is not None and os.path.realpath(file) == os.path.realpath(path)


def _check_callable(function, request, where):
    names = [parameter.name for parameter in request.inputs]
    if request.destination_passing:
        names += [parameter.name for parameter in request.outputs]
    wanted = f"def {request.symbol}({', '.join(names)})"
    if function is None:
        raise Failure(
            "LOAD",
            f'{where} defines no "{request.symbol}"; it must have "{wanted}"',
        )
    if not callable(function):
        raise Failure(
            "LOAD",
            f'"{request.symbol}" in {where} is not a function; it must be '
            f'"{wanted}"',
        )
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # Not every callable tells.
    try:
        signature.bind(*names)
    except TypeError:
        style = "true" if request.destination_passing else "false"
        count = "1 argument" if len(names) == 1 else f"{len(names)} arguments"
        raise Failure(
            "LOAD",
            f'the entry point "{request.symbol}{signature}" in {where} must '
            f'take {count}: "{wanted}" '
            f'("destination_passing_style" is {style})',
        ) from None

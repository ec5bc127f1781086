"""Finds the program vizd that the package was installed with, and runs its commands."""
from __future__ import annotations

import json, os, pathlib, shutil, subprocess, sysconfig, tempfile, warnings
from typing import IO, Any, Iterator, Sequence

Row = dict[str, Any]


class VizdError(RuntimeError):
    """An error of vizd, with its message. exit_code: 1 if the answer failed, 2 if the arguments were wrong."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class VizdWarning(UserWarning):
    """vizd answered, with a warning about the capture: it is damaged, or records were left out."""


def find_binary() -> str:
    """The path of the program: $VIZD_BINARY, else where pip, with its --user, --target or --prefix, put it beside this
    package, else on the PATH."""
    chosen = os.environ.get("VIZD_BINARY")
    if chosen:
        if not os.access(chosen, os.X_OK):
            raise VizdError(f"$VIZD_BINARY is {chosen}, which is not a program")
        return chosen
    for folder in _script_folders():
        if os.access(folder / "vizd", os.X_OK):
            return str(folder / "vizd")
    found = shutil.which("vizd")
    if not found:
        raise VizdError("the program vizd was not found; reinstall the wheel of vizd, or set VIZD_BINARY")
    return found


def _script_folders() -> Iterator[pathlib.Path]:
    packages = pathlib.Path(__file__).resolve().parent.parent
    # Where this very package lies tells more than which Python runs: of --target DIR it is DIR, of --prefix DIR and of
    # an environment it is DIR/lib/pythonX.Y/site-packages.
    yield packages / "bin"
    if len(packages.parents) >= 3:
        yield packages.parents[2] / "bin"
    yield pathlib.Path(sysconfig.get_path("scripts"))
    user = "osx_framework_user" if sysconfig.get_config_var("PYTHONFRAMEWORK") else f"{os.name}_user"
    yield pathlib.Path(sysconfig.get_path("scripts", user))


def as_options(options: dict[str, Any]) -> list[str]:
    """Options of a command line: group_by="x" is --group-by x, one=True is --one, and a list repeats its option. What
    is None or False is left out. An underscore at the end is for Python's own words: from_=5 is --from 5."""
    out = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                out.append(option)
            elif one is not None and one is not False:
                out += [option, os.fspath(one) if isinstance(one, os.PathLike) else str(one)]
    return out


def as_input(path: str | os.PathLike[str]) -> str:
    """A path as an argument: one that begins with a dash is no option."""
    text = os.fspath(path)
    return os.path.join(".", text) if text.startswith("-") else text


class Command:
    """One run of the program."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = [find_binary(), *arguments]

    def text(self) -> str:
        """All that it prints."""
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
            whole = {**os.environ, "VIZD_AGENT": "0"}  # a pipe has the beginning of a long text else
            done = subprocess.run(self._arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said,
                                  encoding="utf-8", env=whole)
            self._judge(done.returncode, said)
            return done.stdout

    def rows(self) -> Iterator[Row]:
        """What it prints, an object a line, while it prints it. Whoever stops early ends it."""
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
            with subprocess.Popen(self._arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said,
                                  encoding="utf-8") as process:
                assert process.stdout
                try:
                    for line in process.stdout:
                        yield json.loads(line)
                except BaseException:
                    process.kill()
                    raise
            self._judge(process.returncode, said)

    @staticmethod
    def _judge(exit_code: int, said: IO[str]) -> None:
        said.seek(0)
        text = said.read().strip()
        if exit_code:
            raise VizdError(text or f"vizd ended with exit code {exit_code}", exit_code)
        if text:
            warnings.warn(text, VizdWarning, stacklevel=5)

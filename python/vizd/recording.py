"""Records with a profiler, keeps what it recorded as one file of vizd's own, and shows it."""
from __future__ import annotations

import os, pathlib, sys, tempfile
from types import TracebackType
from typing import Any, Generic, TypeVar

from . import shown
from .binary import Command, VizdError, as_input
from .reader import Path

Profiler = TypeVar("Profiler")


class Recording(Generic[Profiler]):
    """What record() gives: after a `with` of it, what the profiler recorded is in `path`, and shown where wished."""

    def __init__(self, profiler: Profiler, path: Path, show: bool) -> None:
        self.path, self._profiler, self._show = pathlib.Path(path), profiler, show

    def __enter__(self) -> Profiler:
        self._begin()
        return self._profiler

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        try:
            files = self._end(kind, error, traceback)
            # Whole or not at all: a page that shows the last recording reads this one as soon as it is there.
            part = self.path.with_name(self.path.name + ".part")
            Command(["convert", *map(as_input, files), "--to", "vizd", "--output", as_input(part), "--force"]).text()
            os.replace(part, self.path)
        finally:
            self._forget()
        if self._show:
            shown.display(shown.show(self.path))

    def _begin(self) -> None:
        raise NotImplementedError

    def _end(self, *failure: Any) -> list[str]:
        """Ends the profiler and returns the files that it left."""
        raise NotImplementedError

    def _forget(self) -> None:
        """Removes the temporary files among them."""


class _TorchRecording(Recording[Any]):
    """Of a profiler with a schedule the last stretch that it recorded whole, which it has forgotten when it ends."""

    def _begin(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="vizd-")
        self._trace = os.path.join(self._folder.name, "trace.json.gz")
        self._is_told = getattr(self._profiler, "on_trace_ready", self) is None
        if self._is_told:
            self._profiler.on_trace_ready = lambda profiler: profiler.export_chrome_trace(self._trace)
        self._profiler.__enter__()

    def _end(self, *failure: Any) -> list[str]:
        self._profiler.__exit__(*failure)
        if self._is_told:
            self._profiler.on_trace_ready = None
        if not os.path.exists(self._trace):
            self._profiler.export_chrome_trace(self._trace)
        return [self._trace]

    def _forget(self) -> None:
        self._folder.cleanup()


class _TinygradRecording(Recording[None]):
    """tinygrad decides when it is imported whether it keeps what it rewrites, and saves that as Python ends: by two
    functions, which are called sooner here."""

    def _begin(self) -> None:
        if "tinygrad" not in sys.modules:
            os.environ["VIZ"] = "-1"  # record, and start no viewer
        elif getattr(sys.modules["tinygrad.helpers"], "VIZ", None) != -1:
            raise VizdError('tinygrad was imported without VIZ=-1, or was already recorded: import it inside "with '
                            'vizd.record(...)", once per process')

    def _end(self, *failure: Any) -> list[str]:
        try:
            from tinygrad import device, helpers
            from tinygrad.uop import ops
            save_rewrites, save_profile = ops.print_match_stats, device.finalize_profile
        except (ImportError, AttributeError) as error:
            raise VizdError(f"only tinygrad 0.14.0 and later can save a recording before Python ends ({error}); "
                            "run the program with VIZ=-1, then start `vizd` to see the recording") from error
        save_rewrites()
        save_profile()
        return [helpers.temp(name, append_user=True) for name in ("rewrites.pkl", "profile.pkl")]


def record(profiler: Any, path: Path = "recording.bin", *, show: bool = True) -> Recording[Any]:
    """Records with a profiler into a file, which it writes anew each time, and shows it; a page that is open reloads.

        with vizd.record(torch.profiler.profile(), "run.bin") as profiler: ...
        with vizd.record("tinygrad", "run.bin"): ...

    A profiler is any that has export_chrome_trace(), as PyTorch's. "tinygrad" is to be named before tinygrad is
    imported, once in a Python. Where what is in the block fails, what was recorded until then is kept, and the failure
    goes on."""
    if profiler == "tinygrad":
        return _TinygradRecording(None, path, show)
    if not hasattr(profiler, "export_chrome_trace"):
        raise VizdError(f"{type(profiler).__name__} has no export_chrome_trace(): record() takes PyTorch's profiler or "
                        '"tinygrad"')
    return _TorchRecording(profiler, path, show)

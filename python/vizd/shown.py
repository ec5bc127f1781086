"""Shows captures in a notebook, by a vizd that ends with this Python."""
from __future__ import annotations

import atexit, html, json, os, pathlib, shutil, subprocess, sys, tempfile, uuid
from typing import Any

from .binary import VizdError, as_input, as_options, find_binary
from .reader import Path

# The frame asks behind Jupyter's own server first, where jupyter-server-proxy hands on what comes for a port: the
# browser may be on another machine. Else vizd is on the browser's own. Without scripts the link is left.
_FRAME = """<div id="{id}"><a href="{url}" target="_blank" rel="noopener">{title}</a></div>
<script>
(async () => {{
  const settings = document.getElementById("jupyter-config-data");
  const base = settings ? JSON.parse(settings.textContent).baseUrl : document.body.dataset.baseUrl;
  const isLocal = ["localhost", "127.0.0.1"].includes(location.hostname);
  let page = `http://${{isLocal ? location.hostname : "127.0.0.1"}}:{port}/`;
  if (base) {{
    const proxied = new URL(`${{base}}proxy/{port}/`, location.origin).href;
    const answer = await fetch(proxied + "healthz").then((r) => (r.ok ? r.text() : ""), () => "");
    if (answer.trim() === "ok") page = proxied;
  }}
  const frame = document.createElement("iframe");
  frame.src = page + {fragment};
  frame.title = "vizd";
  frame.style.cssText = "width: 100%; height: {height}px; border: 0; display: block";
  const place = document.getElementById("{id}");
  place.querySelector("a").href = frame.src;
  place.prepend(frame);
}})();
</script>"""


# vizd ends when the pipe that this Python holds is closed, which the system does even where Python is killed.
_ENDS_WITH_US = ('exec 3<&0; "$@" 3<&- </dev/null & vizd=$!; { read -r _ <&3; kill $vizd; } >/dev/null 2>&1 & '
                 "wait $vizd; code=$?; kill $! 2>/dev/null; exit $code")


class Server:
    """A running vizd, with a token of its own: a notebook keeps what it shows, the URL too."""

    def __init__(self, arguments: list[str]) -> None:
        self._state = tempfile.mkdtemp(prefix="vizd-")
        self._log = open(os.path.join(self._state, "log"), "w+", encoding="utf-8", errors="replace")
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _ENDS_WITH_US, "sh", find_binary(), "--notebook", "--port", "0", "--log-level", "warning",
             *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, encoding="utf-8",
            env={**os.environ, "XDG_STATE_HOME": self._state, "BROWSER": ""},
            start_new_session=True)  # a notebook's interrupt is for its Python, and goes to all of its group
        atexit.register(self.close)
        assert self._process.stdout
        self.url = self._process.stdout.readline().strip()
        if not self.url:
            exit_code = self._process.wait()
            self._log.seek(0)
            said = self._log.read().strip()
            self.close()
            raise VizdError(said or f"vizd ended with exit code {exit_code}", exit_code)
        address, _, self.fragment = self.url.partition("/#")
        self.port = int(address.rpartition(":")[2])

    def is_running(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        atexit.unregister(self.close)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()
        self._process.wait()
        self._log.close()
        shutil.rmtree(self._state, ignore_errors=True)


class Shown:
    """Captures on a page of their own. A notebook draws it as a frame; `url` opens it in a browser of this machine. The
    page follows the files: written anew, they are shown anew. close() ends it, as the end of this Python does."""

    def __init__(self, server: Server, title: str, height: int) -> None:
        self._server, self._title, self._height = server, title, height

    @property
    def url(self) -> str:
        return self._server.url

    def close(self) -> None:
        self._server.close()

    def _repr_html_(self) -> str:
        title = html.escape(f"{self._title} in a window of its own")
        fragment = json.dumps("#" + self._server.fragment)
        return _FRAME.format(id=f"vizd-{uuid.uuid4().hex}", url=html.escape(self.url), title=title, fragment=fragment,
                             port=self._server.port, height=self._height)

    def __repr__(self) -> str:
        return f"{self._title}: {self.url}"


_servers: dict[tuple[str, ...], Server] = {}  # by their arguments


def show(*paths: Path, height: int = 720, **options: Any) -> Shown:
    """Shows captures, or folders of them: as the last value of a notebook's cell, in a frame of that height in pixels.
    options are those of `vizd`, with underscores: show("a.bin", no_upload=True). Shown again, it is the same server."""
    absolute = [as_input(pathlib.Path(path).absolute()) for path in paths]
    arguments = (*absolute, *as_options(options))
    server = _servers.get(arguments)
    if server is None or not server.is_running():
        server = _servers[arguments] = Server(list(arguments))
    return Shown(server, ", ".join(os.path.basename(path) for path in absolute) or "vizd", height)


def display(shown: Shown) -> None:
    """Draws it now, in the notebook if this Python is one's."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        print(shown)
        return
    from IPython.display import display as draw
    draw(shown)

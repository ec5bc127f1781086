"""vizd in JupyterLab's launcher, by jupyter-server-proxy: the captures of the folder that the server runs in."""
from __future__ import annotations

import atexit, os, pathlib, secrets, shutil, tempfile
from typing import Any

from .binary import find_binary


def launcher() -> dict[str, Any]:
    """What the entry point jupyter_serverproxy_servers asks for. Whoever Jupyter's server lets in has the token: the
    proxy adds it to each request."""
    token = secrets.token_hex(16)
    state = pathlib.Path(tempfile.mkdtemp(prefix="vizd-"))  # readable by this user alone
    atexit.register(shutil.rmtree, state, ignore_errors=True)
    (state / "vizd").mkdir(mode=0o700)
    kept = state / "vizd" / "token"
    kept.touch(mode=0o600)
    kept.write_text(token)
    return {
        "command": [find_binary(), "--notebook", "--port", "{port}", "--log-level", "warning", os.getcwd()],
        "environment": {"XDG_STATE_HOME": str(state), "BROWSER": ""},
        "request_headers_override": {"Authorization": f"Bearer {token}"},
        "timeout": 30,
        "launcher_entry": {"title": "vizd", "icon_path": str(pathlib.Path(__file__).with_name("icon.svg"))},
    }

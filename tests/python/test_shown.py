"""vizd.show(): a server of its own, which a notebook frames, behind a proxy too; and JupyterLab's launcher."""
import contextlib, io, os, pathlib, re, shutil, subprocess, sys, tempfile, unittest

import vizd
from served import events_of, get, wait_for
from vizd import jupyter
from vizd.shown import display

TOP = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = TOP / "tests" / "golden" / "native" / "written_by_python" / "input" / "python.bin"


class ShownTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "run.bin"
        shutil.copy(EXAMPLE, self.path)

    def show(self, *paths, **options):
        shown = vizd.show(*(paths or [self.path]), **options)
        self.addCleanup(shown.close)
        return shown, *re.fullmatch(r"(http://127\.0\.0\.1:\d+/)#token=([0-9a-f]{32})", shown.url).groups()

    def test_the_page_and_its_data(self):
        shown, page, token = self.show()
        self.assertIn("<title>vizd</title>", get(page)[2])
        self.assertEqual(401, get(page + "api/v1/session")[0])
        wait_for(lambda: events_of(page, token) == [8], "the capture is open")
        self.assertIn(shown.url, repr(shown))
        self.assertIs(shown._server, vizd.show(self.path)._server)  # shown again

    def test_the_frame_asks_the_proxy_first_and_names_the_port(self):
        shown, page, token = self.show(height=333)
        frame = shown._repr_html_()
        port = page.split(":")[2].rstrip("/")
        self.assertIn(f"proxy/{port}/", frame)
        self.assertIn(f'"#token={token}"', frame)
        self.assertIn("height: 333px", frame)

    def test_behind_a_proxy_under_any_name(self):
        _, page, token = self.show()
        hub = {"Host": "hub.example", "X_ProxyContextPath": "/user/me/proxy/1"}
        status, headers, _ = get(page, **hub)
        self.assertEqual(200, status)
        self.assertIn("frame-ancestors 'self'", headers["Content-Security-Policy"])
        status, headers, _ = get(page + "api/v1/session", token, **hub)
        self.assertEqual(200, status)
        self.assertIn("Path=/user/me/proxy/1;", headers["Set-Cookie"])
        self.assertEqual(401, get(page + "api/v1/session", **hub)[0])

    def test_the_page_is_found_below_any_path(self):
        _, page, _ = self.show()
        names = re.findall(r'(?:href|src)="([^"]+)"', get(page)[2])
        self.assertIn("app.js", names)
        self.assertEqual([], [name for name in names if name.startswith("/")])
        self.assertNotIn('"/api/', get(page + "first.js")[2])

    def test_written_anew_is_shown_anew(self):
        _, page, token = self.show()
        wait_for(lambda: events_of(page, token) == [8], "the capture is open")
        new = self.path.with_name("new")
        with vizd.Capture(new) as c:
            c.event(c.track("main", "thread"), "work", 0, 1)
        os.replace(new, self.path)
        wait_for(lambda: events_of(page, token) == [1], "the capture is open anew")

    def test_it_ends(self):
        shown, page, _ = self.show()
        shown.close()
        self.assertFalse(shown._server.is_running())
        with self.assertRaises(OSError):
            get(page)
        again, _, _ = self.show()  # and begins again
        self.assertNotEqual(shown.url, again.url)

    def test_it_ends_with_a_python_that_is_killed(self):
        program = "import sys, time, vizd; print(vizd.show(sys.argv[1]).url, flush=True); time.sleep(600)"
        command = [sys.executable, "-B", "-c", program, self.path]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as python:
            page = python.stdout.readline().split("#")[0]
            self.assertEqual(200, get(page)[0])
            python.kill()

        def is_gone():
            try:
                return get(page)[0] is None
            except OSError:
                return True

        wait_for(is_gone, "vizd has ended")

    def test_an_interrupt_of_the_notebook_is_not_for_it(self):
        shown, _, _ = self.show()
        self.assertNotEqual(os.getpgrp(), os.getpgid(shown._server._process.pid))

    def test_its_token_is_no_others(self):
        _, _, first = self.show()
        _, _, second = self.show(self.path, no_upload=True)
        self.assertNotEqual(first, second)

    def test_what_cannot_be_shown_is_told(self):
        with self.assertRaisesRegex(vizd.VizdError, "no such file or folder"):
            vizd.show("/nowhere/run.bin")

    def test_without_a_notebook_the_url_is_printed(self):
        shown, _, _ = self.show()
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            display(shown)
        self.assertIn(shown.url, printed.getvalue())

    def test_the_launcher(self):
        before = os.getcwd()
        os.chdir(self.path.parent)
        self.addCleanup(os.chdir, before)
        server = jupyter.launcher()
        os.chdir(before)
        command = [part.replace("{port}", "0") for part in server["command"]]
        environment = {**os.environ, **server["environment"]}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        url = process.stdout.readline().split("#")[0]
        bearer = server["request_headers_override"]["Authorization"].removeprefix("Bearer ")
        self.assertEqual(401, get(url + "api/v1/session")[0])
        wait_for(lambda: events_of(url, bearer) == [8], "the folder's capture is open")


if __name__ == "__main__":
    unittest.main()

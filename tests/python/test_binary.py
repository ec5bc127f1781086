"""How the program is found, and `python -m vizd`."""
import os, pathlib, shutil, subprocess, sys, tempfile, unittest

import vizd


def in_place(environment):
    """What a bare Python, which knows only the environment given, finds with the package. Not that of a venv, where the
    wheel may be installed."""
    python = getattr(sys, "_base_executable", sys.executable)
    done = subprocess.run([python, "-B", "-S", "-c", "import vizd; print(vizd.find_binary())"],
                          env={"HOME": "/", **environment}, capture_output=True, text=True)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


class BinaryTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def lay(self, packages, program):
        """Lays the package and a program as an installer does."""
        shutil.copytree(pathlib.Path(vizd.__file__).parent, self.folder / packages / "vizd")
        path = self.folder / program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\necho laid\n")
        path.chmod(0o755)
        return {"PYTHONPATH": str(self.folder / packages)}, str(path)

    def test_beside_a_target(self):
        environment, program = self.lay("target", "target/bin/vizd")
        self.assertEqual(program, in_place(environment))

    def test_in_an_environment_or_prefix(self):
        environment, program = self.lay("venv/lib/python3.12/site-packages", "venv/bin/vizd")
        self.assertEqual(program, in_place(environment))

    def test_on_the_path(self):
        environment, program = self.lay("elsewhere", "tools/vizd")
        self.assertEqual(program, in_place({**environment, "PATH": str(self.folder / "tools")}))

    def test_by_name(self):
        environment, program = self.lay("target", "mine/vizd")
        self.assertEqual(program, in_place({**environment, "VIZD_BINARY": program}))
        self.assertIn("which is not a program", in_place({**environment, "VIZD_BINARY": "/nowhere/vizd"}))

    def test_none_is_told(self):
        environment, _ = self.lay("elsewhere", "unseen/vizd")
        self.assertIn("was not found", in_place({**environment, "PATH": str(self.folder)}))

    def test_the_module_is_the_program(self):
        module = [sys.executable, "-B", "-m", "vizd"]
        version, same = (subprocess.run([*program, "--version"], capture_output=True, text=True, check=True).stdout
                         for program in (module, [vizd.find_binary()]))
        self.assertEqual(same, version)
        self.assertEqual(1, subprocess.run([*module, "ls", "/nowhere/x.bin"], capture_output=True).returncode)


if __name__ == "__main__":
    unittest.main()

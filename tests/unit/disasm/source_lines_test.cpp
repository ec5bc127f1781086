// A capture names the files whose lines are shown: only sources may be opened, whatever it names.
#include "disasm/source_lines.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/catch.h"

namespace vizd::source_lines_test {

namespace {

namespace fs = std::filesystem;

struct Sources {
  Sources() {
    std::string name = (fs::temp_directory_path() / "vizd-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder = fs::canonical(name);
    fs::create_directories(folder / "in");
    write("in/kernel.py", "first\n  second \t\r\n\nlast");
    write("in/secret.txt", "secret\n");
    write("out.py", "outside\n");
    fs::create_symlink(folder / "in/secret.txt", folder / "in/link.py");
    fs::create_symlink(folder / "out.py", folder / "in/out.py");
    fs::create_directories(folder / "in/folder.py");
    REQUIRE(::mkfifo((folder / "in/pipe.py").c_str(), 0600) == 0);
  }
  Sources(const Sources&) = delete;
  Sources& operator=(const Sources&) = delete;
  ~Sources() { fs::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::string operator/(const std::string& name) const { return (folder / name).string(); }

  fs::path folder;
};

}  // namespace

TEST_CASE("lines come without the blanks around them, and none beyond the end") {
  const Sources files;
  SourceLines lines({});
  const std::string path = files / "in/kernel.py";
  CHECK(lines.line(path, 1) == "first");
  CHECK(lines.line(path, 2) == "second");
  CHECK(lines.line(path, 3) == "");
  CHECK(lines.line(path, 4) == "last");
  CHECK_FALSE(lines.line(path, 5));
  CHECK_FALSE(lines.line(path, 0));
  CHECK_FALSE(lines.line(path, 0xFFFFFFFF));
}

TEST_CASE("no file but a source is ever opened") {
  const Sources files;
  SourceLines lines({});
  for (const char* name :
       {"in/secret.txt", "in/link.py", "in/folder.py", "in/pipe.py", "in/none.py", "in/kernel.py/"}) {
    INFO(name);
    CHECK_FALSE(lines.line(files / name, 1));
  }
  for (const char* name : {"", "/etc/passwd", "kernel.py", "/dev/zero", "/proc/self/environ", "<string>"})
    CHECK_FALSE(lines.line(name, 1));
  CHECK_FALSE(lines.line(std::string_view("/etc/passwd\0.py", 15), 1));
}

TEST_CASE("a source root narrows to what really lies under it") {
  const Sources files;
  SourceLines lines({.enabled = true, .root = files / "in"});
  CHECK(lines.line(files / "in/kernel.py", 1) == "first");
  CHECK(lines.line("kernel.py", 1) == "first");
  CHECK_FALSE(lines.line(files / "out.py", 1));
  CHECK_FALSE(lines.line(files / "in/out.py", 1));
  CHECK_FALSE(lines.line(files / "in/../out.py", 1));
  CHECK_FALSE(lines.line("../out.py", 1));
}

TEST_CASE("sources can be turned off") {
  const Sources files;
  SourceLines lines({.enabled = false, .root = ""});
  CHECK_FALSE(lines.line(files / "in/kernel.py", 1));
}

TEST_CASE("a file is read once until it is to be forgotten") {
  const Sources files;
  SourceLines lines({});
  CHECK(lines.line(files / "in/kernel.py", 1) == "first");
  files.write("in/kernel.py", "new\n");
  CHECK(lines.line(files / "in/kernel.py", 1) == "first");
  lines.forget();
  CHECK(lines.line(files / "in/kernel.py", 1) == "new");
}

}  // namespace vizd::source_lines_test

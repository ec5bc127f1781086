// The sandbox, tried from the inside by a program that wants out (tests/support/escape_probe.cpp).
#include "system/sandbox.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <sstream>

#include "disasm/child_program.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::sandbox_test {

TEST_CASE("a child changes no file but its own, and reaches no other process") {
  const SandboxSupport support = sandbox_support();
  if (!support.denies_network || !support.confines_files) {
    WARN("skipped: the kernel has no seccomp or no Landlock");
    return;
  }
  const TemporaryFolder folder;
  const std::string victim = folder / "victim";
  std::ofstream(victim) << "mine";
  ::chmod(victim.c_str(), 0640);
  ::setxattr(victim.c_str(), "user.kept", "y", 1, 0);
  struct stat before {
  }, after{};
  rlimit limit_before{}, limit_after{};
  REQUIRE(::stat(victim.c_str(), &before) == 0);
  ::getrlimit(RLIMIT_NOFILE, &limit_before);

  const auto run = ChildPrograms().run({VIZD_ESCAPE_PROBE, victim, std::to_string(::getpid())}, "", {});
  REQUIRE(run);
  CHECK(run->exit_code == 0);
  CHECK(run->output.ends_with("through\n"));
  std::istringstream lines(run->output);
  std::size_t tried = 0;
  for (std::string line; std::getline(lines, line); ++tried) {
    INFO(line);
    CHECK(line.find("ESCAPED") == std::string::npos);
  }
  CHECK(tried > 35);

  REQUIRE(::stat(victim.c_str(), &after) == 0);
  CHECK(after.st_size == 4);
  CHECK(after.st_mode == before.st_mode);
  CHECK(after.st_mtim.tv_sec == before.st_mtim.tv_sec);
  CHECK(after.st_nlink == 1);
  CHECK(::getxattr(victim.c_str(), "user.vizd", nullptr, 0) < 0);
  ::getrlimit(RLIMIT_NOFILE, &limit_after);
  CHECK(limit_after.rlim_cur == limit_before.rlim_cur);
}

TEST_CASE("of the system a child reads its own program and libraries, and what it is told of") {
  if (!sandbox_support().confines_files) {
    WARN("skipped: the kernel has no Landlock");
    return;
  }
  const TemporaryFolder folder;
  folder.write("told", "told");
  ChildPrograms children;
  const auto read = [&](const std::string& path, const ChildOptions& options) {
    const auto run = children.run({"/bin/cat", path}, "", options);
    return run && run->succeeded() ? run->output : "";
  };
  CHECK(read(folder / "told", {}).empty());
  CHECK(read(folder / "told", {.files = {folder.path()}}) == "told");
  CHECK_FALSE(read("/bin/cat", {}).empty());
  // A file that every system has under /usr, and which belongs to no program.
  CHECK(read("/usr/lib/os-release", {}).empty());
  CHECK_FALSE(read("/usr/lib/os-release", {.reads = ChildReads::kSystem}).empty());
}

TEST_CASE("what a child may do is what its work needs: files of its own, memory, threads, itself") {
  const auto run = ChildPrograms().run(
      {"/bin/sh", "-c", "echo a > x && mv x y && read z < y && test $z = a && rm y && ulimit -n 32 && echo well"}, "",
      {.may_start_programs = true, .reads = ChildReads::kSystem});
  REQUIRE(run);
  CHECK(run->output == "well\n");
  CHECK(run->errors.empty());
}

}  // namespace vizd::sandbox_test

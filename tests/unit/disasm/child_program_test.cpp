// The folders of children, where vizd ends before they do.
#include "disasm/child_program.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::child_program_test {
namespace {

namespace fs = std::filesystem;

// In a process of its own, which works in that folder; whether what it was asked holds. It ends at once.
bool holds(const TemporaryFolder& folder, const std::function<bool(ChildPrograms&)>& ask) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("TMPDIR", folder.path().c_str(), 1);
    ChildPrograms children;
    ::_exit(ask(children) ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status == 0;
}

// Begins a child that takes long, and waits until its folder is there.
bool begin_child(ChildPrograms& children, const TemporaryFolder& folder) {
  static_cast<void>(children.files_of("/bin/sleep"));  // asked for by a child of its own
  std::thread([&children] { static_cast<void>(children.run({"/bin/sleep", "30"}, "", {})); }).detach();
  for (int i = 0; i < 1000 && fs::is_empty(folder.path()); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !fs::is_empty(folder.path());
}

TEST_CASE("a vizd that ends removes the folders of children that still run, and starts no more") {
  const TemporaryFolder folder;
  CHECK(holds(folder, [&](ChildPrograms& children) {
    if (!begin_child(children, folder)) return false;
    children.end();
    return fs::is_empty(folder.path()) && !children.run({"/bin/true"}, "", {}) && fs::is_empty(folder.path());
  }));
}

TEST_CASE("the folder of a child whose vizd was killed goes when the next child starts, one that is in use stays") {
  const TemporaryFolder folder;
  CHECK(holds(folder, [&](ChildPrograms& children) { return begin_child(children, folder); }));
  REQUIRE_FALSE(fs::is_empty(folder.path()));
  folder.write("vizd-work-mine", "mine");
  // A child ends by itself soon after its vizd, and holds its folder until then.
  const auto is_one_left = [&] {
    return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1;
  };
  for (int i = 0; i < 500 && !is_one_left(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(holds(folder, [](ChildPrograms& children) { return children.run({"/bin/true"}, "", {}).has_value(); }));
  }
  CHECK(is_one_left());
  CHECK(fs::exists(folder / "vizd-work-mine"));
  CHECK(holds(folder, [&](ChildPrograms& children) {
    return begin_child(children, folder) && children.run({"/bin/true"}, "", {}).has_value() &&
           std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 2;
  }));
}

}  // namespace
}  // namespace vizd::child_program_test

// Files that a signal's end must not leave behind.
#include "base/removed_on_signal.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::removed_on_signal_test {
namespace {

// The signal that ends a process which does that; 0 where none did.
int signal_that_ends(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int number : {SIGHUP, SIGINT, SIGTERM}) ::signal(number, SIG_DFL);
    work();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST_CASE("a file that is being written goes with the signal that ends the program, and no other does") {
  for (const int number : {SIGHUP, SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    for (const char* name : {"other", "kept", "draft"}) folder.write(name, "x");
    CHECK(signal_that_ends([&] {
            { const RemovedOnSignal kept(folder / "kept"); }
            const RemovedOnSignal draft(folder / "draft");
            ::raise(number);
          }) == number);
    CHECK_FALSE(std::filesystem::exists(folder / "draft"));
    CHECK(std::filesystem::exists(folder / "kept"));
    CHECK(std::filesystem::exists(folder / "other"));
  }
}

TEST_CASE("a signal that is ignored stays so, as under nohup") {
  const TemporaryFolder folder;
  folder.write("draft", "x");
  CHECK(signal_that_ends([&] {
          ::signal(SIGHUP, SIG_IGN);
          const RemovedOnSignal draft(folder / "draft");
          ::raise(SIGHUP);
        }) == 0);
  CHECK(std::filesystem::exists(folder / "draft"));
}

}  // namespace
}  // namespace vizd::removed_on_signal_test

// The bar of long work: on a terminal, and nowhere else.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/command_line/progress.h"
#include "support/catch.h"

namespace vizd::cli_progress_test {
namespace {

// A terminal of the test's own, and what was written to it.
class Terminal {
 public:
  Terminal() : main_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    REQUIRE(main_ >= 0);
    REQUIRE(::grantpt(main_) == 0);
    REQUIRE(::unlockpt(main_) == 0);
    out = ::fdopen(::open(::ptsname(main_), O_RDWR | O_NOCTTY), "w");
    REQUIRE(out != nullptr);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    std::fclose(out);
    ::close(main_);
  }
  std::string text() const {
    std::fflush(out);
    ::fcntl(main_, F_SETFL, O_NONBLOCK);
    std::string text(4096, '\0');
    const ssize_t size = ::read(main_, text.data(), text.size());
    text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return text;
  }
  std::FILE* out = nullptr;

 private:
  int main_;
};

constexpr std::chrono::milliseconds kAtOnce{0};

TEST_CASE("a bar says what is done, how much of it, and goes when that is done", "[progress]") {
  const Terminal terminal;
  {
    Progress bar(terminal.out, "", kAtOnce);
    bar.begin("made: reading");
    bar.tell(25, 100, "MB");
    CHECK(terminal.text() == "\rmade: reading [=======                       ] 25 of 100 MB\x1B[K\r");
    bar.tell(26, 100, "MB");  // too soon to be read
    CHECK(terminal.text().empty());
  }
  CHECK(terminal.text() == "\r\x1B[K");
}

TEST_CASE("a bar's name is text alone, whatever a file is called", "[progress]") {
  const Terminal terminal;
  Progress bar(terminal.out,
               "\x1B[2Jx\x07\xC2\x9B"
               "y",
               kAtOnce);
  bar.tell(25, 100, "MB");
  CHECK(terminal.text().starts_with("\r[2Jxy ["));
  bar.begin("\x1B]0;z\x07");
  bar.tell(0, 0, "");
}

TEST_CASE("quick work, work of unknown length and pipes have no bar", "[progress]") {
  const Terminal terminal;
  { Progress(terminal.out, "quick").tell(1, 2); }
  { Progress(terminal.out, "unknown", kAtOnce).tell(1, 0); }
  CHECK(terminal.text().empty());
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  { Progress(file, "in a file", kAtOnce).tell(1, 2); }
  CHECK(std::ftell(file) == 0);
  std::fclose(file);
}

}  // namespace
}  // namespace vizd::cli_progress_test

// What server/system promises, of the way that this program is linked with: vizd_unit_tests has Linux's, and
// vizd_plain_tests the plain one.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include "support/catch.h"
#include "support/temporary_folder.h"
#include "system/descriptors.h"
#include "system/files.h"
#include "system/folder_watch.h"
#include "system/memory.h"
#include "system/process.h"
#include "system/random.h"
#include "system/readiness.h"
#include "system/sockets.h"
#include "system/wake_up.h"

namespace vizd::system_test {

using Event = Readiness::Event;

constexpr int kSoon_ms = 20, kPatience_ms = 20'000;

// Two sockets that are connected with each other, and closed with the object.
struct Pair {
  std::array<int, 2> ends{};
  Pair() { REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0); }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair() {
    for (const int end : ends) ::close(end);
  }
  void send() const { REQUIRE(::write(ends[1], "x", 1) == 1); }
  void leave() const { ::shutdown(ends[1], SHUT_WR); }
};

bool stays_from_programs(int fd) { return (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0; }

std::string read_all(int fd) {
  std::array<char, 64> bytes;
  const ssize_t count = ::read(fd, bytes.data(), bytes.size());
  return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

TEST_CASE("system: a thread that waits is woken by another, once for however many times") {
  const WakeUp wake_up;
  Readiness readiness;
  REQUIRE(readiness.add(wake_up.fd()));
  std::thread other([&] { CHECK((wake_up.wake() && wake_up.wake())); });
  const auto ready = readiness.wait(kPatience_ms);
  other.join();
  REQUIRE(ready.size() == 1);
  CHECK(ready.front().fd == wake_up.fd());
  CHECK(readiness.wait(kSoon_ms).size() == 1);  // until it rests
  wake_up.rest();
  CHECK(readiness.wait(kSoon_ms).empty());
  for (int times = 0; times < 100'000; ++times) REQUIRE(wake_up.wake());
}

TEST_CASE("system: what is watched once is told of once, until it is armed again") {
  const Pair pair;
  Readiness readiness;
  REQUIRE(readiness.add_once(pair.ends[0]));
  CHECK(readiness.wait(kSoon_ms).empty());
  pair.send();
  CHECK(readiness.wait(kPatience_ms).size() == 1);
  CHECK(readiness.wait(kSoon_ms).empty());
  readiness.arm(pair.ends[0], Event::kReadable);
  CHECK(readiness.wait(kPatience_ms).size() == 1);
  readiness.arm(pair.ends[0], Event::kWritable);
  CHECK(readiness.wait(kPatience_ms).size() == 1);
  readiness.arm(pair.ends[0], Event::kReadable);
  readiness.remove(pair.ends[0]);
  CHECK(readiness.wait(kSoon_ms).empty());
}

TEST_CASE("system: who waits for the other end's leaving hears of nothing else") {
  const Pair pair;
  Readiness readiness;
  REQUIRE(readiness.add_once(pair.ends[0]));
  readiness.arm(pair.ends[0], Event::kLeaving);
  CHECK(readiness.wait(kSoon_ms).empty());
  CHECK_FALSE(has_left(pair.ends[0]));
  pair.leave();
  const auto ready = readiness.wait(kPatience_ms);
  REQUIRE(ready.size() == 1);
  CHECK(ready.front().has_left);
  CHECK(has_left(pair.ends[0]));
}

TEST_CASE("system: what came and is not read ends no wait for the other end's leaving") {
  const Pair pair;
  Readiness readiness;
  REQUIRE(readiness.add_once(pair.ends[0]));
  readiness.arm(pair.ends[0], Event::kLeaving);
  pair.send();
  for (int times = 0; times < 3; ++times) CHECK(readiness.wait(kSoon_ms).empty());
  CHECK_FALSE(has_left(pair.ends[0]));
}

TEST_CASE("system: descriptors are kept from programs, and files without a name can be opened by path") {
  std::array<int, 2> ends{};
  REQUIRE(make_pipe(ends));
  CHECK((stays_from_programs(ends[0]) && stays_from_programs(ends[1])));
  REQUIRE(::write(ends[1], "through", 7) == 7);
  CHECK(read_all(ends[0]) == "through");
  REQUIRE(duplicate_to(ends[0], ends[1], true) == ends[1]);
  CHECK_FALSE(stays_from_programs(ends[1]));
  REQUIRE(duplicate_to(ends[0], ends[1], false) == ends[1]);
  CHECK(stays_from_programs(ends[1]));
  for (const int end : ends) ::close(end);

  const int fd = make_nameless_file("vizd-test");
  REQUIRE(fd >= 0);
  CHECK(stays_from_programs(fd));
  std::ofstream(path_of_descriptor(fd)) << "kept";
  std::array<char, 8> kept{};
  CHECK(::pread(fd, kept.data(), kept.size(), 0) == 4);
  CHECK(std::string(kept.data()) == "kept");
  ::close(fd);
}

TEST_CASE("system: sockets never block, and are kept from programs") {
  const int fd = make_socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(fd >= 0);
  CHECK(stays_from_programs(fd));
  CHECK((::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
  CHECK(unconfirmed_bytes(fd) == 0);
  ::close(fd);
}

TEST_CASE("system: a name that is taken is not taken away") {
  const TemporaryFolder folder;
  folder.write("new", "new");
  folder.write("old", "old");
  CHECK(rename_to_new(folder / "new", folder / "old") == EEXIST);
  CHECK(rename_to_new(folder / "new", folder / "free") == 0);
  CHECK(::access((folder / "new").c_str(), F_OK) != 0);
  CHECK(::access((folder / "free").c_str(), F_OK) == 0);
  const int fd = open_unnamed(folder.path(), 0600);
  if (fd < 0) return;  // the file system or the system has none
  CHECK(name_file(fd, folder / "old") == EEXIST);
  CHECK(name_file(fd, folder / "named") == 0);
  CHECK(::access((folder / "named").c_str(), F_OK) == 0);
  ::close(fd);
}

TEST_CASE("system: a watch is woken, and one that watches hears of a file") {
  const TemporaryFolder folder;
  FolderWatch watch;
  const bool watches = watch.add(folder.path());
  std::thread other([&] { watches ? folder.write("new", "x") : watch.wake(); });
  const auto begin = std::chrono::steady_clock::now();
  watch.wait(std::chrono::milliseconds(kPatience_ms));
  other.join();
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(kPatience_ms));
}

TEST_CASE("system: pages move with what is in them") {
  constexpr std::size_t kSize = 1 << 20;
  const auto take = [] { return ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); };
  void* const from = take();
  void* const to = take();
  REQUIRE((from != MAP_FAILED && to != MAP_FAILED));
  prefer_huge_pages(from, kSize);
  std::memset(from, 7, kSize);
  move_pages(from, to, kSize);
  CHECK(static_cast<const char*>(to)[0] == 7);
  CHECK(static_cast<const char*>(to)[kSize - 1] == 7);
  ::munmap(to, kSize);
}

TEST_CASE("system: random bytes differ, and the process knows itself as far as the system says") {
  std::array<std::array<unsigned char, 16>, 2> random{};
  for (auto& bytes : random) REQUIRE(fill_with_random(bytes.data(), bytes.size()));
  CHECK(random[0] != random[1]);
  if (const auto resident = resident_bytes()) CHECK(*resident > 1 << 20);
  if (const auto count = open_descriptors()) {
    const int fd = ::dup(0);
    CHECK(*open_descriptors() == *count + 1);
    ::close(fd);
  }
  const std::string program = own_program();
  CHECK((program.empty() || ::access(program.c_str(), X_OK) == 0));
}

}  // namespace vizd::system_test

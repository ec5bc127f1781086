// Files and folders of the user's alone, whatever the umask and whatever lies there.
#include "base/private_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::private_files_test {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat info {};
  REQUIRE(::lstat(path.c_str(), &info) == 0);
  return info.st_mode & 07777;
}

// The umask while it lives.
struct Umask {
  explicit Umask(mode_t mask) : before(::umask(mask)) {}
  ~Umask() { ::umask(before); }
  const mode_t before;
};

}  // namespace

TEST_CASE("private files and folders are the user's alone, whatever the umask") {
  for (const mode_t mask : {0000u, 0022u, 0777u}) {
    CAPTURE(mask);
    const TemporaryFolder folder;
    const Umask umask(mask);
    REQUIRE(take_private_folder(folder / "a/b/c"));
    for (const char* const part : {"a", "a/b", "a/b/c"}) CHECK(mode_of(folder / part) == 0700);
    const int fd = make_private_file(folder / "a/b/c/file");
    REQUIRE(fd >= 0);
    CHECK(mode_of(folder / "a/b/c/file") == 0600);
    CHECK(::write(fd, "x", 1) == 1);
    ::close(fd);
    // Never one that is there, nor where a link leads.
    CHECK(make_private_file(folder / "a/b/c/file") < 0);
    REQUIRE(::symlink((folder / "elsewhere").c_str(), (folder / "link").c_str()) == 0);
    CHECK(make_private_file(folder / "link") < 0);
    CHECK(::access((folder / "elsewhere").c_str(), F_OK) != 0);
  }
}

TEST_CASE("a folder to which others could write is closed to them, and what is no folder or another's is not used") {
  const TemporaryFolder folder;
  REQUIRE(::mkdir((folder / "open").c_str(), 0755) == 0);
  REQUIRE(::chmod((folder / "open").c_str(), 0777) == 0);
  CHECK(take_private_folder(folder / "open"));
  CHECK(mode_of(folder / "open") == 0755);
  REQUIRE(::chmod((folder / "open").c_str(), 01777) == 0);
  CHECK_FALSE(take_private_folder(folder / "open"));
  CHECK(mode_of(folder / "open") == 01777);
  folder.write("file", "");
  CHECK_FALSE(take_private_folder(folder / "file"));
  CHECK_FALSE(take_private_folder(folder / "file/within"));
  // A folder of another user: "/" for everybody but root.
  const std::string others = ::geteuid() == 0 ? folder / "others" : "/";
  if (::geteuid() == 0) {
    REQUIRE(::mkdir(others.c_str(), 0700) == 0);
    REQUIRE(::chown(others.c_str(), 12345, 12345) == 0);
  }
  const auto taken = take_private_folder(others);
  REQUIRE_FALSE(taken);
  CHECK(taken.error().message.find("belongs to another user") != std::string::npos);
}

}  // namespace vizd::private_files_test

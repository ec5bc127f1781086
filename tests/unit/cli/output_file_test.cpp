// A file that a command writes: what is in its folder before it is whole, and after.
#include "cli/command_line/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::output_file_test {
namespace {

std::set<std::string> names_in(const TemporaryFolder& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) names.insert(entry.path().filename());
  return names;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("a command that is killed leaves nothing of the file that it was writing") {
  const TemporaryFolder folder;
  const int nameless = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (nameless < 0) return;  // a file system without
  ::close(nameless);
  const std::string path = folder / "out";
  {
    const auto file = OutputFile::create({.path = path}, {});
    REQUIRE(file);
    (*file)->write(std::string(3 << 20, 'x'));
    CHECK(names_in(folder).empty());  // what a kill would leave now
    REQUIRE((*file)->finish());
    CHECK(names_in(folder) == std::set<std::string>{"out"});
  }
  CHECK(std::filesystem::file_size(path) == 3 << 20);
  {
    const auto file = OutputFile::create({.path = path, .overwrites = true}, {});
    REQUIRE(file);
    (*file)->write("new");
    CHECK(names_in(folder) == std::set<std::string>{"out"});
    REQUIRE((*file)->finish());
  }
  CHECK(text_of(path) == "new");
  {
    const auto unfinished = OutputFile::create({.path = path, .overwrites = true}, {});
    REQUIRE(unfinished);
    (*unfinished)->write("more");
  }
  CHECK(text_of(path) == "new");
  CHECK(names_in(folder) == std::set<std::string>{"out"});
}

TEST_CASE("a file that came to the place meanwhile is not overwritten unasked") {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  const auto file = OutputFile::create({.path = path}, {});
  REQUIRE(file);
  (*file)->write("new");
  folder.write("out", "mine");
  CHECK_FALSE((*file)->finish());
  CHECK(text_of(path) == "mine");
}

}  // namespace
}  // namespace vizd::output_file_test

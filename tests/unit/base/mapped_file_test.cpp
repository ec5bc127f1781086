#include "base/mapped_file.h"

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

#include "base/huge_pages.h"
#include "base/sparse_file.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::mapped_file_test {
namespace {

TEST_CASE("a file's bytes are read whole, and stay when it changes") {
  const TemporaryFolder folder;
  const std::string path = folder / "file";
  const std::size_t size = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{3'000'001});
  std::string content(size, 'x');
  for (std::size_t i = 0; i < size; i += 1000) content[i] = static_cast<char>(i / 1000);
  std::ofstream(path, std::ios::binary) << content;
  auto file = MappedFile::open(path);
  REQUIRE(file.has_value());
  REQUIRE(::truncate(path.c_str(), 0) == 0);
  const MappedFile moved = std::move(*file);
  REQUIRE(moved.bytes().size() == size);
  CHECK((size == 0 || std::memcmp(moved.bytes().data(), content.data(), size) == 0));
}

TEST_CASE("a mapped file that is cut while it is read reads as zeros there, and says so") {
  const TemporaryFolder folder;
  const std::string path = folder / "file";
  std::ofstream(path, std::ios::binary) << "begin";
  const std::size_t size = MappedFile::kCopyLimitBytes + 100'000;  // holes: it takes no room on the disk
  REQUIRE(::truncate(path.c_str(), static_cast<off_t>(size)) == 0);
  auto file = MappedFile::open(path);
  REQUIRE(file);
  REQUIRE(file->bytes().size() == size);
  CHECK(std::memcmp(file->bytes().data(), "begin", 5) == 0);
  CHECK(file->bytes()[size - 1] == std::byte{0});
  CHECK_FALSE(file->was_cut());
  REQUIRE(::truncate(path.c_str(), 0) == 0);
  const MappedFile moved = std::move(*file);
  CHECK(moved.bytes()[size / 2] == std::byte{0});
  CHECK(moved.bytes()[0] == std::byte{0});
  CHECK(moved.was_cut());
}

TEST_CASE("of a mapped file what was let go of is read again where it is wanted") {
  const TemporaryFolder folder;
  std::string content(100'000, 'x');
  content[0] = 'a', content[50'000] = 'b', content.back() = 'c';
  folder.write("file", content);
  auto file = MappedFile::open(folder / "file", content.size() - 1);
  REQUIRE(file);
  for (const std::size_t end : {std::size_t{10}, std::size_t{60'000}, std::size_t{20'000}, content.size() + 1}) {
    file->let_go(end);
    CHECK(std::memcmp(file->bytes().data(), content.data(), content.size()) == 0);
  }
  REQUIRE(::truncate((folder / "file").c_str(), 0) == 0);
  file->let_go(content.size());
  CHECK(file->bytes()[50'000] == std::byte{0});
  CHECK(file->was_cut());
  // A copy stays.
  folder.write("file", content);
  auto copy = MappedFile::open(folder / "file", content.size());
  REQUIRE(copy);
  copy->let_go(content.size());
  CHECK(std::memcmp(copy->bytes().data(), content.data(), content.size()) == 0);
}

TEST_CASE("a file of which little is read is mapped whatever its size, and tells that it was cut") {
  const TemporaryFolder folder;
  folder.write("file", std::string(100'000, 'x'));
  auto file = SparseFile::open(folder / "file");
  REQUIRE(file);
  const SparseFile moved = std::move(*file);
  REQUIRE(moved.bytes().size() == 100'000);
  CHECK((moved.bytes()[99'999] == std::byte{'x'} && !moved.was_cut()));
  REQUIRE(::truncate((folder / "file").c_str(), 0) == 0);
  CHECK(moved.bytes()[50'000] == std::byte{0});
  CHECK(moved.was_cut());
  CHECK_FALSE(SparseFile::open(folder / "file"));  // empty
  CHECK_FALSE(SparseFile::open(folder / "none"));
  CHECK_FALSE(SparseFile::open(folder.path()));
}

// More pages apart from one another than the system grants mappings (65,530).
TEST_CASE("a large file that is cut is read to its end here and there") {
  constexpr std::size_t kPage = 4096, kPages = 150'000;
  const TemporaryFolder folder;
  const std::string path = folder / "file";
  std::ofstream(path, std::ios::binary) << "begin";
  REQUIRE(::truncate(path.c_str(), kPage * kPages) == 0);
  const auto file = SparseFile::open(path);
  REQUIRE(file);
  REQUIRE(::truncate(path.c_str(), 0) == 0);
  std::size_t sum = 0;
  for (std::size_t page = 0; page < kPages; page += 2) sum += static_cast<std::size_t>(file->bytes()[page * kPage]);
  CHECK(sum == 0);
  CHECK(file->was_cut());
}

TEST_CASE("what is no readable file is an error that names it") {
  const TemporaryFolder folder;
  const auto missing = MappedFile::open(folder / "none");
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().kind == ErrorKind::kNotFound);
  CHECK(missing.error().where == folder / "none");
  const auto is_folder = MappedFile::open(folder.path());
  REQUIRE_FALSE(is_folder.has_value());
  CHECK(is_folder.error().kind == ErrorKind::kBadInput);
}

TEST_CASE("a large vector keeps its items as it grows beyond a block") {
  LargeVector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 2'000'000; ++i) numbers.push_back(i);
  bool same = true;
  for (std::uint32_t i = 0; i < numbers.size(); ++i) same = same && numbers[i] == i;
  CHECK(same);
  CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % (std::size_t{2} << 20) == 0);
}

}  // namespace
}  // namespace vizd::mapped_file_test

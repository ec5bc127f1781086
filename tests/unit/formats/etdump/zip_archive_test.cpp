#include "formats/etdump/zip_archive.h"

#include <string>

#include "support/catch.h"
#include "support/pickle_writer.h"
#include "support/zip_writer.h"

namespace vizd::etdump::zip_archive_test {
namespace {

std::string text_of(const MemberBytes& member) {
  return {reinterpret_cast<const char*>(member.bytes.data()), member.bytes.size()};
}

// Why an archive is not opened.
std::string refusal(const std::string& bytes, const ZipLimits& limits = {}) {
  const auto archive = ZipArchive::open(as_bytes(bytes), "a.zip", limits);
  REQUIRE_FALSE(archive);
  return archive.error().message;
}

TEST_CASE("a zip's members are read, stored or deflated") {
  const std::string text(5000, 'x');
  const std::string bytes = ZipWriter().add("plain", "hello").add_deflated("dir/packed", text).finish();
  const auto archive = ZipArchive::open(as_bytes(bytes), "a.zip");
  REQUIRE(archive);
  REQUIRE(archive->members().size() == 2);
  const auto plain = archive->read(*archive->find("plain"));
  REQUIRE(plain);
  CHECK(text_of(*plain) == "hello");
  CHECK(plain->storage == nullptr);
  CHECK(text_of(*archive->read(*archive->find("dir/packed"))) == text);
  CHECK(archive->find("other") == nullptr);
}

TEST_CASE("a zip whose names lead out of it is refused") {
  for (const char* name : {"../evil", "a/../../evil", "/etc/passwd", "a\\..\\evil", "C:evil", ""}) {
    CHECK(refusal(ZipWriter().add(name, "x").finish()).find("leads out") != std::string::npos);
  }
}

TEST_CASE("a zip made to swell is refused before memory is taken") {
  const std::string bomb = ZipWriter().add_deflated("bomb", std::string(8 << 20, '\0')).finish();
  const auto archive = ZipArchive::open(as_bytes(bomb), "a.zip");
  REQUIRE(archive);
  const auto read = archive->read(archive->members().front());
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == ErrorKind::kTooLarge);

  CHECK(refusal(ZipWriter().add("a", "shared bytes").add_again("b").finish()).find("overlap") != std::string::npos);
  CHECK(refusal(ZipWriter().add("a", "1").add("b", "2").add("c", "3").finish(), {.max_members = 2}).find("3 members") !=
        std::string::npos);
}

TEST_CASE("a zip's member that is not what it says is an error") {
  const auto read = [](const std::string& bytes) {
    const auto archive = ZipArchive::open(as_bytes(bytes), "a.zip");
    return archive ? archive->read(archive->members().front()) : Result<MemberBytes>(archive.error());
  };
  CHECK(read(ZipWriter().add("a", "hello").claim_checksum(7).finish()).error().message.find("checksum") !=
        std::string::npos);
  CHECK_FALSE(read(ZipWriter().add_deflated("a", "hello").claim_size(4).finish()));
  CHECK_FALSE(read(ZipWriter().add_deflated("a", "hello").claim_size(6).finish()));
  CHECK_FALSE(read(ZipWriter().add("a", "hello").claim_size(500).finish()));
  CHECK(refusal(ZipWriter().add("a", "hello").claim_flags(1).finish()).find("encrypted") != std::string::npos);
}

TEST_CASE("a zip that is cut anywhere is an error") {
  const std::string whole = ZipWriter().add("a", "hello").add_deflated("b", std::string(300, 'y')).finish();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK_FALSE(ZipArchive::open(as_bytes(std::string_view(whole).substr(0, size)), "cut.zip"));
  }
}

TEST_CASE("a zip with any byte turned reads or is refused") {
  const std::string whole = ZipWriter().add("a", "hello").add_deflated("b", std::string(300, 'y')).finish();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string turned = whole;
    turned[i] = static_cast<char>(turned[i] ^ 0xFF);
    const auto archive = ZipArchive::open(as_bytes(turned), "turned.zip");
    if (!archive) continue;
    for (const ZipMember& member : archive->members()) static_cast<void>(archive->read(member).has_value());
  }
}

}  // namespace
}  // namespace vizd::etdump::zip_archive_test

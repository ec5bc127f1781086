#include "store/row_binary.h"

#include <zstd.h>

#include "store/address.h"
#include "store/quote.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::store::row_binary_test {
namespace {

using namespace std::string_literals;

}  // namespace

TEST_CASE("RowBinary is written as ClickHouse reads it") {
  std::string bytes;
  RowBinaryWriter row(bytes);
  row.unsigned8(7);
  row.unsigned32(0x01020304);
  row.unsigned64(5);
  row.integer(-2);
  row.real(1.5);
  row.present();
  row.text("é");
  row.null();
  CHECK(
      bytes ==
      "\x07\x04\x03\x02\x01\x05\0\0\0\0\0\0\0\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0\0\0\0\0\xF8\x3F\0\x02\xC3\xA9\x01"s);
}

TEST_CASE("RowBinary texts of every length read back, and cut ones are none") {
  for (const std::size_t size : {0u, 1u, 127u, 128u, 16'383u, 16'384u, 3'000'000u}) {
    const std::string text(size, 'x');
    std::string bytes;
    RowBinaryWriter row(bytes);
    row.unsigned32(42);
    row.text(text);
    RowBinaryReader reader(bytes);
    CHECK(reader.unsigned32() == 42u);
    CHECK(reader.text() == text);
    CHECK(reader.at_end());
    for (const std::size_t cut : {std::size_t{2}, std::size_t{4}, bytes.size() - 1}) {
      RowBinaryReader of_cut(std::string_view(bytes).substr(0, cut));
      const bool has_number = of_cut.unsigned32().has_value();
      CHECK(has_number == (cut >= 4));
      CHECK((cut == bytes.size() || size == 0 || !of_cut.text()));
    }
  }
  RowBinaryReader endless("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
  CHECK_FALSE(endless.text());
}

TEST_CASE("a frame tells its lengths and holds the bytes") {
  const std::string bytes(100'000, 'r');
  const std::string frame = framed(bytes);
  REQUIRE(frame.size() > 25);
  CHECK(frame[16] == '\x90');
  RowBinaryReader head(std::string_view(frame).substr(17));
  CHECK(head.unsigned32() == frame.size() - 16);
  CHECK(head.unsigned32() == bytes.size());
  std::string unpacked(bytes.size(), '\0');
  CHECK(ZSTD_decompress(unpacked.data(), unpacked.size(), frame.data() + 25, frame.size() - 25) == bytes.size());
  CHECK(unpacked == bytes);
}

TEST_CASE("no text ends its own quotes") {
  CHECK(sql_text("job 1") == "'job 1'");
  CHECK(sql_text("") == "''");
  CHECK(sql_text("a'b\\") == "'a\\x27b\\x5C'");
  CHECK(sql_text("\0\n\xFF"s) == "'\\x00\\x0A\\xFF'");
  CHECK(sql_name("a`b") == "`a\\x60b`");
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = sql_text(std::string(1, static_cast<char>(byte)));
    CHECK(text.find_first_of("'", 1) == text.size() - 1);
    CHECK(text.find('\0') == std::string::npos);
  }
}

TEST_CASE("a store's address has a host, a port and a database, and no user") {
  const auto address = parse_store_address("http://db.example:8124/fleet/");
  REQUIRE(address);
  CHECK(address->text() == "http://db.example:8124/fleet");
  CHECK(parse_store_address("http://db.example/fleet")->port == 8123);
  CHECK(parse_store_address("https://db/fleet")->text() == "https://db:8443/fleet");
  CHECK(parse_store_address("https://db:1/fleet")->is_encrypted);
  CHECK(parse_store_address("http://[::1]:9/f")->text() == "http://[::1]:9/f");
  for (const char* const wrong : {"", "fleet", "http://", "http:///fleet", "http://h", "http://h/", "http://h:0/f",
                                  "http://h:70000/f", "http://h:12x/f", "http://h/a b", "http://h/a;b", "http://[::1/f",
                                  "ftp://h/f", "https://h", "http://h/a?user=x"})
    CHECK_FALSE(parse_store_address(wrong));
  const auto with_user = parse_store_address("http://me:secret@h/f");
  REQUIRE_FALSE(with_user);
  CHECK(with_user.error().text().find("secret") == std::string::npos);
  CHECK(with_user.error().text().find("VIZD_STORE_USER") != std::string::npos);
}

TEST_CASE("the store's password comes from a file that only its owner may read") {
  const TemporaryFolder folder;
  folder.write("user", "me\npass word\r\n");
  const std::string path = folder / "user";
  std::filesystem::permissions(path, std::filesystem::perms(0644));
  CHECK_FALSE(find_credentials(path));
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  const auto credentials = find_credentials(path);
  REQUIRE(credentials);
  CHECK(credentials->user == "me");
  CHECK(credentials->password == "pass word");
  CHECK_FALSE(find_credentials(folder / "none"));
}

}  // namespace vizd::store::row_binary_test

#include "formats/unpack.h"

#include <fstream>
#include <optional>
#include <string>

#include "support/catch.h"
#include "support/packed.h"
#include "support/pickle_writer.h"

namespace vizd::unpack_test {
namespace {

std::string text_of(const GrowingBytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

using Pack = std::string (*)(const std::string&);

TEST_CASE("packed data comes out as it went in") {
  const Pack pack = GENERATE(Pack{gzipped}, Pack{zstd_packed});
  for (const std::string& plain : {std::string(), std::string("x"), lines(100), lines(100'000)}) {
    const auto unpacked = unpack(as_bytes(pack(plain)), "f");
    REQUIRE(unpacked.has_value());
    CHECK((text_of(*unpacked) == plain));
  }
  const auto parts = unpack(as_bytes(pack("one ") + pack("") + pack("two")), "f");
  REQUIRE(parts.has_value());
  CHECK(text_of(*parts) == "one two");
}

TEST_CASE("packing is known by the first bytes") {
  CHECK(packing_of(as_bytes(gzipped("x"))) == Packing::kGzip);
  CHECK(packing_of(as_bytes(zstd_packed("x"))) == Packing::kZstd);
  CHECK(packing_of(as_bytes("\x80\x04N.")) == Packing::kNone);
  CHECK(packing_of(as_bytes("")) == Packing::kNone);
  CHECK(packing_of(as_bytes("\x1f")) == Packing::kNone);
}

TEST_CASE("cut-off and damaged packed data is an error") {
  const Pack pack = GENERATE(Pack{gzipped}, Pack{zstd_packed});
  const std::string packed = pack(lines(1000));
  for (std::size_t eighth = 1; eighth < 8; ++eighth) {
    const auto cut = unpack(as_bytes(packed.substr(0, packed.size() * eighth / 8)), "f");
    REQUIRE_FALSE(cut.has_value());
    CHECK(cut.error().where == "f");
    CHECK(cut.error().message.find("was the file cut?") != std::string::npos);
  }
  std::string damaged = packed;
  for (std::size_t i = 20; i < 60; ++i) damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
  CHECK_FALSE(unpack(as_bytes(damaged), "f").has_value());
  CHECK_FALSE(unpack(as_bytes(packed + "garbage"), "f").has_value());
}

TEST_CASE("data that unpacks to more than allowed is refused, and costs no more than that") {
  const Pack pack = GENERATE(Pack{gzipped}, Pack{zstd_packed});
  const std::string packed = pack(std::string(4'000'000, '\0'));
  const auto by_size = unpack(as_bytes(packed), "f", {.max_bytes = 1'000'000});
  REQUIRE_FALSE(by_size.has_value());
  CHECK(by_size.error().kind == ErrorKind::kTooLarge);
  const auto by_ratio = unpack(as_bytes(packed), "f", {.max_ratio = 100, .ratio_free_bytes = 100'000});
  REQUIRE_FALSE(by_ratio.has_value());
  CHECK(by_ratio.error().kind == ErrorKind::kTooLarge);
  CHECK(unpack(as_bytes(packed), "f", {.max_bytes = 4'000'000}).has_value());
}

#if !defined(VIZD_SANITIZED)  // sanitizers keep memory of their own
// The most memory that the program has had since this was made, beyond what it had then; none where the system does not
// tell.
class PeakMemory {
 public:
  PeakMemory() : is_told_(static_cast<bool>(std::ofstream("/proc/self/clear_refs") << "5" << std::flush)) {}
  std::optional<std::int64_t> most_bytes() const {
    const auto most = kib("VmHWM:");
    return is_told_ && most ? std::optional((*most - before_) << 10) : std::nullopt;
  }

 private:
  static std::optional<std::int64_t> kib(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
      std::int64_t value = 0;
      if (word == name && status >> value) return value;
    }
    return std::nullopt;
  }

  const bool is_told_;
  const std::int64_t before_ = kib("VmRSS:").value_or(0);
};

TEST_CASE("unpacking takes no more memory than what was unpacked") {
  const Pack pack = GENERATE(Pack{gzipped}, Pack{zstd_packed});
  // Just beyond a power of two, where a vector would hold it twice over.
  constexpr std::size_t kBytes = (std::size_t{64} << 20) + 4321, kOther = std::size_t{16} << 20;
  const std::string packed = pack(std::string(kBytes, 'x'));
  const PeakMemory peak;
  const auto unpacked = unpack(as_bytes(packed), "f", {.max_ratio = 1'000'000});
  const auto most_bytes = peak.most_bytes();
  REQUIRE(unpacked.has_value());
  CHECK(unpacked->size() == kBytes);
  CHECK(std::ranges::all_of(*unpacked, [](std::byte byte) { return byte == std::byte{'x'}; }));
  if (!most_bytes) WARN("the system does not tell the most memory that was taken");
  CHECK(most_bytes.value_or(0) < static_cast<std::int64_t>(kBytes + kOther));
}
#endif

TEST_CASE("the beginning is unpacked alone") {
  const Pack pack = GENERATE(Pack{gzipped}, Pack{zstd_packed});
  const std::string plain = lines(10'000);
  CHECK(text_of(unpack_beginning(as_bytes(pack(plain)), 50)) == plain.substr(0, 50));
  CHECK(text_of(unpack_beginning(as_bytes(pack("short")), 50)) == "short");
}

}  // namespace
}  // namespace vizd::unpack_test

// TraceWriter: thread traces for tests, packet by packet, and the program of a GPU that they are of.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vizd {

class TraceWriter {
 public:
  // A packet of so many nibbles, the lowest first.
  TraceWriter& add(std::uint64_t bits, unsigned nibbles) {
    for (unsigned i = 0; i < nibbles; ++i)
      nibbles_.push_back(static_cast<std::uint8_t>(i < 16 ? bits >> 4 * i & 15 : 0));
    return *this;
  }
  TraceWriter& header(std::uint64_t layout) { return add(0x11 | layout << 7, 16); }
  TraceWriter& wait(std::uint64_t cycles) { return add(0b1000 | (cycles - 4) << 4, 2); }  // 4 to 19

  // Writes RDNA 3 packets, each a cycle after the one before it.
  TraceWriter& wave_start(std::uint64_t wave, std::uint64_t simd = 0) {
    return add(0b01100 | 1 << 5 | simd << 8 | wave << 13, 8);
  }
  TraceWriter& wave_end(std::uint64_t wave, std::uint64_t simd = 0) {
    return add(0b10101 | 1 << 5 | simd << 9 | wave << 15, 5);
  }
  TraceWriter& valu(std::uint64_t wave) { return add(0b011 | 1 << 3 | wave << 7, 3); }
  TraceWriter& inst(std::uint64_t wave, std::uint64_t operation) {
    return add(0b010 | 1 << 4 | wave << 8 | operation << 13, 5);
  }
  TraceWriter& alu_exec(std::uint64_t source) { return add(0b1110 | 1 << 4 | source << 6, 2); }

  // With the zeros that traces end in.
  std::string finish() const {
    std::vector<std::uint8_t> nibbles = nibbles_;
    nibbles.resize((nibbles.size() + 16 + 63) / 64 * 64);
    return packed(nibbles);
  }
  // The packets alone.
  std::string cut() const { return packed(nibbles_); }

 private:
  static std::string packed(const std::vector<std::uint8_t>& nibbles) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < nibbles.size(); i += 2)
      bytes += static_cast<char>(nibbles[i] | nibbles[i + 1] << 4);
    return bytes;
  }

  std::vector<std::uint8_t> nibbles_;
};

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

inline std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

// An ELF file with this section .text, with as little else as tinygrad's own assembler writes.
inline std::string made_elf(std::string_view text, std::uint64_t address) {
  constexpr std::string_view kNames("\0.text\0.strtab\0", 15);
  constexpr std::size_t kHeaderBytes = 64, kRecordBytes = 64;
  std::string elf(
      "\x7f"
      "ELF\x02",
      5);
  elf.resize(kHeaderBytes);
  const auto put = [&](std::size_t at, std::uint64_t value, std::size_t size_bytes) {
    std::memcpy(elf.data() + at, &value, size_bytes);
  };
  const std::size_t text_at = elf.size(), names_at = text_at + text.size(), records_at = names_at + kNames.size();
  elf += text;
  elf += kNames;
  elf.resize(records_at + 2 * kRecordBytes);
  put(40, records_at, 8);
  put(60, 2, 2);
  put(62, 1, 2);
  const auto record = [&](std::size_t number, std::uint32_t name, std::uint64_t at_address, std::size_t at,
                          std::size_t size_bytes) {
    const std::size_t base = records_at + number * kRecordBytes;
    put(base, name, 4);
    put(base + 4, 1, 4);  // its bytes are the program's
    put(base + 16, at_address, 8);
    put(base + 24, at, 8);
    put(base + 32, size_bytes, 8);
  };
  record(0, 1, address, text_at, text.size());
  record(1, 7, 0, names_at, kNames.size());
  return elf;
}

}  // namespace vizd

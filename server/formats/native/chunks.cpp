#include "formats/native/chunks.h"

#include <fmt/core.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

namespace vizd::native {
namespace {

using capture::ChunkHeader;
using capture::Codec;
using capture::kChunkHeaderBytes;
using capture::kFileHeaderBytes;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The header's version and flags.
std::array<std::uint32_t, 2> header_at(std::span<const std::byte> bytes, std::size_t offset) {
  std::array<std::uint32_t, 2> header{};
  std::memcpy(header.data(), bytes.data() + offset + sizeof capture::kMagic, sizeof header);
  return header;
}

std::uint32_t checksum_of(std::span<const std::byte> covered) {
  const auto* data = reinterpret_cast<const Bytef*>(covered.data());
  return static_cast<std::uint32_t>(::crc32_z(::crc32_z(0, nullptr, 0), data, covered.size()));
}

// Damage is looked past by checking whatever may begin a chunk; no file is worth checking more than this often.
constexpr std::uint64_t kMostChecks = 4;

// The chunk that begins there, if it is whole. checkable_bytes: how many bytes may still be checked, in all.
std::optional<Chunk> chunk_at(std::span<const std::byte> bytes, std::size_t offset, std::uint64_t& checkable_bytes) {
  if (bytes.size() - offset < kChunkHeaderBytes) return std::nullopt;
  Chunk chunk;
  std::memcpy(&chunk.header, bytes.data() + offset, kChunkHeaderBytes);
  const ChunkHeader& header = chunk.header;
  if (header.marker != capture::kChunkMarker) return std::nullopt;
  if (header.stored_bytes > bytes.size() - offset - kChunkHeaderBytes) return std::nullopt;
  if (header.stored_bytes > checkable_bytes) return std::nullopt;
  checkable_bytes -= header.stored_bytes;
  constexpr std::size_t kUncovered = 8;  // the marker and the checksum itself
  const auto covered = bytes.subspan(offset + kUncovered, kChunkHeaderBytes - kUncovered + header.stored_bytes);
  if (checksum_of(covered) != header.checksum) return std::nullopt;
  chunk.stored = bytes.subspan(offset + kChunkHeaderBytes, header.stored_bytes);
  chunk.offset = offset;
  return chunk;
}

// Where the next chunk or file header may begin. Asked for places further and further on, it looks at each byte once,
// however many places there are that begin neither.
class Beginnings {
 public:
  explicit Beginnings(std::span<const std::byte> bytes) : text_(as_text(bytes)) {
    std::memcpy(marker_, &capture::kChunkMarker, sizeof marker_);
  }
  std::size_t next(std::size_t offset) {
    find({marker_, sizeof marker_}, offset, chunk_);
    find({capture::kMagic, sizeof capture::kMagic}, offset, header_);
    return std::min(chunk_, header_);
  }

 private:
  void find(std::string_view wanted, std::size_t offset, std::size_t& found) const {
    if (found == kNotAsked || found < offset) found = std::min(text_.find(wanted, offset), text_.size());
  }

  static constexpr std::size_t kNotAsked = ~std::size_t{0};
  const std::string_view text_;
  char marker_[sizeof capture::kChunkMarker];
  std::size_t chunk_ = kNotAsked, header_ = kNotAsked;
};

}  // namespace

bool begins_with_header(std::span<const std::byte> bytes) {
  return bytes.size() >= kFileHeaderBytes && std::memcmp(bytes.data(), capture::kMagic, sizeof capture::kMagic) == 0;
}

Result<ChunkList> find_chunks(std::span<const std::byte> bytes, const std::string& name) {
  ChunkList list;
  const auto add_gap = [&](std::size_t from, std::size_t to) {
    if (from < to) list.gaps.push_back({from, to - from, to == bytes.size()});
  };
  std::uint64_t checkable_bytes = bytes.size() * kMostChecks;
  std::size_t offset = 0, gap_begin = 0;
  Beginnings beginnings(bytes);
  while (offset < bytes.size()) {
    if (begins_with_header(bytes.subspan(offset))) {
      const auto [version, flags] = header_at(bytes, offset);
      if (version < capture::kOldestVersion || version > capture::kVersion) {
        return Error{
            ErrorKind::kBadInput,
            fmt::format(
                "was written in version {} of the capture format; this vizd reads versions up to {}: update vizd",
                version, capture::kVersion),
            fmt::format("{}:{}", name, offset)};
      }
      add_gap(gap_begin, offset);
      list.sections.push_back({version, flags, offset, {}});
      gap_begin = offset += kFileHeaderBytes;
    } else if (const auto chunk = chunk_at(bytes, offset, checkable_bytes)) {
      add_gap(gap_begin, offset);
      list.sections.back().chunks.push_back(*chunk);
      const std::size_t padded = (kChunkHeaderBytes + chunk->stored.size() + 7) / 8 * 8;
      gap_begin = offset = std::min(bytes.size(), offset + padded);
    } else {
      offset = beginnings.next(offset + 1);
    }
  }
  add_gap(gap_begin, bytes.size());
  return list;
}

std::optional<std::span<const std::byte>> Unpacker::unpack(const Chunk& chunk) {
  const std::size_t size = chunk.header.unpacked_bytes;
  if (chunk.header.codec == Codec::kStored)
    return size == chunk.stored.size() ? std::optional(chunk.stored) : std::nullopt;
  if (size > memory_bytes_) {
    memory_ = std::make_unique_for_overwrite<std::byte[]>(size);
    memory_bytes_ = size;
  }
  std::size_t made = 0;
  if (chunk.header.codec == Codec::kZstd && zstd_ != nullptr) {
    made = ::ZSTD_decompressDCtx(zstd_.get(), memory_.get(), size, chunk.stored.data(), chunk.stored.size());
    if (::ZSTD_isError(made) != 0) return std::nullopt;
  } else if (chunk.header.codec == Codec::kZlib) {
    uLongf made_bytes = size;
    const auto* stored = reinterpret_cast<const Bytef*>(chunk.stored.data());
    const int status = ::uncompress(reinterpret_cast<Bytef*>(memory_.get()), &made_bytes, stored, chunk.stored.size());
    if (status != Z_OK) return std::nullopt;
    made = made_bytes;
  } else {
    return std::nullopt;
  }
  return made == size ? std::optional(std::span<const std::byte>(memory_.get(), size)) : std::nullopt;
}

}  // namespace vizd::native

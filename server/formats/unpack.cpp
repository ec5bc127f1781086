#include "formats/unpack.h"

#include <fmt/core.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace vizd {
namespace {

using Round = Unpacking::Round;

class GzipStream final : public Unpacking {
 public:
  GzipStream() { ready_ = ::inflateInit2(&stream_, MAX_WBITS + 32) == Z_OK; }
  ~GzipStream() override {
    if (ready_) ::inflateEnd(&stream_);
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  Round unpack(std::span<const std::byte>& in, std::span<std::byte>& out) override {
    if (!ready_) return Round::kDamaged;
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    const auto in_size = static_cast<uInt>(std::min(in.size(), kMost));
    const auto out_size = static_cast<uInt>(std::min(out.size(), kMost));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));  // zlib only reads it
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = out_size;
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    in = in.subspan(in_size - stream_.avail_in);
    out = out.subspan(out_size - stream_.avail_out);
    if (status == Z_STREAM_END) return ::inflateReset(&stream_) == Z_OK ? Round::kEndOfPart : Round::kDamaged;
    return status == Z_OK || status == Z_BUF_ERROR ? Round::kMore : Round::kDamaged;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

class ZstdStream final : public Unpacking {
 public:
  Round unpack(std::span<const std::byte>& in, std::span<std::byte>& out) override {
    if (stream_ == nullptr) return Round::kDamaged;
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t status = ::ZSTD_decompressStream(stream_.get(), &to, &from);
    in = in.subspan(from.pos);
    out = out.subspan(to.pos);
    if (::ZSTD_isError(status) != 0) return Round::kDamaged;
    return status == 0 ? Round::kEndOfPart : Round::kMore;
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ::ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_{::ZSTD_createDStream()};
};

enum class Outcome { kWhole, kCut, kDamaged, kTooLarge };

// Unpacks until the end, damage, or max_bytes.
Outcome run(std::span<const std::byte> in, std::size_t max_bytes, GrowingBytes& data) {
  const auto stream = Unpacking::make(packing_of(in));
  std::size_t size = 0;
  bool in_part = false;  // whether a part has begun and not ended
  const auto end = [&](Outcome outcome) {
    data.shrink(std::min(size, max_bytes));
    return outcome;
  };
  while (!in.empty() || in_part) {
    if (size > max_bytes) return end(Outcome::kTooLarge);
    // Room for one byte too many, which tells too much from just enough.
    if (size == data.size()) data.grow(std::min(max_bytes + 1, std::max<std::size_t>(1 << 16, size * 2)));
    std::span<std::byte> out = std::span(data.data(), data.size()).subspan(size);
    const std::size_t in_before = in.size(), out_before = out.size();
    const Round round = stream->unpack(in, out);
    size += out_before - out.size();
    if (round == Round::kDamaged) return end(Outcome::kDamaged);
    in_part = round == Round::kMore;
    if (in_part && in.size() == in_before && out.size() == out_before) return end(Outcome::kCut);
  }
  return end(size > max_bytes ? Outcome::kTooLarge : Outcome::kWhole);
}

bool begins_with(std::span<const std::byte> bytes, std::initializer_list<unsigned> magic) {
  const auto same = [](std::byte byte, unsigned wanted) { return std::to_integer<unsigned>(byte) == wanted; };
  return bytes.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), bytes.begin(),
                    [&](unsigned wanted, std::byte byte) { return same(byte, wanted); });
}

}  // namespace

Packing packing_of(std::span<const std::byte> bytes) {
  if (begins_with(bytes, {0x1f, 0x8b, 0x08})) return Packing::kGzip;
  if (begins_with(bytes, {0x28, 0xb5, 0x2f, 0xfd})) return Packing::kZstd;
  return Packing::kNone;
}

std::unique_ptr<Unpacking> Unpacking::make(Packing packing) {
  if (packing == Packing::kZstd) return std::make_unique<ZstdStream>();
  return std::make_unique<GzipStream>();
}

Result<GrowingBytes> unpack(std::span<const std::byte> packed, const std::string& name, const UnpackLimits& limits) {
  const std::size_t by_ratio = packed.size() > limits.max_bytes / limits.max_ratio
                                   ? limits.max_bytes
                                   : std::max(limits.ratio_free_bytes, packed.size() * limits.max_ratio);
  const std::size_t max_bytes = std::min(limits.max_bytes, by_ratio);
  GrowingBytes data;
  switch (run(packed, max_bytes, data)) {
    case Outcome::kWhole:
      return data;
    case Outcome::kTooLarge:
      return Error{
          ErrorKind::kTooLarge,
          max_bytes == limits.max_bytes
              ? fmt::format("unpacks to more than the {} MiB that vizd unpacks; unpack it yourself", max_bytes >> 20)
              : fmt::format(
                    "{} bytes unpack to more than {} MiB, over {} times as much; unpack it yourself if you trust it",
                    packed.size(), max_bytes >> 20, max_bytes / std::max<std::size_t>(packed.size(), 1)),
          name};
    case Outcome::kCut:
      return Error{ErrorKind::kBadInput,
                   fmt::format("the compressed data ends in the middle, after {} bytes unpacked; was the file cut?",
                               data.size()),
                   name};
    case Outcome::kDamaged:
      break;
  }
  return Error{ErrorKind::kBadInput,
               fmt::format("the compressed data is damaged after {} bytes unpacked; copy the file again", data.size()),
               name};
}

GrowingBytes unpack_beginning(std::span<const std::byte> packed, std::size_t max_bytes) {
  GrowingBytes data;
  run(packed, max_bytes, data);
  return data;
}

}  // namespace vizd

#include "http/transport/encoding.h"

#include <strings.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cstdlib>

#include "base/assert.h"

namespace vizd {
namespace {

constexpr int kZstdStreamLevel = 3;  // flushed again and again, and what is in it has to go out at once
constexpr int kZstdQuickLevel = 6;   // of tiles 4 % less than 3, for two milliseconds; 9 finds no more
constexpr int kZstdHardLevel = 15;   // 19 takes three times as long for half a percent
constexpr int kGzipQuickLevel = 5;
constexpr int kGzipHardLevel = 9;
constexpr int kGzipWindowBits = 15 + 16;  // 16 asks zlib for the gzip wrapper
constexpr std::size_t kPieceBytes = 64 * 1024;

class ZstdStream final : public StreamCompressor {
 public:
  explicit ZstdStream(int level) : context_(ZSTD_createCCtx()) {
    VIZD_ASSERT(context_ != nullptr);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, level);
  }
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;
  ~ZstdStream() override { ZSTD_freeCCtx(context_); }

  void append(std::string_view piece, std::string& out) override { run(piece, ZSTD_e_flush, out); }
  void finish(std::string& out) override { run({}, ZSTD_e_end, out); }

 private:
  void run(std::string_view piece, ZSTD_EndDirective directive, std::string& out) {
    std::array<char, kPieceBytes> buffer;
    ZSTD_inBuffer input{piece.data(), piece.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
      left = ZSTD_compressStream2(context_, &output, &input, directive);
      VIZD_ASSERT(!ZSTD_isError(left));
      out.append(buffer.data(), output.pos);
    } while (left != 0 || input.pos < input.size);
  }

  ZSTD_CCtx* context_;
};

class GzipStream final : public StreamCompressor {
 public:
  explicit GzipStream(int level) {
    const int status = deflateInit2(&stream_, level, Z_DEFLATED, kGzipWindowBits, 8, Z_DEFAULT_STRATEGY);
    VIZD_ASSERT(status == Z_OK);
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() override { deflateEnd(&stream_); }

  void append(std::string_view piece, std::string& out) override { run(piece, Z_SYNC_FLUSH, out); }
  void finish(std::string& out) override { run({}, Z_FINISH, out); }

 private:
  void run(std::string_view piece, int flush, std::string& out) {
    std::array<char, kPieceBytes> buffer;
    // zlib counts in unsigned int: pieces of more than 4 GiB are fed in parts.
    do {
      const std::size_t part = std::min<std::size_t>(piece.size(), std::size_t{1} << 30);
      const bool last = part == piece.size();
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      stream_.avail_in = static_cast<uInt>(part);
      do {
        stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream_.avail_out = static_cast<uInt>(buffer.size());
        deflate(&stream_, last ? flush : Z_NO_FLUSH);
        out.append(buffer.data(), buffer.size() - stream_.avail_out);
      } while (stream_.avail_out == 0);
      piece.remove_prefix(part);
    } while (!piece.empty());
  }

  z_stream stream_{};
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_word(std::string_view text, std::string_view word) {
  return text.size() == word.size() && ::strncasecmp(text.data(), word.data(), word.size()) == 0;
}

// Whether an item of Accept-Encoding is refused: "gzip;q=0", "gzip; q=0.0".
bool is_refused(std::string_view parameters) {
  const auto q = parameters.find("q=");
  return q != std::string_view::npos && std::strtod(std::string(parameters.substr(q + 2)).c_str(), nullptr) <= 0;
}

}  // namespace

std::string_view encoding_name(Encoding encoding) {
  switch (encoding) {
    case Encoding::kGzip:
      return "gzip";
    case Encoding::kZstd:
      return "zstd";
    case Encoding::kIdentity:
      break;
  }
  return "";
}

Encoding choose_encoding(std::string_view accept_encoding) {
  bool zstd = false;
  bool gzip = false;
  while (!accept_encoding.empty()) {
    const auto comma = accept_encoding.find(',');
    const std::string_view item = accept_encoding.substr(0, comma);
    accept_encoding = comma == std::string_view::npos ? std::string_view{} : accept_encoding.substr(comma + 1);
    const auto semicolon = item.find(';');
    if (semicolon != std::string_view::npos && is_refused(item.substr(semicolon))) continue;
    const std::string_view name = trimmed(item.substr(0, semicolon));
    zstd |= is_word(name, "zstd");
    gzip |= is_word(name, "gzip");
  }
  return zstd ? Encoding::kZstd : gzip ? Encoding::kGzip : Encoding::kIdentity;
}

std::string compress(Encoding encoding, std::string_view bytes, CompressionEffort effort) {
  const bool hard = effort == CompressionEffort::kHard;
  std::string out;
  if (encoding == Encoding::kZstd) {
    out.resize(ZSTD_compressBound(bytes.size()));
    const std::size_t size =
        ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), hard ? kZstdHardLevel : kZstdQuickLevel);
    VIZD_ASSERT(!ZSTD_isError(size));
    out.resize(size);
  } else if (encoding == Encoding::kGzip) {
    GzipStream stream(hard ? kGzipHardLevel : kGzipQuickLevel);
    stream.append(bytes, out);
    stream.finish(out);
  } else {
    out = bytes;
  }
  return out;
}

std::unique_ptr<StreamCompressor> make_stream_compressor(Encoding encoding) {
  switch (encoding) {
    case Encoding::kGzip:
      return std::make_unique<GzipStream>(kGzipQuickLevel);
    case Encoding::kZstd:
      return std::make_unique<ZstdStream>(kZstdStreamLevel);
    case Encoding::kIdentity:
      break;
  }
  return nullptr;
}

}  // namespace vizd

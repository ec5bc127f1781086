// Content encodings: which one a client's Accept-Encoding asks for, compression of whole answers, and of event streams
// that must reach the client event by event.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace vizd {

enum class Encoding { kIdentity, kGzip, kZstd };
inline constexpr std::size_t kEncodingCount = 3;

enum class CompressionEffort { kQuick, kHard };

// "gzip", "zstd", or "" for identity.
std::string_view encoding_name(Encoding encoding);

// The best encoding that an Accept-Encoding header allows: zstd, else gzip, else identity. Honours q=0.
Encoding choose_encoding(std::string_view accept_encoding);

std::string compress(Encoding encoding, std::string_view bytes, CompressionEffort effort);

// Compresses a stream piece by piece. One thread at a time.
class StreamCompressor {
 public:
  virtual ~StreamCompressor() = default;
  // Appends the piece to out so that the reader can have all of it now.
  virtual void append(std::string_view piece, std::string& out) = 0;
  virtual void finish(std::string& out) = 0;
};

// Null for identity.
std::unique_ptr<StreamCompressor> make_stream_compressor(Encoding encoding);

}  // namespace vizd

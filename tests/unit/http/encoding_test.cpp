#include "http/transport/encoding.h"

#include <zlib.h>
#include <zstd.h>

#include "http/transport/body.h"
#include "support/catch.h"

namespace vizd::encoding_test {

namespace {

std::string gunzip(const std::string& packed) {
  std::string out(1 << 20, '\0');
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  inflate(&stream, Z_SYNC_FLUSH);
  out.resize(out.size() - stream.avail_out);
  inflateEnd(&stream);
  return out;
}

std::string unzstd(const std::string& packed) {
  std::string out(1 << 20, '\0');
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ZSTD_inBuffer input{packed.data(), packed.size(), 0};
  ZSTD_outBuffer output{out.data(), out.size(), 0};
  ZSTD_decompressStream(context, &output, &input);
  ZSTD_freeDCtx(context);
  out.resize(output.pos);
  return out;
}

std::string unpack(Encoding encoding, const std::string& packed) {
  return encoding == Encoding::kZstd ? unzstd(packed) : gunzip(packed);
}

// Text that does not compress to nothing.
std::string sample(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i) text += std::to_string(i * 2654435761u) + ",";
  return text;
}

}  // namespace

TEST_CASE("the best encoding that the client accepts is chosen") {
  CHECK(choose_encoding("") == Encoding::kIdentity);
  CHECK(choose_encoding("identity") == Encoding::kIdentity);
  CHECK(choose_encoding("gzip, deflate, br, zstd") == Encoding::kZstd);
  CHECK(choose_encoding("gzip, deflate, br") == Encoding::kGzip);
  CHECK(choose_encoding("GZIP") == Encoding::kGzip);
  CHECK(choose_encoding("gzip;q=1.0, zstd;q=0") == Encoding::kGzip);
  CHECK(choose_encoding("zstd; q=0.0 , gzip ; q=0.5") == Encoding::kGzip);
  CHECK(choose_encoding("br, deflate, *") == Encoding::kIdentity);
  CHECK(choose_encoding("xgzip, zstdx") == Encoding::kIdentity);
  CHECK(choose_encoding(",,;;q=,") == Encoding::kIdentity);
}

TEST_CASE("what is compressed comes back") {
  for (const Encoding encoding : {Encoding::kGzip, Encoding::kZstd}) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{65536}, std::size_t{500'000}}) {
      for (const auto effort : {CompressionEffort::kQuick, CompressionEffort::kHard}) {
        const std::string text = sample(size);
        CHECK(unpack(encoding, compress(encoding, text, effort)) == text);
      }
    }
  }
}

TEST_CASE("each piece of a stream can be read as soon as it is written") {
  for (const Encoding encoding : {Encoding::kGzip, Encoding::kZstd}) {
    const auto stream = make_stream_compressor(encoding);
    REQUIRE(stream);
    std::string packed;
    std::string text;
    for (const std::string& piece : {std::string("a"), sample(200'000), std::string(), std::string("last")}) {
      stream->append(piece, packed);
      text += piece;
      CHECK(unpack(encoding, packed) == text);
    }
    stream->finish(packed);
    CHECK(unpack(encoding, packed) == text);
  }
  CHECK(make_stream_compressor(Encoding::kIdentity) == nullptr);
}

TEST_CASE("a body is sent as it is where compression gains nothing") {
  const Body small("short");
  CHECK(small.best(Encoding::kZstd) == Encoding::kIdentity);
  const Body large(std::string(10'000, 'a'));
  CHECK(large.best(Encoding::kIdentity) == Encoding::kIdentity);
  REQUIRE(large.best(Encoding::kZstd) == Encoding::kZstd);
  CHECK(unzstd(std::string(large.encoded(Encoding::kZstd))) == large.bytes());
}

}  // namespace vizd::encoding_test

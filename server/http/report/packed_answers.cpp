#include "http/report/packed_answers.h"

#include "base/json_writer.h"
#include "http/transport/encoding.h"

namespace vizd {
namespace {

// Larger ones are compressed quickly: the last percent of a hundred megabytes costs half a minute.
constexpr std::size_t kMostHard = std::size_t{4} << 20;
// What stands around a pack in the page.
constexpr std::uint64_t kAround = 128;

std::uint64_t base64_bytes(std::uint64_t bytes) { return (bytes + 2) / 3 * 4; }

}  // namespace

std::string base64_text(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(base64_bytes(bytes.size()));
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) out += at + i <= bytes.size() ? kDigits[three >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

std::string packed_text(std::string_view bytes) {
  const auto effort = bytes.size() <= kMostHard ? CompressionEffort::kHard : CompressionEffort::kQuick;
  return base64_text(compress(Encoding::kGzip, bytes, effort));
}

bool PackedAnswers::add(std::span<const Named> answers) {
  if (answers.empty()) return true;
  std::string bytes, index;
  JsonWriter json(index);
  json.begin_array();
  for (const auto& [question, answer] : answers) {
    bytes += answer.bytes;
    json.begin_array().text(question).number(answer.status).text(answer.content_type).number(answer.bytes.size());
    json.end_array();
  }
  json.end_array();
  std::string pack = packed_text(bytes);
  // The index is compressed in the end, which makes it smaller and never larger than this.
  const std::uint64_t size = pack.size() + base64_bytes(index.size() + 1) + kAround;
  if (size > left_bytes()) return false;
  size_bytes_ += size;
  packs_.push_back(std::move(pack));
  index_ += (index_.empty() ? "" : ",") + index;
  return true;
}

}  // namespace vizd

#include "formats/perfetto/packet_stream.h"

#include <optional>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/protozero.h"

namespace vizd::perfetto {
namespace {

constexpr std::uint64_t kMostPacket_bytes = std::uint64_t{256} << 20;

// The number at at, which moves past it; none where the text ends first. Throws where it is none.
std::optional<std::uint64_t> read_varint(std::string_view text, std::size_t& at) {
  const char* place = text.data() + at;
  try {
    const std::uint64_t number = protozero::decode_varint(&place, text.data() + text.size());
    at = static_cast<std::size_t>(place - text.data());
    return number;
  } catch (const protozero::end_of_buffer_exception&) {
    return std::nullopt;
  }
}

}  // namespace

bool PacketStream::feed(std::span<const std::byte> part) {
  if (is_damaged_) return false;
  text_.erase(0, at_);
  dropped_bytes_ += at_;
  at_ = 0;
  text_.append(reinterpret_cast<const char*>(part.data()), part.size());
  try {
    while (take_field()) {
    }
  } catch (const protozero::exception&) {
    is_damaged_ = true;
  }
  return !is_damaged_;
}

bool PacketStream::take_field() {
  constexpr std::uint64_t kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;
  std::size_t at = at_;
  const auto tag = read_varint(text_, at);
  if (!tag) return false;
  const std::uint64_t type = *tag & 7u, number = *tag >> 3;
  if (number == 0 || (type != kVarint && type != kFixed64 && type != kBytes && type != kFixed32)) {
    is_damaged_ = true;
    return false;
  }
  std::uint64_t size = type == kFixed64 ? 8 : type == kFixed32 ? 4 : 0;
  if (type == kVarint || type == kBytes) {
    const auto value = read_varint(text_, at);
    if (!value) return false;
    if (type == kBytes) size = *value;
  }
  if (size > kMostPacket_bytes) {
    is_damaged_ = true;
    return false;
  }
  if (text_.size() - at < size) return false;
  if (number == field::kPacket && type == kBytes) {
    ++packet_count_;
    take_(std::string_view(text_).substr(at, size));
  } else {
    ++stranger_count_;
  }
  at_ = at + size;
  return true;
}

}  // namespace vizd::perfetto

#include "formats/unread.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace vizd {
namespace {

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  constexpr unsigned kMostBits = 64;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < kMostBits && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

bool take(std::string_view& bytes, char tag) {
  if (bytes.empty() || bytes.front() != tag) return false;
  bytes.remove_prefix(1);
  return true;
}

// An XSpace begins with a plane: a message (field 1) of a number (field 1, left out where it is 0) and a name (field 2)
// as "/host:CPU". Perfetto's traces begin alike, but field 2 of a packet is a message and never text.
bool is_xplane(std::string_view bytes) {
  constexpr char kPlane = 0x0A, kId = 0x08, kName = 0x12;
  if (!take(bytes, kPlane) || !take_varint(bytes)) return false;
  if (take(bytes, kId) && !take_varint(bytes)) return false;
  const auto size = take(bytes, kName) ? take_varint(bytes) : std::nullopt;
  if (!size || *size == 0 || *size > bytes.size()) return false;
  const std::string_view name = bytes.substr(0, static_cast<std::size_t>(*size));
  const bool is_text = std::ranges::all_of(name, [](char c) { return c >= ' ' && c != '\x7F'; });
  return is_text && (name.starts_with("/host:") || name.starts_with("/device:") || name == "Task Environment");
}

}  // namespace

std::string_view unread_kind(std::span<const std::byte> beginning) {
  if (is_xplane({reinterpret_cast<const char*>(beginning.data()), beginning.size()}))
    return "is an XPlane profile of XLA, which vizd does not read yet; record it with jax.profiler.trace(FOLDER, "
           "create_perfetto_trace=True), and open the perfetto_trace.json.gz in that folder";
  return "";
}

}  // namespace vizd

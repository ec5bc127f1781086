// PickleWriter: writes pickles for tests, opcode by opcode, as Python's pickler would (protocol 4 unless said
// otherwise).
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace vizd {

class PickleWriter {
 public:
  explicit PickleWriter(int protocol = 4) { raw("\x80").raw(std::string(1, static_cast<char>(protocol))); }

  PickleWriter& raw(std::string_view opcodes) {
    bytes_ += opcodes;
    return *this;
  }
  PickleWriter& none() { return raw("N"); }
  PickleWriter& boolean(bool value) { return raw(value ? "\x88" : "\x89"); }
  PickleWriter& integer(std::int32_t value) { return raw("J").little_endian(value); }
  PickleWriter& text(std::string_view value) {
    return raw("X").little_endian(static_cast<std::uint32_t>(value.size())).raw(value);
  }
  PickleWriter& mark() { return raw("("); }
  // Tuples, lists and dicts of what was written since mark().
  PickleWriter& tuple() { return raw("t"); }
  PickleWriter& list() { return raw("]"); }  // then mark(), items, appends()
  PickleWriter& appends() { return raw("e"); }
  PickleWriter& dict() { return raw("}"); }  // then mark(), keys and values, set_items()
  PickleWriter& set_items() { return raw("u"); }
  PickleWriter& global(std::string_view module, std::string_view name) { return text(module).text(name).raw("\x93"); }
  // Calls the class written before mark() with what was written since.
  PickleWriter& reduce() { return raw("tR"); }
  // An object of a dataclass: then mark(), names and values, built().
  PickleWriter& object(std::string_view module, std::string_view name) {
    return global(module, name).raw(")\x81").dict();
  }
  PickleWriter& built() { return raw("ub"); }
  PickleWriter& memoize() { return raw("\x94"); }
  PickleWriter& get(std::uint8_t slot) { return raw("h").raw(std::string(1, static_cast<char>(slot))); }

  std::string finish() const { return bytes_ + '.'; }

 private:
  template <typename T>
  PickleWriter& little_endian(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    return raw({bytes, sizeof(T)});
  }

  std::string bytes_;
};

inline std::span<const std::byte> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace vizd

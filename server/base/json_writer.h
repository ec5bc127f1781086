// JsonWriter: JSON text appended to a string, for bodies too large for a document in memory: columns of numbers, names,
// events. Puts the commas; whether begins and ends pair up is the caller's care. One thread at a time.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vizd {

// Appends text as a JSON string with its quotes. What is not UTF-8 becomes U+FFFD; a lone surrogate (Python's strings
// may hold them) becomes its \uXXXX escape.
void append_json_string(std::string& out, std::string_view text);

class JsonWriter {
 public:
  // Appends to out, which must outlive the writer.
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& text(std::string_view value);
  JsonWriter& text_or_null(const std::optional<std::string_view>& value) { return value ? text(*value) : null(); }
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& null() { return raw("null"); }
  // Shortest text that reads back as the same double; null where it is not finite.
  JsonWriter& real(double value);
  JsonWriter& number(std::signed_integral auto value) { return signed_number(value); }
  JsonWriter& number(std::unsigned_integral auto value) { return unsigned_number(value); }
  // Text that is JSON already.
  JsonWriter& raw(std::string_view json);

  // "name": [write(*this, item), …], one value an item.
  template <typename Items, typename Write>
  JsonWriter& column(std::string_view name, const Items& items, Write&& write) {
    key(name).begin_array();
    for (const auto& item : items) write(*this, item);
    return end_array();
  }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& signed_number(std::int64_t value);
  JsonWriter& unsigned_number(std::uint64_t value);
  void separate();

  std::string& out_;
  bool needs_comma_ = false;
};

}  // namespace vizd

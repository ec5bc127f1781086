// ETDumps for tests, made field by field: a flatbuffer whose tables are written front to back, parents before children.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace vizd {

class FlatNode {
 public:
  template <typename Number>
  FlatNode& number(unsigned slot, Number value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    fields_[slot].inline_bytes = bytes;
    return *this;
  }
  FlatNode& text(unsigned slot, std::string value) {
    fields_[slot].text = std::move(value);
    return *this;
  }
  FlatNode& table(unsigned slot, FlatNode value) {
    fields_[slot].tables = {std::move(value)};
    return *this;
  }
  FlatNode& tables(unsigned slot, std::vector<FlatNode> values) {
    fields_[slot].tables = std::move(values);
    fields_[slot].is_list = true;
    return *this;
  }
  FlatNode& numbers(unsigned slot, std::vector<std::int64_t> values) {
    fields_[slot].numbers = std::move(values);
    return *this;
  }

  // Appends the table, and what it refers to, and returns where it lies.
  std::size_t write(std::string& out) const {
    const unsigned slots = fields_.empty() ? 0 : fields_.rbegin()->first + 1;
    const std::size_t vtable = out.size();
    out.append(4 + 2 * std::size_t{slots}, '\0');
    const std::size_t at = out.size();
    out.append(4, '\0');
    put(out, at, static_cast<std::int32_t>(at - vtable));
    std::vector<std::pair<std::size_t, const Field*>> references;
    for (const auto& [slot, field] : fields_) {
      put(out, vtable + 4 + 2 * std::size_t{slot}, static_cast<std::uint16_t>(out.size() - at));
      if (field.inline_bytes.empty()) references.emplace_back(out.size(), &field);
      out += field.inline_bytes.empty() ? std::string(4, '\0') : field.inline_bytes;
    }
    put(out, vtable, static_cast<std::uint16_t>(4 + 2 * slots));
    put(out, vtable + 2, static_cast<std::uint16_t>(out.size() - at));
    for (const auto& [from, field] : references) {
      const std::size_t to = field->write(out);
      put(out, from, static_cast<std::uint32_t>(to - from));
    }
    return at;
  }

 private:
  struct Field {
    std::string inline_bytes;
    std::optional<std::string> text;
    std::optional<std::vector<std::int64_t>> numbers;
    std::vector<FlatNode> tables;
    bool is_list = false;

    std::size_t write(std::string& out) const {
      if (!text && !numbers && !is_list) return tables.front().write(out);
      const std::size_t at = out.size();
      const std::size_t count = text ? text->size() : numbers ? numbers->size() : tables.size();
      out.append(4, '\0');
      put(out, at, static_cast<std::uint32_t>(count));
      if (text) out += *text + '\0';
      if (numbers) out.append(reinterpret_cast<const char*>(numbers->data()), 8 * count);
      if (!is_list) return at;
      const std::size_t elements = out.size();
      out.append(4 * count, '\0');
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t to = tables[i].write(out);
        put(out, elements + 4 * i, static_cast<std::uint32_t>(to - (elements + 4 * i)));
      }
      return at;
    }
  };

  template <typename Number>
  static void put(std::string& out, std::size_t at, Number value) {
    std::memcpy(out.data() + at, &value, sizeof value);
  }

  std::map<unsigned, Field> fields_;
};

// The schema's tables.
struct MadeIdentity {
  std::string name = "";
  std::int32_t instruction = -1;
  std::int32_t chain = 0;
  std::int32_t delegate_number = -1;
  std::string delegate_text = "";
};

inline FlatNode made_profile_event(const MadeIdentity& of, std::uint64_t start, std::uint64_t end,
                                   const std::string& metadata = "") {
  FlatNode event;
  if (!of.name.empty()) event.text(0, of.name);
  event.number(1, of.chain).number(2, of.instruction).number(3, of.delegate_number);
  if (!of.delegate_text.empty()) event.text(4, of.delegate_text);
  if (!metadata.empty()) event.text(5, metadata);
  event.number(6, start).number(7, end);
  return FlatNode().table(0, event);
}

inline FlatNode made_allocation_event(std::int32_t allocator, std::uint64_t size_bytes) {
  return FlatNode().table(1, FlatNode().number(0, allocator).number(1, size_bytes));
}

// A tensor of float32 in the debug buffer.
inline FlatNode made_debug_event(const MadeIdentity& of, std::vector<std::int64_t> shape, std::int64_t offset,
                                 bool is_output = false) {
  FlatNode value;
  value.number(0, std::int8_t{5});
  value.table(1, FlatNode().number(0, std::int8_t{6}).numbers(1, std::move(shape)).number(3, offset));
  if (is_output) value.table(7, FlatNode().number(0, std::uint8_t{1}));
  FlatNode event;
  event.number(0, static_cast<std::uint64_t>(std::int64_t{of.chain})).number(1, of.instruction).table(2, value);
  event.number(3, of.delegate_number);
  if (!of.delegate_text.empty()) event.text(4, of.delegate_text);
  if (!of.name.empty()) event.text(5, of.name);
  return FlatNode().table(2, event);
}

inline FlatNode made_run(const std::string& name, std::vector<FlatNode> events, std::int32_t bundled_input = -1) {
  return FlatNode().text(0, name).number(1, bundled_input).tables(3, std::move(events));
}

// The file, with the size before it as the runtime writes it, or without.
inline std::string made_etdump(std::vector<FlatNode> runs, bool has_size = true) {
  std::string buffer(8, '\0');
  std::memcpy(buffer.data() + 4, "ED00", 4);
  const auto root = static_cast<std::uint32_t>(FlatNode().number(0, 0u).tables(1, std::move(runs)).write(buffer));
  std::memcpy(buffer.data(), &root, 4);
  if (!has_size) return buffer;
  const auto size = static_cast<std::uint32_t>(buffer.size());
  std::string file(4, '\0');
  std::memcpy(file.data(), &size, 4);
  return file + buffer;
}

}  // namespace vizd

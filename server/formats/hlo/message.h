// Message: the fields of one protobuf message, one after another. A field of another wire type than its number should
// have is passed over, as an unknown one is. Throws DamagedMessage where the bytes are no message: parts of a module
// are read deep below read_module, which catches it. Refers to the bytes. One thread an object.
#pragma once

#include <cstdint>
#include <exception>
#include <string_view>
#include <vector>

#include "formats/protobuf_fields.h"

namespace vizd::hlo {

struct DamagedMessage : std::exception {
  const char* what() const noexcept override { return "a field of a message is cut or no field"; }
};

class Message {
 public:
  explicit Message(std::string_view bytes) : fields_(bytes) {}

  // Goes to the next field; false where there is none.
  bool next() {
    if (fields_.next()) return true;
    if (fields_.is_broken()) throw DamagedMessage();
    return false;
  }
  // Whether the field is the one of that number, and a message itself.
  bool is_message(std::uint64_t number) const { return fields_.is(number, WireType::kBytes); }
  std::string_view bytes() const { return fields_.bytes(); }

  // Take the field's value if it is the one of that number. Of numbers that are packed the last one counts.
  void take(std::uint64_t number, std::string_view& value) const {
    if (is_message(number)) value = bytes();
  }
  void take(std::uint64_t number, std::int64_t& value) const {
    for_each_number(number, [&](std::int64_t taken) { value = taken; });
  }
  // The same of repeated fields.
  void take(std::uint64_t number, std::vector<std::string_view>& values) const {
    if (is_message(number)) values.push_back(bytes());
  }
  void take(std::uint64_t number, std::vector<std::int64_t>& values) const {
    for_each_number(number, [&](std::int64_t taken) { values.push_back(taken); });
  }

 private:
  template <typename Visit>
  void for_each_number(std::uint64_t field, const Visit& visit) const {
    if (fields_.is(field, WireType::kVarint)) visit(fields_.integer());
    if (!fields_.is(field, WireType::kBytes)) return;
    for (std::string_view rest = fields_.bytes(); !rest.empty();) {
      std::uint64_t number = 0;
      if (!take_protobuf_varint(rest, number)) throw DamagedMessage();
      visit(static_cast<std::int64_t>(number));
    }
  }

  ProtobufFields fields_;
};

}  // namespace vizd::hlo

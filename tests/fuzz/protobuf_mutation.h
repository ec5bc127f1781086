// Changes a field of a protobuf message, at any depth; the lengths of what it lies in are put right.
#pragma once

#include "fuzz/mutation.h"

namespace vizd::fuzz {

struct ProtobufField {
  std::uint64_t tag = 0;
  std::uint64_t number = 0;  // of a varint
  std::string bytes;         // of all others
  unsigned wire_type() const { return static_cast<unsigned>(tag & 7); }
};

inline std::optional<std::uint64_t> take_varint(std::span<const std::byte>& bytes) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(bytes.front());
    bytes = bytes.subspan(1);
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
  return std::nullopt;
}

inline void put_varint(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) out.push_back(static_cast<char>(number | 0x80));
  out.push_back(static_cast<char>(number));
}

// None: the bytes are no message, or an empty one.
inline std::optional<std::vector<ProtobufField>> protobuf_fields(std::span<const std::byte> bytes) {
  std::vector<ProtobufField> fields;
  while (!bytes.empty()) {
    const auto tag = take_varint(bytes);
    if (!tag || *tag < 8) return std::nullopt;
    ProtobufField& field = fields.emplace_back();
    field.tag = *tag;
    std::uint64_t size = 0;
    switch (field.wire_type()) {
      case 0:
        if (const auto number = take_varint(bytes)) {
          field.number = *number;
          continue;
        }
        return std::nullopt;
      case 1:
        size = 8;
        break;
      case 2:
        if (const auto length = take_varint(bytes)) {
          size = *length;
          break;
        }
        return std::nullopt;
      case 5:
        size = 4;
        break;
      default:
        return std::nullopt;
    }
    if (size > bytes.size()) return std::nullopt;
    field.bytes.assign(reinterpret_cast<const char*>(bytes.data()), size);
    bytes = bytes.subspan(size);
  }
  return fields.empty() ? std::nullopt : std::optional(std::move(fields));
}

inline std::string protobuf_message(std::span<const ProtobufField> fields) {
  std::string out;
  for (const ProtobufField& field : fields) {
    put_varint(out, field.tag);
    if (field.wire_type() == 0) put_varint(out, field.number);
    if (field.wire_type() == 2) put_varint(out, field.bytes.size());
    out += field.bytes;
  }
  return out;
}

inline std::optional<std::string> change_protobuf(std::span<const std::byte> bytes, Random& random) {
  auto fields = protobuf_fields(bytes);
  if (!fields) return std::nullopt;
  change_list(*fields, random, [&](ProtobufField& field) {
    // What a field's number means is the message's: seldom another one.
    if (below(random, 16) == 0) {
      field.tag = (below(random, 64) + 1) << 3 | field.wire_type();
    } else if (field.wire_type() == 0) {
      field.number = below(random, 2) == 0 ? odd_number(random) : field.number + below(random, 9) - 4;
    } else if (field.wire_type() != 2) {
      mutate(field.bytes, true);
    } else if (auto inner = below(random, 8) != 0 ? change_protobuf(std::as_bytes(std::span(field.bytes)), random)
                                                  : std::nullopt) {
      field.bytes = *std::move(inner);
    } else {
      mutate(field.bytes);
    }
  });
  return protobuf_message(*fields);
}

}  // namespace vizd::fuzz

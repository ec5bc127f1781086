#include "query/compact_record.h"

#include "base/assert.h"
#include "base/varint.h"

namespace vizd::sql {

// A field tells how far its number is from the one before.
void CompactRecord::begin_field(int field, Type type) {
  const int step = field - last_fields_.back();
  VIZD_ASSERT(step > 0 && step < 16);
  bytes_ += static_cast<char>(step << 4 | type);
  last_fields_.back() = field;
}

void CompactRecord::add_number(int field, Type type, std::int64_t value) {
  begin_field(field, type);
  append_varint(bytes_, zigzag(value));
}

void CompactRecord::add_text(int field, std::string_view bytes) {
  begin_field(field, kBytes);
  put_item(bytes);
}

void CompactRecord::begin_list(int field, Type type, std::size_t count) {
  begin_field(field, kList);
  constexpr std::size_t kFewItems = 15;  // their number stands beside their type
  bytes_ += static_cast<char>((count < kFewItems ? count : kFewItems) << 4 | type);
  if (count >= kFewItems) append_varint(bytes_, count);
}

void CompactRecord::put_item(std::int32_t value) { append_varint(bytes_, zigzag(value)); }

void CompactRecord::put_item(std::string_view bytes) {
  append_varint(bytes_, bytes.size());
  bytes_ += bytes;
}

void CompactRecord::begin_record(int field) {
  begin_field(field, kStruct);
  begin_item();
}

void CompactRecord::end() {
  bytes_ += '\0';
  last_fields_.pop_back();
}

}  // namespace vizd::sql

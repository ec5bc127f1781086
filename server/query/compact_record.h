// CompactRecord: a record in Thrift's compact encoding, as Parquet's files have their metadata: fields told by number,
// in their order, records and lists within each other. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vizd::sql {

class CompactRecord {
 public:
  // Fields of the record that is open; numbers grow.
  void add_int16(int field, std::int16_t value) { add_number(field, kInt16, value); }
  void add_int32(int field, std::int32_t value) { add_number(field, kInt32, value); }
  void add_int64(int field, std::int64_t value) { add_number(field, kInt64, value); }
  void add_text(int field, std::string_view bytes);
  // A list that so many begin_item, or put_item, follow.
  void begin_records(int field, std::size_t count) { begin_list(field, kStruct, count); }
  void begin_numbers(int field, std::size_t count) { begin_list(field, kInt32, count); }
  void begin_texts(int field, std::size_t count) { begin_list(field, kBytes, count); }
  void put_item(std::int32_t value);
  void put_item(std::string_view bytes);
  void begin_item() { last_fields_.push_back(0); }
  // A record within, until end().
  void begin_record(int field);
  // Ends the record that is open: the outermost too.
  void end();

  const std::string& bytes() const { return bytes_; }

 private:
  enum Type : std::uint8_t { kInt16 = 4, kInt32 = 5, kInt64 = 6, kBytes = 8, kList = 9, kStruct = 12 };

  void begin_field(int field, Type type);
  void add_number(int field, Type type, std::int64_t value);
  void begin_list(int field, Type type, std::size_t count);

  std::string bytes_;
  std::vector<int> last_fields_{0};  // of each record that is open
};

}  // namespace vizd::sql

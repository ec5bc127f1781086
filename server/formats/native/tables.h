// Tables: what the other records of one section of a native capture refer to by number: strings, source locations,
// kinds of op, values and ops. Numbers are the section's own; the ids they become are the model's. Values and ops are
// made by finish(), since either may refer to the other, or put in as they stand (restore.h). One thread; the capture
// must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/native/columns.h"
#include "formats/told_dialect.h"
#include "model/capture.h"
#include "model/op_values.h"

namespace vizd::native {

// Records that lost chunks may have held.
inline constexpr std::uint64_t kMostLostRecords = std::uint64_t{1} << 24;

class Tables {
 public:
  // What stands for a string that was in a chunk that is missing. Not added where none is: ids should not move.
  static constexpr std::string_view kLost = "<lost>";
  static constexpr std::uint8_t kMostNested = 100;  // values in values

  // kinds: of the whole file, added to.
  // lost_records: so many may still be missing between those that are there, in all sections.
  Tables(Capture& capture, std::vector<told::OpKind>& kinds, std::uint64_t& lost_records)
      : capture_(capture), kinds_(kinds), lost_records_(lost_records) {}

  // False where a dialect of vizd's own numbers the ops' kinds. To be called before ops are added.
  void set_own_kinds(bool has_own_kinds) { has_own_kinds_ = has_own_kinds; }

  // first: the number of the chunk's first record. Strings must come before what names them.
  void add_strings(const Columns& columns, std::uint64_t first);
  void add_locations(const Columns& columns, std::uint64_t first);
  void add_kinds(const Columns& columns, std::uint64_t first);
  void add_values(const Columns& columns, std::uint64_t first);
  void add_ops(const Columns& columns, std::uint64_t first);
  // Values and ops are in the capture already, and their numbers are their ids. Instead of adding them.
  void set_restored() { is_restored_ = true; }
  // Contexts are numbered from here on: the ids of the section's own.
  void finish(std::size_t first_context);

  // "" where there is no such string.
  StringId string(std::uint64_t number) const;
  // The location; the unknown one where there is none of that number.
  LocationId location(std::uint64_t number);
  // None where there is no such kind.
  std::optional<std::uint16_t> kind(std::uint32_t number) const {
    if (number >= (has_own_kinds_ ? kind_ids_.size() : 0x10000)) return std::nullopt;
    return has_own_kinds_ ? kind_ids_[number] : static_cast<std::uint16_t>(number);
  }
  // After finish(); none where the op is missing or could not be made.
  std::optional<OpId> op(std::uint64_t number) const {
    if (!is_restored_) return made_op(number);
    return number < capture_.ops.size() ? std::optional(to_id<OpId>(number)) : std::nullopt;
  }
  ValueId value(std::uint64_t number) const;

  void skip(std::string_view reason, std::uint64_t count = 1);
  // Whether a profile may hold that time; counted where it may not.
  bool is_time(std::int64_t ns);

 private:
  // Columns of all values and ops of the section, by record.
  struct ValueRecords {
    std::vector<std::uint8_t> kind;
    std::vector<std::int64_t> number;
    std::vector<double> real;
    std::vector<std::uint32_t> item_begin{0};  // and one more
    std::vector<std::uint32_t> items;          // numbers of values
  };
  struct OpRecords {
    std::vector<std::uint64_t> number;
    std::vector<std::uint32_t> kind, dtype_value, argument_value, tag_value;
    std::vector<std::uint32_t> dtype, argument, tag, shape, label, text, context, flags;
    std::vector<std::uint64_t> identity;
    std::vector<std::uint32_t> source_begin{0};  // and one more
    std::vector<std::uint64_t> sources;          // numbers of ops
    std::vector<OpId> made;
  };

  // Brings a table to the size at which the next record has this number: what is between was lost. False where that is
  // too much to be true, or in the past.
  template <typename Table, typename Lost>
  bool fill_up(Table& table, std::uint64_t first, const Lost& lost);
  bool may_lose(std::uint64_t from, std::uint64_t to);
  void make_values(std::uint64_t end);
  ValueId make_value(std::size_t record);
  void make_ops();
  void make_op(std::size_t record);
  std::optional<OpId> made_op(std::uint64_t number) const;
  // The argument of a native op: the text alone, or an object of kOpType.
  ValueId native_argument(std::size_t record);
  ValueId text_value(std::uint32_t string_number);

  Capture& capture_;
  std::vector<told::OpKind>& kinds_;
  std::uint64_t& lost_records_;
  bool has_own_kinds_ = true;
  bool is_restored_ = false;
  std::size_t first_context_ = 0;
  std::vector<StringId> strings_{StringId{}};
  std::vector<LocationId> locations_;
  LocationId lost_location_{kNoId};
  std::vector<std::uint16_t> kind_ids_;
  ValueRecords value_records_;
  std::vector<ValueId> values_{kNoneValue};  // as far as made
  std::vector<std::uint8_t> value_depth_{0};
  OpRecords ops_;
  std::vector<std::uint32_t> op_record_;  // by number
  std::vector<ValueId> field_names_;      // by OpField
  std::vector<ValueId> parts_;
  std::vector<OpId> sources_;
};

}  // namespace vizd::native

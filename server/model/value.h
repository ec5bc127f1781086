// ValueTable: the immutable values an op carries (its dtype, argument, tag) and that captures hold besides: numbers,
// text, tuples, enum members, objects of known or unknown classes. Each distinct value is held once, known by ValueId.
// Two values are one id only where type and content are the same (1, 1.0 and True are three); whether the capturing
// program would call them equal is equality(). Not thread-safe while values are added; reading is.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash_index.h"
#include "base/huge_pages.h"
#include "base/ids.h"
#include "base/string_table.h"

namespace vizd {

enum class ValueId : std::uint32_t {};
enum class OpId : std::uint32_t {};

inline constexpr ValueId kNoneValue{0};

enum class ValueKind : std::uint8_t {
  kNone,
  kBool,
  kInt,     // fits int64
  kBigInt,  // any other integer, as decimal text
  kFloat,
  kString,
  kBytes,
  kTuple,
  kList,
  kSet,
  kDict,    // items: key, value, key, value, …
  kEnum,    // type_name, name, number
  kObject,  // type_name "module.Class"; items: field name (string) or none for a positional argument, value, …
  kOp,      // an op inside a value
};

class ValueTable {
 public:
  explicit ValueTable(StringTable& strings);
  ValueTable(const ValueTable&) = delete;
  ValueTable& operator=(const ValueTable&) = delete;

  ValueId boolean(bool value);
  ValueId integer(std::int64_t value);
  // text: decimal digits with an optional minus; becomes an integer() where it fits int64.
  ValueId big_integer(std::string_view text);
  // Every NaN is a value of its own, as two NaN objects are two in Python.
  ValueId real(double value);
  ValueId string(std::string_view text);
  ValueId bytes(std::string_view data);
  ValueId sequence(ValueKind kind, std::span<const ValueId> items);  // kTuple, kList, kSet, kDict
  ValueId member(std::string_view type_name, std::string_view name, std::int64_t number);
  ValueId object(std::string_view type_name, std::span<const ValueId> items);
  ValueId op(OpId id);

  // For a table that was written as a whole and comes back: takes a value, of items before it; payload: the number, the
  // bits of a real, a string's id, an op's. The caller says that no two are the same. Nothing finds them, or knows what
  // they equal, before finish_restore(). drop_restored() takes all of them back.
  void begin_restore(std::size_t value_count, std::size_t item_count);
  void restore(ValueKind kind, std::uint64_t payload, StringId type_name, std::span<const ValueId> items);
  void finish_restore();
  void drop_restored();

  ValueKind kind(ValueId id) const { return kinds_[index(id)]; }
  bool as_bool(ValueId id) const { return entries_[index(id)].payload != 0; }
  std::int64_t as_int(ValueId id) const;    // kBool, kInt; a member's number
  double as_real(ValueId id) const;         // kBool, kInt, kFloat
  std::string_view text(ValueId id) const;  // kString, kBytes, kBigInt (its digits), a member's name
  OpId as_op(ValueId id) const { return to_id<OpId>(entries_[index(id)].payload); }
  std::string_view type_name(ValueId id) const;  // kEnum, kObject
  std::span<const ValueId> items(ValueId id) const;
  // The value of an object's field, or kNoneValue where it has none of that name.
  ValueId field(ValueId object, std::string_view name) const;

  // The value that stands for all those that Python calls equal to this one (1 == 1.0 == True, 0.0 == -0.0, item by
  // item): equal values have the same. Integers beyond int64 equal no float here.
  ValueId equality(ValueId id) const { return equals_[index(id)]; }

  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t payload = 0;  // the number, a string id, or where its items begin
    std::uint32_t count = 0;    // of items
    StringId type_name{};
  };

  static std::uint32_t hash(ValueKind kind, const Entry& entry, std::span<const ValueId> items);
  ValueId intern(ValueKind kind, Entry entry, std::span<const ValueId> items = {});
  std::size_t append_items(std::span<const ValueId> items);
  ValueId equal_of(ValueId id);

  StringTable& strings_;
  // By value. The last two are apart because most look-ups read nothing else.
  LargeVector<Entry> entries_;
  LargeVector<ValueKind> kinds_;
  LargeVector<ValueId> equals_;
  LargeVector<ValueId> items_;
  HashIndex index_;                            // of entries_
  std::array<ValueId, 256> small_integers_{};  // 0 to 255 by value, as they are most of all; none where not yet added
};

}  // namespace vizd

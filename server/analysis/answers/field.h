// Field: one of the things that a row of an answer has: its name, type, unit and meaning, and how its value is had. An
// answer's fields are said once (device_answers.h), and all that shows rows is made from them: JSON (answer_json.h),
// tables for people and for other programs (cli/devices/answer_records.h), SQL and the store (query/answer_tables.cpp),
// the page's types and columns (page_types.h). Plain data. Any thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/assert.h"

namespace vizd {

enum class FieldKind : std::uint8_t {
  kCount,   // a whole number
  kAmount,  // a number, written as a whole one where it is one
  kReal,
  kFlag,
  kText,
  kTexts,   // several in their order
  kRange,   // from one number to another
  kNumber,  // what the system calls something: a number, or a text
};

// The unit of a number, which decides how people read it.
enum class Unit : std::uint8_t {
  kNone,
  kNanoseconds,
  kMoreNanoseconds,  // than before: with its sign
  kPercent,
  kRatio,
  kBytes,
  kFlop,
  kBytesPerSecond,
  kFlopPerSecond,
  kPicoseconds
};

struct FieldInfo {
  std::string_view name;   // JSON's key, the heading of CSV, SQL's column
  std::string_view title;  // for people: a heading
  FieldKind kind = FieldKind::kCount;
  std::string_view about;  // one line for people; "" where the title says it all
  Unit unit = Unit::kNone;
  bool may_be_null = false;
  bool may_be_absent = false;                    // JSON leaves it out of some rows
  bool is_extra = false;                         // there only where it is chosen by name
  std::string_view none = {};                    // what people read where there is no value
  std::string_view whole = {};                   // the field that people read this one as a share of
  std::span<const std::string_view> words = {};  // the texts that it can be, where these are few

  constexpr FieldInfo or_null(std::string_view text = {}) const {
    return with([&](FieldInfo& info) { info.may_be_null = true, info.none = text; });
  }
  constexpr FieldInfo or_absent() const {
    return with([](FieldInfo& info) { info.may_be_absent = true; });
  }
  constexpr FieldInfo extra() const {
    return with([](FieldInfo& info) { info.is_extra = true; });
  }
  constexpr FieldInfo part_of(std::string_view field) const {
    return with([&](FieldInfo& info) { info.whole = field; });
  }
  constexpr FieldInfo one_of(std::span<const std::string_view> texts) const {
    return with([&](FieldInfo& info) { info.words = texts; });
  }

 private:
  template <typename Change>
  constexpr FieldInfo with(Change&& change) const {
    FieldInfo info = *this;
    change(info);
    return info;
  }
};

// Kinds with the units that they are met in.
constexpr FieldInfo count_field(std::string_view name, std::string_view title, std::string_view about = {},
                                Unit unit = Unit::kNone) {
  return {name, title, FieldKind::kCount, about, unit};
}
constexpr FieldInfo time_field(std::string_view name, std::string_view title, std::string_view about = {}) {
  return count_field(name, title, about, Unit::kNanoseconds);
}
constexpr FieldInfo amount_field(std::string_view name, std::string_view title, Unit unit,
                                 std::string_view about = {}) {
  return {name, title, FieldKind::kAmount, about, unit};
}
constexpr FieldInfo real_field(std::string_view name, std::string_view title, Unit unit, std::string_view about = {}) {
  return {name, title, FieldKind::kReal, about, unit};
}
constexpr FieldInfo text_field(std::string_view name, std::string_view title, std::string_view about = {}) {
  return {name, title, FieldKind::kText, about};
}
constexpr FieldInfo number_field(std::string_view name, std::string_view title, std::string_view about = {}) {
  return FieldInfo{name, title, FieldKind::kNumber, about}.or_null();
}

// The row has no such field: where JSON writes null for std::monostate, it leaves this out.
struct Absent {};
using Texts = std::vector<std::string_view>;
using Range = std::pair<double, double>;
// Texts that are not made for it are the capture's or the row's. One of Texts without data is none: JSON has null
// there.
using FieldValue =
    std::variant<std::monostate, Absent, std::int64_t, double, bool, std::string_view, std::string, Texts, Range>;

template <typename T>
FieldValue field_value(T value) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    return static_cast<std::int64_t>(value);
  } else {
    return FieldValue(std::move(value));
  }
}
template <typename T>
FieldValue field_value(std::optional<T> value) {
  return value ? field_value(*std::move(value)) : FieldValue();
}

// Line: what a row's values are made of: the row, and what it refers to.
template <typename Line>
struct Field {
  FieldInfo info;
  std::function<FieldValue(const Line&)> value;

  // get: a member of the row, or what makes a number, a text, … of the line, optional or not.
  template <typename Get>
  Field(const FieldInfo& of, Get get) : info(of) {
    if constexpr (std::is_member_pointer_v<Get>) {
      value = [get](const Line& line) { return field_value(std::invoke(get, line.row)); };
    } else {
      value = [get](const Line& line) { return field_value(get(line)); };
    }
  }
};

template <typename Line>
using Fields = std::vector<Field<Line>>;

template <typename Line>
const Field<Line>& find_field(const Fields<Line>& fields, std::string_view name) {
  for (const Field<Line>& field : fields) {
    if (field.info.name == name) return field;
  }
  VIZD_ASSERT(false && "there is a field of that name");
}

// Chooses the fields with these names, separated by blanks, in their order: "rank device launches".
template <typename Line>
Fields<Line> choose_fields(const Fields<Line>& fields, std::string_view names) {
  Fields<Line> chosen;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    chosen.push_back(find_field(fields, names.substr(0, end)));
    chosen.back().info.is_extra = false;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return chosen;
}

}  // namespace vizd

// ArgumentColumn: one argument of a track's events: its name, its unit, and a value for each event that has it. Numbers
// are kept as numbers, all packed (base/packed_column.h): profiles have more arguments than anything else. Values are
// appended in any order, best in that of the events; preparing the timeline (timeline/timeline.h), which numbers the
// events anew, sorts them. Any thread may read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "base/packed_column.h"
#include "base/string_table.h"

namespace vizd {

enum class ArgumentType : std::uint8_t { kInteger = 1, kReal = 2, kText = 3 };

using ArgumentValue = std::variant<std::int64_t, double, StringId>;

inline ArgumentType type_of(const ArgumentValue& value) { return static_cast<ArgumentType>(value.index() + 1); }

struct ArgumentColumn {
  StringId name{};
  StringId unit{};  // "B", "FLOP", "ns", …; "" where it has none
  ArgumentType type = ArgumentType::kInteger;
  bool is_hidden = false;  // says how the event was recorded, which people are not shown: no other has its meaning
  PackedIntegers events;   // places in Track::events, ascending once prepared, none twice
  PackedIntegers numbers;  // by place in events: integers, or the StringIds of texts; of reals it is empty
  PackedReals reals;       // likewise; of integers and texts it is empty

  std::size_t size() const { return events.size(); }
  std::uint32_t event(std::size_t place) const { return static_cast<std::uint32_t>(events[place]); }
  // The value at that place, of a column of that type.
  std::int64_t integer(std::size_t place) const { return numbers[place]; }
  double real(std::size_t place) const { return reals[place]; }
  StringId text(std::size_t place) const { return to_id<StringId>(static_cast<std::size_t>(numbers[place])); }
  ArgumentValue value(std::size_t place) const;
  // Where the event's value is; none where it does not have the argument. The column is sorted.
  std::optional<std::size_t> place_of(std::uint32_t event) const;
  // The value itself, likewise.
  std::optional<ArgumentValue> of(std::uint32_t event) const;
  // The value is of the column's type.
  void push_back(std::uint32_t event, const ArgumentValue& value);
  // The same of a column of integers or texts, whose StringId is the number; and of a column of reals.
  void push_number(std::uint32_t event, std::int64_t number) {
    events.push_back(event);
    numbers.push_back(number);
  }
  void push_real(std::uint32_t event, double real) {
    events.push_back(event);
    reals.push_back(real);
  }
  // No more values are to come: gives back the room that was kept for them.
  void shrink();
};

// The column of that name, unit and type, which is shown and is added where there is none.
ArgumentColumn& find_or_add_argument(std::vector<ArgumentColumn>& columns, StringId name, StringId unit,
                                     ArgumentType type);
// The column of that name that is shown, or null.
const ArgumentColumn* find_argument(std::span<const ArgumentColumn> columns, StringId name);

// Names the columns' events by where they are now, and sorts by that. now_at: by recorded event; empty where all events
// stayed. Of an event that has an argument twice the last value stays; events beyond event_count are left out.
void renumber_arguments(std::vector<ArgumentColumn>& columns, std::span<const std::uint32_t> now_at,
                        std::size_t event_count);

// Names of arguments that have a meaning in every format.
namespace argument {
// The unit of texts that are JSON: lists, objects, and what else is neither a number nor a text. People are not shown
// it.
inline constexpr std::string_view kJson = "json";
inline constexpr std::string_view kFlop = "FLOP";                        // arithmetic operations, unit "FLOP"
inline constexpr std::string_view kMemoryBytes = "memory";               // bytes of memory touched, unit "B"
inline constexpr std::string_view kLoadStoreBytes = "loads and stores";  // bytes that these move, unit "B"
inline constexpr std::string_view kMetadata = "metadata";                // where in the user's program it comes from
inline constexpr std::string_view kInfo = "info";                        // lines of text of an older vizd's capture
inline constexpr std::string_view kRun = "run";  // which launch it is of, by its number: Profile::numbers_launches
}  // namespace argument

}  // namespace vizd

// ArgumentColumn: one argument of a track's events: its name, its unit, and a value for each event that has it. Numbers
// are kept as numbers. Values are appended in the order of the events; preparing the timeline, which numbers the events
// anew, sorts them (timeline/timeline.h). Reading may be done by any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "base/column.h"
#include "base/ids.h"
#include "base/string_table.h"

namespace vizd {

enum class ArgumentType : std::uint8_t { kInteger = 1, kReal = 2, kText = 3 };

using ArgumentValue = std::variant<std::int64_t, double, StringId>;

inline ArgumentType type_of(const ArgumentValue& value) { return static_cast<ArgumentType>(value.index() + 1); }

struct ArgumentColumn {
  StringId name{};
  StringId unit{};  // "B", "FLOP", "ns", …; "" where it has none
  ArgumentType type = ArgumentType::kInteger;
  Column<std::uint32_t> events;   // places in Track::events, ascending once prepared, none twice
  Column<std::int64_t> integers;  // by place in events; the two others are empty
  Column<double> reals;           // likewise
  Column<std::uint32_t> texts;    // likewise: StringId

  std::size_t size() const { return events.size(); }
  ArgumentValue value(std::size_t place) const;
  // Of the event; none where it does not have the argument. The column is sorted.
  std::optional<ArgumentValue> of(std::uint32_t event) const;
  // The value is of the column's type.
  void push_back(std::uint32_t event, const ArgumentValue& value);
};

// The column of that name, unit and type, which is added where there is none.
ArgumentColumn& find_or_add_argument(std::vector<ArgumentColumn>& columns, StringId name, StringId unit,
                                     ArgumentType type);
// The column of that name, or null.
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
}  // namespace argument

}  // namespace vizd

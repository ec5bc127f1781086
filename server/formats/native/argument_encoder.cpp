#include "formats/native/argument_encoder.h"

#include <algorithm>
#include <bit>
#include <string>

namespace vizd::native {

namespace column = capture::column;
using capture::ChunkBuilder;
using capture::ChunkType;
using capture::Coding;

void ArgumentEncoder::write_list(const std::vector<Track>& tracks, const NameNumbers& names, ChunkWriter& chunks) {
  std::vector<const ArgumentColumn*> all;
  for (const Track& track : tracks) {
    for (const ArgumentColumn& argument : track.arguments) {
      if (numbers_.try_emplace(key_of(argument), all.size()).second) all.push_back(&argument);
    }
  }
  chunks.in_parts(ChunkType::kArguments, all.size(), 0, [&](ChunkBuilder& chunk, std::size_t begin, std::size_t count) {
    using Column = column::Arguments;
    const auto argument = [&](std::size_t i) -> const ArgumentColumn& { return *all[begin + i]; };
    const auto name = [&](std::size_t i) { return names.of(argument(i).name, argument(i).is_hidden); };
    chunk.integers(Column::kName, count, name);
    chunk.integers(Column::kUnit, count, [&](std::size_t i) { return index(argument(i).unit); });
    chunk.integers(Column::kType, count, [&](std::size_t i) { return static_cast<unsigned>(argument(i).type); });
  });
}

void ArgumentEncoder::write_values(ChunkBuilder& chunk, const std::vector<ArgumentColumn>& arguments, std::size_t begin,
                                   std::size_t count) const {
  using Column = column::Events;
  constexpr std::size_t kFewValues = 16;
  std::vector<std::size_t> by_column;  // their numbers and one, so that they are no column of zeros
  std::vector<ArgumentSlice> by_event;
  for (const ArgumentColumn& argument : arguments) {
    const auto place_of = [&](std::size_t event) {
      return argument.events.lower_bound(static_cast<std::int64_t>(event));
    };
    const ArgumentSlice slice{argument, place_of(begin), place_of(begin + count)};
    if (slice.size() < kFewValues || by_column.size() == capture::kMostArgumentColumns) {
      by_event.push_back(slice);
      continue;
    }
    write_column(chunk, slice, by_column.size(), begin, count);
    by_column.push_back(numbers_.at(key_of(argument)) + 1);
  }
  chunk.integers(Column::kArgumentColumns, by_column.size(), [&](std::size_t i) { return by_column[i]; });
  write_by_event(chunk, by_event, begin, count);
}

// As the k-th of the chunk.
void ArgumentEncoder::write_column(ChunkBuilder& chunk, const ArgumentSlice& slice, std::size_t k,
                                   std::size_t first_event, std::size_t event_count) {
  using Column = column::Events;
  const auto records_column = static_cast<std::uint16_t>(Column::kFirstRecords + 2 * k);
  const auto values_column = static_cast<std::uint16_t>(Column::kFirstValues + 2 * k);
  bool have_all = slice.size() == event_count;
  for (std::size_t i = 0; have_all && i < event_count; ++i) have_all = slice.event(i) == first_event + i;
  const auto record = [&](std::size_t i) { return slice.event(i) - first_event + 1; };
  if (!have_all) chunk.integers(records_column, slice.size(), record, Coding::kDifferences);
  if (slice.argument.type == ArgumentType::kReal)
    return chunk.reals(values_column, slice.size(),
                       [&](std::size_t i) { return slice.argument.real(slice.begin + i); });
  const auto value = [&](std::size_t i) { return slice.argument.integer(slice.begin + i); };
  bool are_zeros = true;
  std::uint64_t sum = 0, sum_of_differences = 0;  // of the numbers' sizes
  for (std::size_t i = 0; i < slice.size(); ++i) {
    const auto now = static_cast<std::uint64_t>(value(i)),
               last = i == 0 ? now : static_cast<std::uint64_t>(value(i - 1));
    are_zeros = are_zeros && now == 0;
    sum += static_cast<unsigned>(std::bit_width(now));
    sum_of_differences += static_cast<unsigned>(std::bit_width(now > last ? now - last : last - now));
  }
  // A column of zeros would be left out, and then nobody knew how many there are.
  if (are_zeros) return chunk.bytes(values_column, std::string(slice.size(), '\0'));
  chunk.integers(values_column, slice.size(), value, sum_of_differences < sum ? Coding::kDifferences : Coding::kPlain);
}

void ArgumentEncoder::write_by_event(ChunkBuilder& chunk, const std::vector<ArgumentSlice>& slices, std::size_t begin,
                                     std::size_t count) const {
  using Column = column::Events;
  struct Value {
    std::uint32_t event;
    std::size_t argument;
    ArgumentValue value;
  };
  std::vector<Value> values;
  for (const ArgumentSlice& slice : slices) {
    const std::size_t number = numbers_.at(key_of(slice.argument));
    for (std::size_t i = 0; i < slice.size(); ++i)
      values.push_back({slice.event(i), number, slice.argument.value(slice.begin + i)});
  }
  if (values.empty()) return;
  std::ranges::stable_sort(values, {}, &Value::event);
  std::vector<std::uint32_t> counts(count);
  for (const Value& value : values) ++counts[value.event - begin];
  chunk.integers(Column::kArgumentCount, count, [&](std::size_t i) { return counts[i]; });
  chunk.integers(Column::kArgument, values.size(), [&](std::size_t i) { return values[i].argument; });
  chunk.integers(Column::kInteger, values.size(), [&](std::size_t i) { return integer_of(values[i].value); });
  const bool has_reals =
      std::ranges::any_of(values, [](const Value& v) { return type_of(v.value) == ArgumentType::kReal; });
  if (has_reals) chunk.reals(Column::kReal, values.size(), [&](std::size_t i) { return real_of(values[i].value); });
}

}  // namespace vizd::native

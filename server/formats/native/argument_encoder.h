// ArgumentEncoder: writes the arguments of a profile's events: which there are, and with each chunk of events their
// values. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include "formats/native/chunk_writer.h"
#include "model/capture.h"

namespace vizd::native {

// A value as the two columns that values are written in: integers and texts' numbers, and reals.
inline std::int64_t integer_of(const ArgumentValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* text = std::get_if<StringId>(&value)) return static_cast<std::int64_t>(index(*text));
  return 0;
}
inline double real_of(const ArgumentValue& value) {
  const auto* real = std::get_if<double>(&value);
  return real == nullptr ? 0 : *real;
}

// The numbers of the strings that names of arguments and facts are written as.
class NameNumbers {
 public:
  // A name that is shown is written as another than its own.
  void add(StringId name, std::size_t number) { others_[name] = number; }
  std::size_t of(StringId name, bool is_hidden) const {
    const auto found = is_hidden ? others_.end() : others_.find(name);
    return found == others_.end() ? std::size_t{index(name)} : found->second;
  }

 private:
  std::unordered_map<StringId, std::size_t> others_;
};

class ArgumentEncoder {
 public:
  // Arguments of one name, unit and type are one, whatever tracks have them. First.
  void write_list(const std::vector<Track>& tracks, const NameNumbers& names, ChunkWriter& chunks);

  // For the track's events from `begin` on: column by column, and with the events those that few of them have.
  void write_values(capture::ChunkBuilder& chunk, const std::vector<ArgumentColumn>& arguments, std::size_t begin,
                    std::size_t count) const;

 private:
  // The values of an argument from one place to another.
  struct ArgumentSlice {
    const ArgumentColumn& argument;
    std::size_t begin, end;

    std::size_t size() const { return end - begin; }
    std::uint32_t event(std::size_t i) const { return argument.event(begin + i); }
  };

  using Key = std::tuple<StringId, bool, StringId, ArgumentType>;
  static Key key_of(const ArgumentColumn& argument) {
    return {argument.name, argument.is_hidden, argument.unit, argument.type};
  }

  static void write_column(capture::ChunkBuilder& chunk, const ArgumentSlice& slice, std::size_t k,
                           std::size_t first_event, std::size_t event_count);
  void write_by_event(capture::ChunkBuilder& chunk, const std::vector<ArgumentSlice>& slices, std::size_t begin,
                      std::size_t count) const;

  std::map<Key, std::size_t> numbers_;
};

}  // namespace vizd::native

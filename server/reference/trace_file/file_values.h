// FileValues: what a trace's capture keeps of its file's values, as a script that reads the file would see them. Refers
// to the strings. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/devices/device_work.h"
#include "model/capture.h"

namespace vizd::trace_file {

using FileNumber = std::tuple<bool, bool, std::int64_t, std::string>;  // sorts numbers before texts

// An argument by its name, among those that are shown or those that are hidden.
struct ArgumentName {
  ArgumentName(const char* shown) : text(shown) {}
  ArgumentName(std::string_view name, bool hidden) : text(name), is_hidden(hidden) {}
  bool is_of(const ArgumentColumn& column, const StringTable& strings) const {
    return column.is_hidden == is_hidden && strings.get(column.name) == text;
  }

  std::string_view text;
  bool is_hidden = false;
};
inline ArgumentName hidden(std::string_view name) { return {name, true}; }

class FileValues {
 public:
  explicit FileValues(const StringTable& strings) : strings_(strings) {}

  std::string text(StringId id) const { return std::string(strings_.get(id)); }
  // As Python's str() makes it.
  std::string text(const FileValue& value) const;
  FileNumber number(const FileValue& value) const;
  // A stream's number, also where it stands as "stream 7".
  FileNumber stream_number(const FileValue& stream) const;
  std::int64_t whole(const ArgumentValue& value) const;
  // None where it is null.
  FileValue value_of(const Fact& fact) const;
  // The thread that an argument names; that it names none is kept as JSON.
  FileValue thread_of(const ArgumentValue& value) const;

  FileValue argument(const Track& track, const ArgumentName& name, std::uint32_t event) const;
  // As text, as Python's str() makes it.
  std::string argument_text(const Track& track, const ArgumentName& name, std::uint32_t event) const;
  // Whether an event's argument is the device's number.
  bool is_same(const ArgumentColumn& column, std::size_t place, const FileValue& device) const;
  // By event what an argument of that name holds as text; empty where no event has it.
  std::vector<StringId> texts_of(const Track& track, const ArgumentName& name) const;
  // By event whether it has an argument of that name; empty where none has.
  std::vector<bool> has_argument(const Track& track, const ArgumentName& name) const;

 private:
  const StringTable& strings_;
};

}  // namespace vizd::trace_file

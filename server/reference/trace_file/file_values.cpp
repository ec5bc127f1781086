#include "reference/trace_file/file_values.h"

#include <algorithm>
#include <charconv>

#include "formats/trace_words.h"
#include "model/argument_json.h"
#include "model/argument_key.h"

namespace vizd::trace_file {

std::string FileValues::text(const FileValue& value) const {
  return value ? value_text(*value, strings_) : std::string(trace::kMissing);
}

FileNumber FileValues::number(const FileValue& value) const {
  if (!value) return {true, false, 0, ""};
  if (const auto* const number = std::get_if<std::int64_t>(&*value)) return {false, true, *number, ""};
  return {true, true, 0, value_text(*value, strings_)};
}

FileNumber FileValues::stream_number(const FileValue& stream) const {
  constexpr std::string_view kWord = "stream ";
  if (const auto* const id = stream ? std::get_if<StringId>(&*stream) : nullptr) {
    const std::string_view name = strings_.get(*id);
    std::int64_t parsed = 0;
    const auto [end, failed] =
        std::from_chars(name.data() + std::min(kWord.size(), name.size()), name.data() + name.size(), parsed);
    if (name.starts_with(kWord) && failed == std::errc() && end == name.data() + name.size())
      return {false, true, parsed, ""};
  }
  return number(stream);
}

std::int64_t FileValues::whole(const ArgumentValue& value) const {
  if (const auto* const integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* const real = std::get_if<double>(&value)) return static_cast<std::int64_t>(*real);
  const std::string_view digits = strings_.get(std::get<StringId>(value));
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

FileValue FileValues::value_of(const Fact& fact) const {
  const auto* const id = std::get_if<StringId>(&fact.value);
  const bool is_null = id != nullptr && fact.unit != StringId{} && strings_.get(*id) == "null";
  return is_null ? FileValue() : FileValue(fact.value);
}

FileValue FileValues::thread_of(const ArgumentValue& value) const {
  const auto* const name = std::get_if<StringId>(&value);
  return name != nullptr && strings_.get(*name) == "null" ? std::nullopt : FileValue(value);
}

FileValue FileValues::argument(const Track& track, const ArgumentName& name, std::uint32_t event) const {
  FileValue found;
  for (const ArgumentColumn& column : track.arguments) {
    if (!name.is_of(column, strings_)) continue;
    if (const auto value = column.of(event)) found = value;
  }
  return found;
}

std::string FileValues::argument_text(const Track& track, const ArgumentName& name, std::uint32_t event) const {
  std::string found(trace::kMissing);
  for (const ArgumentColumn& column : track.arguments) {
    if (!name.is_of(column, strings_)) continue;
    const auto value = column.of(event);
    if (!value) continue;
    found = value_text(*value, strings_);
    if (column.unit == StringId{}) continue;
    if (found == "null") found = trace::kMissing;
    if (found == "true") found = "True";
    if (found == "false") found = "False";
  }
  return found;
}

bool FileValues::is_same(const ArgumentColumn& column, std::size_t place, const FileValue& device) const {
  const ArgumentKey number = argument_key(column, place, strings_);
  if (!device) return number.type == ArgumentKey::Type::kNone;
  if (const auto* const integer = std::get_if<std::int64_t>(&*device))
    return number == ArgumentKey{ArgumentKey::Type::kInteger, *integer};
  return column.value(place) == *device;
}

std::vector<StringId> FileValues::texts_of(const Track& track, const ArgumentName& name) const {
  std::vector<StringId> texts;
  for (const ArgumentColumn& column : track.arguments) {
    if (!name.is_of(column, strings_) || column.type != ArgumentType::kText) continue;
    texts.resize(track.events.size(), StringId{kNoId});
    for (std::size_t i = 0; i < column.size(); ++i) texts[column.event(i)] = column.text(i);
  }
  return texts;
}

std::vector<bool> FileValues::has_argument(const Track& track, const ArgumentName& name) const {
  std::vector<bool> has;
  for (const ArgumentColumn& column : track.arguments) {
    if (!name.is_of(column, strings_)) continue;
    has.resize(track.events.size());
    column.events.for_each([&](std::int64_t event) { has[static_cast<std::size_t>(event)] = true; });
  }
  return has;
}

}  // namespace vizd::trace_file

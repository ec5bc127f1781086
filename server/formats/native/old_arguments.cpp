#include "formats/native/old_arguments.h"

#include <limits>

#include "base/parse_json.h"

namespace vizd::native {
namespace {

using nlohmann::json;

ArgumentValue value_of(const json& value, StringTable& strings) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
    return value.get<double>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return strings.add(value.get_ref<const std::string&>());
  return strings.add(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace

bool add_old_arguments(std::string_view text, std::uint32_t event, Track& track, ArgumentPlaces& places,
                       StringTable& strings) {
  const json object = parse_json(text);
  if (!object.is_object()) return false;
  for (const auto& [name, member] : object.items()) {
    const ArgumentValue value = value_of(member, strings);
    ArgumentColumn* const column = places.find_or_add(track, strings.add(name), StringId{}, type_of(value));
    if (column == nullptr) return false;
    column->push_back(event, value);
  }
  return true;
}

}  // namespace vizd::native

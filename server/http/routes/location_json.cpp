#include "http/routes/location_json.h"

namespace vizd {

void write_location(JsonWriter& json, const Capture& capture, LocationId id, SourceLines& sources) {
  const Location& location = capture.rewrites.locations[index(id)];
  const std::string_view file = capture.strings.get(location.file);
  const auto code = sources.line(capture, location);
  json.begin_array().text(file).number(location.line).text_or_null(code).end_array();
}

}  // namespace vizd

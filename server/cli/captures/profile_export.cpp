#include "cli/captures/profile_export.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clean_text.h"
#include "base/json_writer.h"
#include "formats/profile_part.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

// The texts of a capture's events, without colours.
struct Texts {
  const Capture& capture;

  std::string plain(StringId text) const { return many_lines(capture.strings.get(text), false); }
  std::string context_name(const Event& event) const {
    return event.context == ContextId{kNoId} ? "" : plain(capture.rewrites.contexts[index(event.context)].name);
  }
};

std::string exported_field(std::string_view foreign, char separator) {
  std::string text = spreadsheet_text(many_columns(foreign, false));
  if (separator == '\t') {
    std::ranges::replace_if(
        text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
  }
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string duration_text(const Event& event) {
  return event.dur_ps == 0 ? std::to_string(event.dur_ns) : fmt::format("{}.{:03}", event.dur_ns, event.dur_ps);
}

// The arguments that the events taken have, by name, in order of first use.
std::vector<StringId> arguments_of(const ProfileSelection& selection) {
  std::vector<StringId> names;
  selection.for_each_event([&](std::uint32_t track, std::uint32_t i, const Event&) {
    selection.for_each_argument(track, i, [&](const ArgumentColumn& argument, const ArgumentValue&) {
      if (std::ranges::find(names, argument.name) == names.end()) names.push_back(argument.name);
    });
  });
  return names;
}

}  // namespace

void write_event_table(const Capture& capture, const ProfilePart& part, char separator, const WriteText& write) {
  const Texts texts{capture};
  const ProfileSelection selection(capture, part);
  const std::vector<std::string> paths = track_paths(capture.profile.tracks, capture.strings);
  const std::vector<StringId> arguments = arguments_of(selection);
  std::vector<std::string> fields{"track", "kind", "start_ns", "dur_ns", "name", "category", "context"};
  const std::size_t first_argument = fields.size();
  for (const StringId name : arguments) fields.push_back(texts.plain(name));
  const auto write_line = [&] {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) line += separator;
      line += exported_field(fields[i], separator);
    }
    write(line += '\n');
  };
  write_line();
  selection.for_each_event([&](std::uint32_t track, std::uint32_t i, const Event& event) {
    fields.assign({many_lines(paths[track], false), std::string(event_kind_name(event.kind)),
                   std::to_string(event.start_ns - capture.profile.start_ns), duration_text(event),
                   texts.plain(event.name), texts.plain(event.category), texts.context_name(event)});
    fields.resize(first_argument + arguments.size());
    selection.for_each_argument(track, i, [&](const ArgumentColumn& argument, const ArgumentValue& value) {
      const auto column = static_cast<std::size_t>(std::ranges::find(arguments, argument.name) - arguments.begin());
      fields[first_argument + column] = value_text(value, capture.strings);
    });
    write_line();
  });
}

void write_event_json(const Capture& capture, const ProfilePart& part, const WriteText& write) {
  const Texts texts{capture};
  const ProfileSelection selection(capture, part);
  const std::vector<std::string> paths = track_paths(capture.profile.tracks, capture.strings);
  selection.for_each_event([&](std::uint32_t track, std::uint32_t i, const Event& event) {
    std::string line;
    JsonWriter json(line);
    json.begin_object().key("track").text(many_lines(paths[track], false));
    json.key("kind")
        .text(event_kind_name(event.kind))
        .key("start_ns")
        .number(event.start_ns - capture.profile.start_ns);
    json.key("dur_ns").raw(duration_text(event)).key("name").text(texts.plain(event.name));
    json.key("category").text(texts.plain(event.category)).key("error").boolean(event.is_error);
    json.key("context").text(texts.context_name(event)).key("arguments").begin_object();
    selection.for_each_argument(track, i, [&](const ArgumentColumn& argument, const ArgumentValue& value) {
      write_value(json.key(capture.strings.get(argument.name)), value, capture.strings);
    });
    json.end_object().end_object();
    write(line += '\n');
  });
}

}  // namespace vizd

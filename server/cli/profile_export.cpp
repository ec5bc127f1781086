#include "cli/profile_export.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clean_text.h"
#include "base/json_writer.h"

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

std::string table_field(std::string text, char separator) {
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

}  // namespace

void write_event_table(const Capture& capture, const ProfilePart& part, char separator, const WriteText& write) {
  const Texts texts{capture};
  std::string line;
  const auto add = [&](const std::string& field, bool is_last = false) {
    line += table_field(field, separator);
    line += is_last ? '\n' : separator;
  };
  for (const char* heading : {"lane", "start_ns", "dur_ns", "name", "context"}) add(heading);
  add("info", true);
  write(line);
  ProfileSelection(capture, part).for_each_event([&](std::size_t, const Lane& lane, const Event& event) {
    line.clear();
    add(texts.plain(lane.name));
    add(std::to_string(event.start_ns - capture.profile.start_ns));
    add(std::to_string(event.dur_ns));
    add(texts.plain(event.name));
    add(texts.context_name(event));
    add(texts.plain(event.info), true);
    write(line);
  });
}

void write_event_json(const Capture& capture, const ProfilePart& part, const WriteText& write) {
  const Texts texts{capture};
  std::string line;
  ProfileSelection(capture, part).for_each_event([&](std::size_t, const Lane& lane, const Event& event) {
    line.clear();
    JsonWriter json(line);
    json.begin_object().key("lane").text(texts.plain(lane.name));
    json.key("start_ns").number(event.start_ns - capture.profile.start_ns).key("dur_ns").number(event.dur_ns);
    json.key("name").text(texts.plain(event.name)).key("context").text(texts.context_name(event));
    json.key("info").text(texts.plain(event.info)).end_object();
    write(line += '\n');
  });
}

}  // namespace vizd

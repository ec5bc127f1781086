#include "cli/profile_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/json_writer.h"
#include "cli/terminal.h"

namespace vizd {
namespace {

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

class Exporter {
 public:
  Exporter(const Capture& capture, const ProfileFilter& filter) : capture_(capture), filter_(filter) {}

  bool takes_lane(const Lane& lane) const { return holds(capture_.strings.get(lane.name), filter_.lane); }
  bool takes(std::int64_t from_ns, std::int64_t to_ns) const {
    const std::int64_t start = capture_.profile.start_ns;
    return to_ns - start >= filter_.from_ns && from_ns - start <= filter_.to_ns;
  }
  bool takes(const Event& event) const {
    return takes(event.start_ns, event.start_ns + std::max<std::int64_t>(event.dur_ns, 0)) &&
           holds(capture_.strings.get(event.name), filter_.name);
  }

  // Calls visit(place of the lane, lane, event) for each event that is taken.
  template <typename Visit>
  void for_each_event(Visit&& visit) const {
    for (std::size_t i = 0; i < capture_.profile.lanes.size(); ++i) {
      const Lane& lane = capture_.profile.lanes[i];
      if (!takes_lane(lane)) continue;
      for (const Event& event : lane.events) {
        if (takes(event)) visit(i, lane, event);
      }
    }
  }

  // The event's arguments without the braces around them; "" where it has none.
  std::string_view args_members(const Event& event) const {
    if (event.args == 0) return {};
    std::string_view json = capture_.profile.args.data() + event.args - 1;
    const auto begin = json.find_first_not_of(" \t\r\n"), end = json.find_last_not_of(" \t\r\n");
    if (begin == std::string_view::npos || json[begin] != '{' || json[end] != '}') return {};
    json = json.substr(begin + 1, end - begin - 1);
    return json.find_first_not_of(" \t\r\n") == std::string_view::npos ? std::string_view() : json;
  }
  std::string plain(StringId text) const { return many_lines(capture_.strings.get(text), false); }
  std::string context_name(const Event& event) const {
    return event.context == ContextId{kNoId} ? "" : plain(capture_.rewrites.contexts[index(event.context)].name);
  }

 private:
  const Capture& capture_;
  const ProfileFilter& filter_;
};

bool is_instant(const Event& event) { return event.dur_ns == 0 && event.dur_ps == 0; }

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

// Nanoseconds, and picoseconds beyond them, as microseconds, exactly.
std::string as_us(std::int64_t ns, std::uint32_t ps = 0) {
  const std::int64_t fraction = std::abs(ns % 1000);
  const char* sign = ns < 0 && ns > -1000 ? "-" : "";
  if (ps != 0 && ns >= 0) return fmt::format("{}.{:03}{:03}", ns / 1000, fraction, ps);
  return fraction == 0 ? std::to_string(ns / 1000) : fmt::format("{}{}.{:03}", sign, ns / 1000, fraction);
}

// Lanes of one rank, process and device make a process of the trace: its number for each lane, and the processes'
// names.
struct TraceProcesses {
  explicit TraceProcesses(const Capture& capture) {
    for (const Lane& lane : capture.profile.lanes) {
      std::string name;
      for (const StringId part : {lane.group.rank, lane.group.process, lane.group.device}) {
        const std::string_view text = capture.strings.get(part);
        if (!text.empty()) name += (name.empty() ? "" : " ") + std::string(text);
      }
      const auto found = std::ranges::find(names, name);
      of_lane.push_back(static_cast<std::size_t>(found - names.begin()));
      if (found == names.end()) names.push_back(name);
    }
  }

  std::vector<std::size_t> of_lane;
  std::vector<std::string> names;
};

}  // namespace

void write_event_table(const Capture& capture, const ProfileFilter& filter, char separator, const WriteText& write) {
  const Exporter exporter(capture, filter);
  std::string line;
  const auto add = [&](const std::string& field, bool is_last = false) {
    line += table_field(field, separator);
    line += is_last ? '\n' : separator;
  };
  for (const char* heading : {"lane", "start_ns", "dur_ns", "name", "context"}) add(heading);
  add("info", true);
  write(line);
  exporter.for_each_event([&](std::size_t, const Lane& lane, const Event& event) {
    line.clear();
    add(exporter.plain(lane.name));
    add(std::to_string(event.start_ns - capture.profile.start_ns));
    add(std::to_string(event.dur_ns));
    add(exporter.plain(event.name));
    add(exporter.context_name(event));
    add(exporter.plain(event.info), true);
    write(line);
  });
}

void write_event_json(const Capture& capture, const ProfileFilter& filter, const WriteText& write) {
  const Exporter exporter(capture, filter);
  std::string line;
  exporter.for_each_event([&](std::size_t, const Lane& lane, const Event& event) {
    line.clear();
    JsonWriter json(line);
    json.begin_object().key("lane").text(exporter.plain(lane.name));
    json.key("start_ns").number(event.start_ns - capture.profile.start_ns).key("dur_ns").number(event.dur_ns);
    json.key("name").text(exporter.plain(event.name)).key("context").text(exporter.context_name(event));
    json.key("info").text(exporter.plain(event.info)).end_object();
    write(line += '\n');
  });
}

void write_chrome_trace(const Capture& capture, const ProfileFilter& filter, const WriteText& write) {
  const Exporter exporter(capture, filter);
  const std::int64_t origin_ns = capture.profile.start_ns;
  const TraceProcesses processes(capture);
  std::string text;
  bool is_first = true;
  // Writes what make(json) adds to an object that has begun.
  const auto put = [&](std::string_view phase, std::string_view name, std::size_t lane, std::int64_t at_ns,
                       auto&& make) {
    text = std::exchange(is_first, false) ? "" : ",\n";
    JsonWriter json(text);
    const std::size_t process = lane < processes.of_lane.size() ? processes.of_lane[lane] : 0;
    json.begin_object().key("ph").text(phase).key("name").text(name).key("pid").number(process).key("tid").number(lane);
    json.key("ts").raw(as_us(at_ns - origin_ns));
    make(json);
    json.end_object();
    write(text);
  };
  write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
  const auto& lanes = capture.profile.lanes;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!exporter.takes_lane(lanes[i])) continue;
    const auto put_name = [&](std::string_view what, std::string_view name) {
      put("M", what, i, origin_ns,
          [&](JsonWriter& json) { json.key("args").begin_object().key("name").text(name).end_object(); });
    };
    put_name("thread_name", exporter.plain(lanes[i].name));
    const std::size_t process = processes.of_lane[i];
    const bool is_first_of_process =
        std::ranges::find(processes.of_lane, process) - processes.of_lane.begin() == static_cast<std::ptrdiff_t>(i);
    if (is_first_of_process && !processes.names[process].empty()) put_name("process_name", processes.names[process]);
    for (const Counter& counter : lanes[i].counters) {
      for (std::size_t k = 0; k < counter.at_ns.size(); ++k) {
        if (!exporter.takes(counter.at_ns[k], counter.at_ns[k])) continue;
        put("C", exporter.plain(counter.name), i, counter.at_ns[k], [&](JsonWriter& json) {
          json.key("args").begin_object().key("value").real(counter.value[k]).end_object();
        });
      }
    }
  }
  exporter.for_each_event([&](std::size_t lane, const Lane&, const Event& event) {
    put(is_instant(event) ? "i" : "X", exporter.plain(event.name), lane, event.start_ns, [&](JsonWriter& json) {
      is_instant(event) ? json.key("s").text("t") : json.key("dur").raw(as_us(event.dur_ns, event.dur_ps));
      const std::string info = exporter.plain(event.info), context = exporter.context_name(event);
      const std::string_view members = exporter.args_members(event);
      if (info.empty() && context.empty() && members.empty()) return;
      json.key("args").begin_object();
      if (!members.empty()) json.raw(members);
      if (!info.empty()) json.key("info").text(info);
      if (!context.empty()) json.key("context").text(context);
      json.end_object();
    });
  });
  for (const Marker& marker : capture.profile.markers) {
    if (!exporter.takes(marker.at_ns, marker.at_ns)) continue;
    put("i", exporter.plain(marker.name), 0, marker.at_ns, [](JsonWriter& json) { json.key("s").text("g"); });
  }
  for (std::size_t i = 0; i < capture.profile.flows.size(); ++i) {
    const Flow flow = capture.profile.flows[i];
    const Event from = lanes[flow.from_lane].events[flow.from_event], to = lanes[flow.to_lane].events[flow.to_event];
    if (!exporter.takes(from) || !exporter.takes(to)) continue;
    if (!exporter.takes_lane(lanes[flow.from_lane]) || !exporter.takes_lane(lanes[flow.to_lane])) continue;
    put("s", "flow", flow.from_lane, from.start_ns,
        [&](JsonWriter& j) { j.key("cat").text("flow").key("id").number(i); });
    put("f", "flow", flow.to_lane, to.start_ns,
        [&](JsonWriter& j) { j.key("cat").text("flow").key("id").number(i).key("bp").text("e"); });
  }
  write("\n]}\n");
}

}  // namespace vizd

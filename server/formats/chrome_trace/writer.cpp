#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/clean_text.h"
#include "base/json_writer.h"
#include "formats/chrome_trace/format.h"

namespace vizd::chrome_trace {
namespace {

bool is_instant(const Event& event) { return event.dur_ns == 0 && event.dur_ps == 0; }

// Nanoseconds, and picoseconds beyond them, as microseconds, exactly.
std::string as_us(std::int64_t ns, std::uint32_t ps = 0) {
  const std::int64_t fraction = std::abs(ns % 1000);
  const char* sign = ns < 0 && ns > -1000 ? "-" : "";
  if (ps != 0 && ns >= 0) return fmt::format("{}.{:03}{:03}", ns / 1000, fraction, ps);
  return fraction == 0 ? std::to_string(ns / 1000) : fmt::format("{}{}.{:03}", sign, ns / 1000, fraction);
}

// The processes of the trace: the number of each lane's, and their names.
struct Processes {
  explicit Processes(const Capture& capture) {
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

class TraceWriter {
 public:
  TraceWriter(const Capture& capture, const ProfilePart& part, const WriteText& write)
      : capture_(capture), selection_(capture, part), processes_(capture), write_(write) {}

  void write_all() {
    write_("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    for (std::size_t i = 0; i < capture_.profile.lanes.size(); ++i) {
      if (!selection_.takes(capture_.profile.lanes[i])) continue;
      put_names(i);
      for (const Counter& counter : capture_.profile.lanes[i].counters) put_counter(counter, i);
    }
    selection_.for_each_event([&](std::size_t lane, const Lane&, const Event& event) { put_event(event, lane); });
    for (const Marker& marker : capture_.profile.markers) {
      if (!selection_.takes(marker.at_ns, marker.at_ns)) continue;
      put("i", plain(marker.name), 0, marker.at_ns, [](JsonWriter& json) { json.key("s").text("g"); });
    }
    for (std::size_t i = 0; i < capture_.profile.flows.size(); ++i) put_flow(capture_.profile.flows[i], i);
    write_("\n]}\n");
  }

 private:
  std::string plain(StringId text) const { return many_lines(capture_.strings.get(text), false); }

  // The event's arguments without the braces around them; "" where it has none.
  std::string_view args_members(const Event& event) const {
    if (event.args == 0) return {};
    std::string_view json = capture_.profile.args.data() + event.args - 1;
    const auto begin = json.find_first_not_of(" \t\r\n"), end = json.find_last_not_of(" \t\r\n");
    if (begin == std::string_view::npos || json[begin] != '{' || json[end] != '}') return {};
    json = json.substr(begin + 1, end - begin - 1);
    return json.find_first_not_of(" \t\r\n") == std::string_view::npos ? std::string_view() : json;
  }

  // Writes one trace event: what make(json) adds to what all have.
  template <typename Make>
  void put(std::string_view phase, std::string_view name, std::size_t lane, std::int64_t at_ns, Make&& make) {
    text_ = std::exchange(is_first_, false) ? "" : ",\n";
    JsonWriter json(text_);
    const std::size_t process = lane < processes_.of_lane.size() ? processes_.of_lane[lane] : 0;
    json.begin_object().key("ph").text(phase).key("name").text(name).key("pid").number(process).key("tid").number(lane);
    json.key("ts").raw(as_us(at_ns - capture_.profile.start_ns));
    make(json);
    json.end_object();
    write_(text_);
  }

  void put_names(std::size_t lane) {
    const auto put_name = [&](std::string_view what, std::string_view name) {
      put("M", what, lane, capture_.profile.start_ns,
          [&](JsonWriter& json) { json.key("args").begin_object().key("name").text(name).end_object(); });
    };
    put_name("thread_name", plain(capture_.profile.lanes[lane].name));
    const std::size_t process = processes_.of_lane[lane];
    const auto first_of_process = std::ranges::find(processes_.of_lane, process) - processes_.of_lane.begin();
    if (first_of_process == static_cast<std::ptrdiff_t>(lane) && !processes_.names[process].empty())
      put_name("process_name", processes_.names[process]);
  }

  void put_counter(const Counter& counter, std::size_t lane) {
    for (std::size_t k = 0; k < counter.at_ns.size(); ++k) {
      if (!selection_.takes(counter.at_ns[k], counter.at_ns[k])) continue;
      put("C", plain(counter.name), lane, counter.at_ns[k],
          [&](JsonWriter& json) { json.key("args").begin_object().key("value").real(counter.value[k]).end_object(); });
    }
  }

  void put_event(const Event& event, std::size_t lane) {
    put(is_instant(event) ? "i" : "X", plain(event.name), lane, event.start_ns, [&](JsonWriter& json) {
      is_instant(event) ? json.key("s").text("t") : json.key("dur").raw(as_us(event.dur_ns, event.dur_ps));
      const std::string info = plain(event.info);
      const std::string context =
          event.context == ContextId{kNoId} ? "" : plain(capture_.rewrites.contexts[index(event.context)].name);
      const std::string_view members = args_members(event);
      if (info.empty() && context.empty() && members.empty()) return;
      json.key("args").begin_object();
      if (!members.empty()) json.raw(members);
      if (!info.empty()) json.key("info").text(info);
      if (!context.empty()) json.key("context").text(context);
      json.end_object();
    });
  }

  void put_flow(const Flow& flow, std::size_t id) {
    const Lane& from_lane = capture_.profile.lanes[flow.from_lane];
    const Lane& to_lane = capture_.profile.lanes[flow.to_lane];
    const Event from = from_lane.events[flow.from_event], to = to_lane.events[flow.to_event];
    if (!selection_.takes(from_lane) || !selection_.takes(to_lane)) return;
    if (!selection_.takes(from) || !selection_.takes(to)) return;
    put("s", "flow", flow.from_lane, from.start_ns,
        [&](JsonWriter& json) { json.key("cat").text("flow").key("id").number(id); });
    put("f", "flow", flow.to_lane, to.start_ns,
        [&](JsonWriter& json) { json.key("cat").text("flow").key("id").number(id).key("bp").text("e"); });
  }

  const Capture& capture_;
  const ProfileSelection selection_;
  const Processes processes_;
  const WriteText& write_;
  std::string text_;
  bool is_first_ = true;
};

}  // namespace

void write(const Capture& capture, const WriteOptions& options, const WriteText& write) {
  TraceWriter(capture, options.part, write).write_all();
}

}  // namespace vizd::chrome_trace

#include "cli/reference/hardware_printer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clean_text.h"
#include "base/parse_json.h"
#include "base/standard_streams.h"
#include "hardware/thread_trace/lanes.h"
#include "hardware/thread_trace/packet_json.h"
#include "hardware/traced_code.h"
#include "reference/tinygrad/event_words.h"

namespace vizd {
namespace {

using thread_trace::Lane;
using thread_trace::LaneEvent;

void print_line(std::string_view text, bool json) {
  if (json) {
    print_answer("{}\n", json_line({{"value", text}}));
  } else {
    print_answer("{}\n", text);
  }
}

// The events of a trace, one a line, in the order in which they were recorded.
class TracePrinter {
 public:
  TracePrinter(const thread_trace::Lanes& lanes, const amd::CodeListing* listing, bool json)
      : lanes_(lanes), listing_(listing), json_(json) {}

  void print() {
    std::vector<std::pair<const Lane*, const LaneEvent*>> events;
    for (const Lane& lane : lanes_.lanes) {
      for (const LaneEvent& event : lane.events) events.emplace_back(&lane, &event);
    }
    std::ranges::sort(events, {}, [](const auto& event) { return event.second->order; });
    print_line(fmt::format("{:<12} {:<20} {:<22} {:<4} {:<4} {}", "Clk", "Unit", "Op", "Dur", "Delay", "Info"), json_);
    print_line(std::string(100, '-'), json_);
    if (!events.empty()) first_cycle_ = events.front().second->start_cycle;
    for (const auto& [lane, event] : events) print(*lane, *event);
  }

 private:
  // The instruction of a dispatch, or what it was called.
  std::string instruction_of(const LaneEvent& dispatch) const {
    if (!dispatch.address) return fmt::format("{:7} {}", "", lanes_.names[dispatch.name]);
    const auto place = listing_ == nullptr ? std::nullopt : listing_->find(*dispatch.address);
    return fmt::format("0x{:05x} {}", *dispatch.address, place ? listing_->lines()[*place].instruction.text() : "");
  }

  void print(const Lane& lane, const LaneEvent& event) const {
    std::string about;
    std::int64_t delay_cycles = 0;
    const bool is_dispatch = lane.name.starts_with("WAVE");
    if (is_dispatch) about = fmt::format("{:<8} {}", "DISPATCH", instruction_of(event));
    if (event.dispatch) {
      const LaneEvent& dispatch = lanes_.lanes[event.dispatch->first].events[event.dispatch->second];
      delay_cycles = event.start_cycle - dispatch.start_cycle;
      about = fmt::format("{:<8} {}", "EXEC", instruction_of(dispatch));
    }
    std::string unit = lane.name;
    std::ranges::replace(unit, ' ', '-');
    const std::string delay = delay_cycles == 0 ? "" : fmt::format("{}", delay_cycles);
    const std::string& operation = lanes_.names[event.name];
    const std::int64_t at_cycle = event.start_cycle - first_cycle_;
    // A dispatch takes a cycle; how long a wave then waits at a barrier is on the timeline.
    const std::int64_t dur_cycles = is_dispatch ? 1 : event.end_cycle - event.start_cycle;
    if (!json_) {
      print_answer("{:<12} {:<20} {:<22} {:<4} {:<4} {}\n", at_cycle, unit, operation, dur_cycles, delay, about);
      return;
    }
    nlohmann::ordered_json row{{"clk", at_cycle}, {"cycle", event.start_cycle}, {"unit", unit},
                               {"op", operation}, {"dur", dur_cycles},          {"delay", delay},
                               {"info", about}};
    if (delay_cycles != 0) row["delay"] = delay_cycles;
    print_answer("{}\n", json_line(row));
  }

  const thread_trace::Lanes& lanes_;
  const amd::CodeListing* const listing_;
  const bool json_;
  std::int64_t first_cycle_ = 0;
};

std::string plain(const nlohmann::ordered_json& value) {
  return value.is_string() ? one_line(value.get<std::string>(), false) : value.dump();
}

// Each counter with its sum, and below it the row of each of its places.
void print_counters(const nlohmann::ordered_json& table) {
  for (const auto& row : table["rows"]) {
    print_answer("{} {}\n", plain(row[0]), plain(row[1]));
    if (row.size() < 3) continue;
    for (const auto& place : row[2]["rows"]) {
      std::string line;
      for (std::size_t i = 0; i < place.size(); ++i) {
        line += fmt::format("{}{}={}", i == 0 ? "" : " ", plain(row[2]["cols"][i]), plain(place[i]));
      }
      print_answer("{}\n", line);
    }
  }
}

}  // namespace

std::vector<HardwareSource> hardware_sources(const HardwareSteps& hardware) {
  constexpr std::string_view kRun = "SQTT ";
  std::vector<HardwareSource> sources;
  for (const HardwareContext& context : hardware.contexts()) {
    if (!context.name.starts_with(kRun)) continue;
    const std::string program = context.name.substr(kRun.size());
    for (const HardwareStep& step : context.steps) {
      if (step.kind == HardwareStep::Kind::kOccupancy) continue;  // unfolds in the viewer alone
      sources.push_back({fmt::format("{}{} {}", program, step.is_json() ? "" : " SQTT", step.name), &step});
    }
  }
  return sources;
}

Result<void> print_source(const HardwareSteps& hardware, const HardwareStep& step, bool json) {
  if (step.kind == HardwareStep::Kind::kTrace) {
    const hardware::ThreadTrace& trace = hardware.records().traces[step.record];
    const auto listing = hardware::traced_code(hardware.records(), trace).listing;
    const amd::CodeListing* const code = listing ? &*listing : nullptr;
    const thread_trace::Lanes lanes = thread_trace::lanes_of(trace.packets, code);
    TracePrinter(lanes, code, json).print();
    return {};
  }
  const auto answer = hardware.answer(step);
  if (!answer) return answer.error();
  const auto table = parse_json<nlohmann::ordered_json>(*answer);
  if (json) {
    print_answer("{}\n", json_line(table));
  } else {
    print_counters(table);
  }
  return {};
}

void print_packets(const hardware::Records& records) {
  std::string_view between = "{";
  for (const hardware::ThreadTrace& trace : records.traces) {
    std::string text;
    JsonWriter json(text);
    thread_trace::write_packets(json, trace.packets);
    print_answer("{}\"{},{},{}\":{}\n", between, trace.key.program, trace.key.run, trace.engine, text);
    between = ",";
  }
  print_answer("{}}}\n", records.traces.empty() ? "{" : "");
}

}  // namespace vizd

// Draws what ran on each CPU, from the kernel's own events (ftrace), as lanes.
#include <fmt/format.h>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_reader;

TraceDecoder::TrackRecord* TraceDecoder::cpu_record(std::uint32_t cpu) {
  TrackRecord* const of_cpu = own_record(fmt::format("CPU {}", cpu));
  if (of_cpu != nullptr && of_cpu->name.empty()) {
    of_cpu->name = fmt::format("CPU {}", cpu);
    of_cpu->sort = static_cast<std::int32_t>(cpu);
  }
  return of_cpu;
}

void TraceDecoder::take_switch(std::uint32_t cpu, std::int64_t at_ns, std::string_view name, std::int64_t pid,
                               std::int64_t priority) {
  last_ns_ = std::max(last_ns_, at_ns);
  TrackRecord* const found = cpu_record(cpu);
  if (found == nullptr) return;
  TrackRecord& of_cpu = *found;
  if (const auto running = running_.find(cpu); running != running_.end() && running->second.pid != 0) {
    const Running& was = running->second;
    const auto place = static_cast<std::uint32_t>(of_cpu.events.size());
    of_cpu.events.push_back(
        {.start_ns = was.since_ns, .name = strings_.add(was.name), .category = strings_.add("sched")});
    of_cpu.events.back().order = ++order_;
    of_cpu.values.push_back({{strings_.add("pid"), {}, was.pid}, {strings_.add("priority"), {}, was.priority}});
    of_cpu.marks.push_back({was.since_ns, Mark::Type::kBegin, place});
    of_cpu.marks.push_back({at_ns, Mark::Type::kEnd, 0});
  }
  running_[cpu] = {at_ns, std::string(name), pid, priority};
}

void TraceDecoder::take_ftrace(pbf_reader bundle) {
  std::uint32_t cpu = 0;
  std::vector<protozero::data_view> events;
  std::optional<protozero::data_view> compact;
  while (bundle.next()) {
    if (bundle.tag() == f::ftrace::kCpu) {
      cpu = bundle.get_uint32();
    } else if (bundle.tag() == f::ftrace::kEvent) {
      events.push_back(bundle.get_view());
    } else if (bundle.tag() == f::ftrace::kCompactSched) {
      compact = bundle.get_view();
    } else {
      bundle.skip();
    }
  }
  Sequence none;
  for (const protozero::data_view view : events) {
    pbf_reader event(view);
    std::optional<std::int64_t> at_ns;
    bool is_switch = false;
    std::string name;
    std::int64_t pid = 0, priority = 0;
    while (event.next()) {
      if (event.tag() == f::ftrace::kTimestamp) {
        at_ns = time_of(event.get_uint64(), f::clock::kBoottime, 0, none);
      } else if (event.tag() == f::ftrace::kSchedSwitch) {
        is_switch = true;
        pbf_reader of_switch(event.get_view());
        while (of_switch.next()) {
          if (of_switch.tag() == f::ftrace::kNextCommand) {
            name = to_text(of_switch.get_view());
          } else if (of_switch.tag() == f::ftrace::kNextPid) {
            pid = of_switch.get_int32();
          } else if (of_switch.tag() == f::ftrace::kNextPriority) {
            priority = of_switch.get_int32();
          } else {
            of_switch.skip();
          }
        }
      } else {
        event.skip();
      }
    }
    if (!is_switch || !at_ns) {
      skip("kernel events that are no switches of the scheduler");
    } else {
      take_switch(cpu, *at_ns, name, pid, priority);
    }
  }
  if (!compact) return;
  std::vector<std::uint64_t> times, name_places;
  std::vector<std::int64_t> pids, priorities;
  std::vector<std::string> names;
  pbf_reader sched(*compact);
  while (sched.next()) {
    const auto read = [&](auto& to) {
      for_each_number(sched, false,
                      [&](std::uint64_t number) { to.push_back(static_cast<std::decay_t<decltype(to[0])>>(number)); });
    };
    switch (sched.tag()) {
      case f::ftrace::kSwitchTimes:
        read(times);
        break;
      case f::ftrace::kSwitchNextPid:
        read(pids);
        break;
      case f::ftrace::kSwitchNextPriority:
        read(priorities);
        break;
      case f::ftrace::kSwitchNameIndex:
        read(name_places);
        break;
      case f::ftrace::kNames:
        names.push_back(to_text(sched.get_view()));
        break;
      default:
        sched.skip();
    }
  }
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    at += times[i];
    const auto at_ns = time_of(at, f::clock::kBoottime, 0, none);
    if (!at_ns || i >= pids.size()) {
      skip("switches of the scheduler without a usable time or process");
      continue;
    }
    const std::string name = i < name_places.size() && name_places[i] < names.size() ? names[name_places[i]] : "";
    take_switch(cpu, *at_ns, name, pids[i], i < priorities.size() ? priorities[i] : 0);
  }
}

}  // namespace vizd::perfetto

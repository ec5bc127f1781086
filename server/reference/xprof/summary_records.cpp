#include "reference/xprof/summary_records.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/devices/launch_statistics.h"
#include "analysis/xla/xla_times.h"
#include "base/json_writer.h"
#include "formats/hlo/module_reader.h"
#include "model/xla_profile.h"

namespace vizd::reference::xprof {
namespace {

class RecordWriter {
 public:
  RecordWriter(const Capture& capture, const XlaHost& host, const WriteText& write)
      : strings_(capture.strings), host_(host), write_(write) {}

  void write() {
    write_file();
    for (std::size_t i = 0; i < host_.planes.size(); ++i) write_plane(i, host_.planes[i]);
    write_devices();
    write_stats();
    write_runs();
    write_steps();
    write_flows();
    write_launches();
    write_calls();
    write_allocators();
  }

 private:
  // Writes an object that begins with the record's word and the host.
  template <typename Members>
  void record(std::string_view word, Members&& members) {
    std::string text;
    JsonWriter json(text);
    json.begin_object().key("record").text(word).key("host").text(host_.name);
    members(json);
    json.end_object();
    write_(text + "\n");
  }

  static void number(JsonWriter& json, std::string_view key, const XlaNumber& value) {
    json.key(key);
    if (!value) return static_cast<void>(json.null());
    if (const auto* const whole = std::get_if<std::int64_t>(&*value)) return static_cast<void>(json.number(*whole));
    json.real(std::get<double>(*value));
  }
  template <typename T>
  static void optional_number(JsonWriter& json, std::string_view key, const std::optional<T>& value) {
    json.key(key);
    value ? json.number(*value) : json.null();
  }
  static void text_or_null(JsonWriter& json, std::string_view key, const std::string& text) {
    json.key(key);
    text.empty() ? json.null() : json.text(text);
  }

  std::int64_t ns_of(std::int64_t ps) const { return host_.origin_ns + floor_ns(ps); }
  // A time of the file in picoseconds, which may have more than 64 bits.
  std::string ps_text(std::int64_t ps) const {
    if (host_.origin_ns == 0) return fmt::format("{}", ps);
    const std::int64_t ns = floor_ns(ps);
    return fmt::format("{}{:03}", host_.origin_ns + ns, ps - ns * 1000);
  }

  void write_file() {
    record("file", [&](JsonWriter& json) {
      const auto count = [&](std::string_view key, std::uint64_t value) { json.key(key).number(value); };
      std::set<std::optional<std::uint64_t>> programs;
      for (const HloModuleBytes& module : host_.modules) {
        if (hlo::read_module(module.bytes)) programs.insert(module.program_id);  // a damaged one is no module
      }
      count("planes", host_.planes.size());
      count("lines", host_.lines);
      count("events", host_.events);
      count("instants", host_.instants);
      count("aggregated", host_.aggregated);
      count("stats", host_.stats);
      json.key("base_time_ns").number(host_.base_time_ns);
      optional_number(json, "profile_ns", host_.profile_ns);
      const auto& extent = host_.extent;
      optional_number(json, "first_ns", extent ? std::optional(ns_of(extent->start_ps)) : std::nullopt);
      optional_number(json, "last_ns", extent ? std::optional(ns_of(extent->end_ps)) : std::nullopt);
      count("errors", host_.errors);
      count("warnings", host_.warnings);
      count("device_work", host_.work.size());
      count("modules", programs.size());
      count("unknown_fields", host_.unknown_fields);
      count("unknown_metadata", host_.unknown_metadata);
      count("negative_durations", host_.negative_durations);
      json.key("cut").boolean(host_.is_cut);
    });
  }

  void write_plane(std::size_t i, const XlaPlane& plane) {
    std::uint64_t events = 0;
    for (const XlaLine& line : plane.lines) events += line.events;
    record("plane", [&](JsonWriter& json) {
      json.key("index").number(i).key("plane").text(plane.name).key("lines").number(plane.lines.size());
      json.key("events").number(events).key("event_metadata").number(plane.event_metadata);
      json.key("stat_metadata").number(plane.stat_metadata);
    });
    for (const XlaLine& line : plane.lines) {
      record("line", [&](JsonWriter& json) {
        json.key("index").number(i).key("line").number(line.id).key("name").text(line.name);
        json.key("events").number(line.events).key("instants").number(line.instants);
        json.key("total_ps").number(line.total_ps);
        json.key("start_ps").raw(line.extent ? ps_text(line.extent->start_ps) : "null");
        json.key("end_ps").raw(line.extent ? ps_text(line.extent->end_ps) : "null");
      });
    }
  }

  void write_devices() {
    for (const XlaDevice& device : host_.devices) {
      if (!device.has_plane) continue;
      record("device", [&](JsonWriter& json) {
        json.key("device").text(device.name);
        text_or_null(json, "type", device.type);
        text_or_null(json, "vendor", device.vendor);
        number(json, "peak_flops", device.peak_flops);
        number(json, "peak_bytes_per_s", device.peak_bytes_per_s);
        number(json, "memory_bytes", device.memory_bytes);
        number(json, "cores", device.cores);
        number(json, "clock_khz", device.clock_khz);
      });
    }
  }

  void write_stats() {
    constexpr std::string_view kTypes[kXlaStatTypes] = {"double", "uint64", "int64", "str", "bytes", "ref"};
    for (const auto& [name, counts] : host_.stat_types) {
      record("stat", [&](JsonWriter& json) {
        json.key("stat").text(strings_.get(name));
        for (std::size_t i = 0; i < kXlaStatTypes; ++i) json.key(kTypes[i]).number(counts[i]);
      });
    }
  }

  void write_runs() {
    using Program = std::tuple<std::uint32_t, StringId, std::optional<std::uint64_t>>;
    std::map<Program, std::pair<std::int64_t, std::int64_t>> runs;
    for (const XlaRun& run : host_.runs) {
      auto& [count, total_ps] = runs[{run.device, run.module, run.program_id}];
      ++count;
      total_ps += run.span.dur_ps();
    }
    for (const auto& [program, sums] : runs) {
      const auto& [device, module, program_id] = program;
      record("run", [&](JsonWriter& json) {
        json.key("device").text(host_.devices[device].name).key("module").text(strings_.get(module));
        optional_number(json, "program_id", program_id);
        json.key("runs").number(sums.first).key("total_ps").number(sums.second);
      });
    }
  }

  void write_steps() {
    for (const XlaStep& step : host_.steps) {
      const XlaSpan_ns span = to_ns(host_, step.span);
      record("step", [&](JsonWriter& json) {
        json.key("plane").text(step.plane).key("line").number(step.line).key("name").text(strings_.get(step.name));
        optional_number(json, "step", step.number);
        json.key("start_ns").number(span.start_ns).key("duration_ns").number(span.end_ns - span.start_ns);
      });
    }
  }

  void write_flows() {
    for (const auto& [type, counts] : host_.flows) {
      record("flow", [&](JsonWriter& json) {
        json.key("type").number(type).key("producers").number(counts.producers);
        json.key("consumers").number(counts.consumers).key("joined").number(counts.joined);
      });
    }
  }

  static void write_figures(JsonWriter& json, const LaunchStatistics& of, const std::string& prefix) {
    json.key(prefix + "total_ns").number(of.total_ns).key(prefix + "mean_ns").real(of.mean_ns);
    json.key(prefix + "median_ns").real(of.median_ns).key(prefix + "p90_ns").number(of.p90_ns);
    json.key(prefix + "min_ns").number(of.min_ns).key(prefix + "max_ns").number(of.max_ns);
  }

  // Only work on streams is counted: ops have no calls of their own.
  void write_launches() {
    std::set<std::uint32_t> calls;
    std::int64_t without_call = 0, negative = 0, shorter = 0;
    std::vector<std::int64_t> to_work_ns, delays_ns;
    for (const XlaWork& work : host_.work) {
      if (host_.kinds[work.kind].work == XlaClass::kOp) continue;
      if (work.call == kNoId) {
        ++without_call;
        continue;
      }
      calls.insert(work.call);
      const XlaSpan_ns call = to_ns(host_, host_.calls[work.call].span), drawn = to_ns(host_, work.drawn);
      negative += drawn.start_ns < call.start_ns ? 1 : 0;
      shorter += timed_ns(work) < call.end_ns - call.start_ns ? 1 : 0;
      to_work_ns.push_back(drawn.start_ns - call.start_ns);
      delays_ns.push_back(std::max<std::int64_t>(drawn.start_ns - call.end_ns, 0));
    }
    record("launches", [&](JsonWriter& json) {
      json.key("pairs").number(to_work_ns.size()).key("work_without_call").number(without_call);
      json.key("calls_with_work").number(calls.size()).key("negative").number(negative);
      json.key("work_shorter_than_call").number(shorter);
      if (to_work_ns.empty()) return;
      write_figures(json, launch_statistics(to_work_ns), "call_start_to_work_start_");
      write_figures(json, launch_statistics(delays_ns), "launch_delay_");
    });
  }

  void write_calls() {
    std::map<StringId, std::vector<std::int64_t>> durs_ns;
    for (std::size_t i = 0; i < host_.correlated_calls; ++i) {
      const XlaSpan_ns span = to_ns(host_, host_.calls[i].span);
      durs_ns[host_.calls[i].name].push_back(span.end_ns - span.start_ns);
    }
    for (const auto& [name, durs] : durs_ns) {
      const LaunchStatistics figures = launch_statistics(durs);
      record("call", [&](JsonWriter& json) {
        json.key("call").text(strings_.get(name)).key("launches").number(figures.launches);
        write_figures(json, figures, "");
      });
    }
  }

  void write_allocators() {
    for (const XlaAllocator& allocator : host_.allocators) {
      record("memory", [&](JsonWriter& json) {
        json.key("allocator").text(allocator.name).key("events").number(allocator.events);
        json.key("allocations").number(allocator.allocations).key("deallocations").number(allocator.deallocations);
        json.key("allocated_bytes").number(allocator.allocated_bytes);
        json.key("peak_bytes").number(allocator.peak_bytes).key("peak_ns").number(ns_of(allocator.peak_ps));
        json.key("lifetime_peak_bytes").number(allocator.lifetime_peak_bytes);
        json.key("capacity_bytes").number(allocator.capacity_bytes);
      });
    }
  }

  const StringTable& strings_;
  const XlaHost& host_;
  const WriteText& write_;
};

}  // namespace

void write_summary_records(const Capture& capture, const WriteText& write) {
  for (const XlaHost& host : capture.profile.xla->hosts) RecordWriter(capture, host, write).write();
}

}  // namespace vizd::reference::xprof

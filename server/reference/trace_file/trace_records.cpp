#include "reference/trace_file/trace_records.h"

#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "model/argument_json.h"
#include "reference/trace_file/trace_summary.h"

namespace vizd {
namespace {

class RecordWriter {
 public:
  RecordWriter(const TraceSummary& summary, const StringTable& strings, const WriteText& write)
      : summary_(summary), strings_(strings), write_(write) {}

  void write_all() {
    write_file();
    for (const auto& r : summary_.phases)
      put("phase", [&](JsonWriter& json) { json.key("phase").text(r.phase).key("events").number(r.events); });
    for (const auto& r : summary_.metadata)
      put("metadata", [&](JsonWriter& json) { json.key("name").text(r.name).key("events").number(r.events); });
    for (const auto& r : summary_.categories) {
      put("category", [&](JsonWriter& json) {
        json.key("phase").text(r.phase).key("category").text(r.category);
        json.key("events").number(r.events).key("total_ns").number(r.total_ns);
      });
    }
    for (const auto& r : summary_.tracks) {
      put("track", [&](JsonWriter& json) {
        value(json, "pid", r.process);
        value(json, "tid", r.thread);
        json.key("events").number(r.events).key("complete").number(r.complete);
        json.key("total_ns").number(r.total_ns).key("zero_duration").number(r.zero_duration);
      });
    }
    for (const auto& r : summary_.flows) {
      put("flow", [&](JsonWriter& json) {
        json.key("category").text(r.category).key("starts").number(r.starts).key("finishes").number(r.finishes);
        json.key("ids_with_both").number(r.ids_with_both).key("ids_only_start").number(r.ids_only_start);
        json.key("ids_only_finish").number(r.ids_only_finish);
      });
    }
    for (const auto& r : summary_.steps) {
      put("step", [&](JsonWriter& json) {
        json.key("name").text(r.name);
        value(json, "pid", r.process);
        value(json, "tid", r.thread);
        value(json, "cat", r.category);
        json.key("start_ns").number(r.start_ns).key("duration_ns").number(r.duration_ns);
      });
    }
    for (const auto& r : summary_.memory) {
      put("memory", [&](JsonWriter& json) {
        json.key("device").text(r.device).key("events").number(r.events).key("sum_bytes").number(r.sum_bytes);
        json.key("allocations").number(r.allocations).key("frees").number(r.frees);
        json.key("peak_allocated").number(r.peak_allocated).key("peak_reserved").number(r.peak_reserved);
      });
    }
    write_launches();
    for (const auto& r : summary_.calls) {
      put("call", [&](JsonWriter& json) {
        json.key("call").text(r.name).key("launches").number(r.durations.launches);
        statistics(json, "", r.durations);
      });
    }
  }

 private:
  template <typename Make>
  void put(std::string_view record, Make&& make) {
    line_.clear();
    JsonWriter json(line_);
    json.begin_object().key("record").text(record);
    make(json);
    if (record != "file" && summary_.rank) value(json, "rank", summary_.rank);
    json.end_object();
    write_(line_ += '\n');
  }

  void value(JsonWriter& json, std::string_view key, const FileValue& value) const {
    json.key(key);
    if (value) {
      write_number(json, *value, strings_);
    } else {
      json.null();
    }
  }

  static void statistics(JsonWriter& json, std::string_view prefix, const LaunchStatistics& s) {
    const auto key = [&](std::string_view name) { return std::string(prefix) + std::string(name); };
    json.key(key("total_ns")).number(s.total_ns).key(key("mean_ns")).real(s.mean_ns);
    json.key(key("median_ns")).real(s.median_ns).key(key("p90_ns")).number(s.p90_ns);
    json.key(key("min_ns")).number(s.min_ns).key(key("max_ns")).number(s.max_ns);
  }

  void write_file() {
    put("file", [&](JsonWriter& json) {
      value(json, "rank", summary_.rank);
      value(json, "world_size", summary_.world_size);
      json.key("base_time_ns").number(summary_.base_time_ns).key("events").number(summary_.events);
      const auto time = [&](std::string_view key, const std::optional<std::int64_t>& ns) {
        value(json, key, ns ? FileValue(*ns) : FileValue());
      };
      time("first_ns", summary_.first_ns);
      time("last_ns", summary_.last_ns);
      json.key("metadata_processes").number(summary_.metadata_processes);
      json.key("device_work").number(summary_.device_work);
      json.key("zero_duration_work").number(summary_.zero_duration_work);
      json.key("overlapping_in_a_stream").number(summary_.overlapping_in_a_stream);
      json.key("device_argument_differs_from_pid").number(summary_.device_argument_differs);
      json.key("devices_without_properties").begin_array();
      for (const FileValue& device : summary_.devices_without_properties) {
        if (device) {
          write_number(json, *device, strings_);
        } else {
          json.null();
        }
      }
      json.end_array();
    });
  }

  void write_launches() {
    const TraceSummary::Launches& l = summary_.launches;
    put("launches", [&](JsonWriter& json) {
      json.key("pairs").number(l.pairs).key("work_without_call").number(l.work_without_call);
      json.key("calls_with_work").number(l.calls_with_work).key("negative").number(l.negative);
      json.key("work_shorter_than_call").number(l.work_shorter_than_call);
      if (l.pairs == 0) return;
      statistics(json, "call_start_to_work_start_", l.call_start_to_work_start);
      statistics(json, "launch_delay_", l.launch_delay);
    });
  }

  const TraceSummary& summary_;
  const StringTable& strings_;
  const WriteText& write_;
  std::string line_;
};

class TableMaker {
 public:
  TableMaker(const TraceSummary& summary, const StringTable& strings) : summary_(summary), strings_(strings) {}

  std::vector<OwnTable> make() const {
    const auto rows_of = [](const auto& records, auto&& row) {
      std::vector<std::vector<OwnCell>> rows;
      for (const auto& record : records) rows.push_back(row(record));
      return rows;
    };
    using Row = std::vector<OwnCell>;
    return {{"file",
             {"rank", "world_size", "events", "from_ns", "to_ns", "device_work", "zero_duration", "overlapping"},
             {{cell(summary_.rank), cell(summary_.world_size), summary_.events, cell(summary_.first_ns),
               cell(summary_.last_ns), summary_.device_work, summary_.zero_duration_work,
               summary_.overlapping_in_a_stream}}},
            {"categories",
             {"phase", "category", "events", "total_ns"},
             rows_of(summary_.categories,
                     [](const auto& r) {
                       return Row{r.phase, r.category, r.events, r.total_ns};
                     })},
            {"tracks",
             {"pid", "tid", "events", "complete", "total_ns"},
             rows_of(summary_.tracks,
                     [this](const auto& r) {
                       return Row{this->cell(r.process), this->cell(r.thread), r.events, r.complete, r.total_ns};
                     })},
            {"flows",
             {"flow", "starts", "finishes", "ids_with_both", "ids_only_start", "ids_only_finish"},
             rows_of(summary_.flows,
                     [](const auto& r) {
                       return Row{r.category,      r.starts,         r.finishes,
                                  r.ids_with_both, r.ids_only_start, r.ids_only_finish};
                     })},
            {"steps",
             {"step", "pid", "tid", "start_ns", "duration_ns"},
             rows_of(summary_.steps,
                     [this](const auto& r) {
                       return Row{r.name, this->cell(r.process), this->cell(r.thread), r.start_ns, r.duration_ns};
                     })},
            {"memory",
             {"memory", "events", "sum_bytes", "allocations", "frees", "peak_allocated", "peak_reserved"},
             rows_of(summary_.memory,
                     [](const auto& r) {
                       return Row{r.device, r.events,         r.sum_bytes,    r.allocations,
                                  r.frees,  r.peak_allocated, r.peak_reserved};
                     })},
            {"calls",
             {"call", "launches", "total_ns", "mean_ns", "median_ns", "p90_ns", "max_ns"},
             rows_of(summary_.calls, [](const auto& r) {
               const LaunchStatistics& s = r.durations;
               return Row{r.name, s.launches, s.total_ns, s.mean_ns, s.median_ns, s.p90_ns, s.max_ns};
             })}};
  }

 private:
  OwnCell cell(const FileValue& value) const {
    if (!value) return {};
    if (const auto* const integer = std::get_if<std::int64_t>(&*value)) return *integer;
    return value_text(*value, strings_);
  }
  static OwnCell cell(const std::optional<std::int64_t>& number) { return number ? OwnCell(*number) : OwnCell(); }

  const TraceSummary& summary_;
  const StringTable& strings_;
};

}  // namespace

void write_trace_records(const Capture& capture, const WriteText& write) {
  for (const TraceSummary& summary : summarize_trace(capture))
    RecordWriter(summary, capture.strings, write).write_all();
}

std::vector<std::vector<OwnTable>> trace_tables(const Capture& capture) {
  std::vector<std::vector<OwnTable>> tables;
  for (const TraceSummary& summary : summarize_trace(capture))
    tables.push_back(TableMaker(summary, capture.strings).make());
  return tables;
}

}  // namespace vizd

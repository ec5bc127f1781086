#include "analysis/devices/kernel_json.h"

#include <cmath>

#include "model/argument_json.h"

namespace vizd {
namespace {

// Whole where it is.
void write_number(JsonWriter& json, std::string_view key, const std::optional<double>& value) {
  constexpr double kExact = 9007199254740992.0;
  json.key(key);
  if (!value) {
    json.null();
  } else if (*value == std::floor(*value) && std::abs(*value) < kExact) {
    json.number(static_cast<std::int64_t>(*value));
  } else {
    json.real(*value);
  }
}

void write_real(JsonWriter& json, std::string_view key, const std::optional<double>& value) {
  json.key(key);
  value ? json.real(*value) : json.null();
}

void write_statistics(JsonWriter& json, const LaunchStatistics& s) {
  json.key("launches").number(s.launches).key("total_ns").number(s.total_ns);
  write_number(json, "mean_ns", s.mean_ns);
  write_number(json, "median_ns", s.median_ns);
  json.key("p90_ns").number(s.p90_ns).key("min_ns").number(s.min_ns).key("max_ns").number(s.max_ns);
}

void write_device(JsonWriter& json, const WorkDevice& device, const StringTable& strings) {
  json.key("rank");
  write_file_value(json, device.rank, strings);
  json.key("device");
  write_file_value(json, device.number, strings);
}

std::string_view key_name(KernelGroup group) { return kKernelGroupNames[static_cast<std::size_t>(group)]; }

}  // namespace

void write_file_value(JsonWriter& json, const FileValue& value, const StringTable& strings) {
  value ? write_number(json, *value, strings) : static_cast<void>(json.null());
}

std::string_view work_class_name(trace::Work work) {
  switch (work) {
    case trace::Work::kMemcpy:
      return "memcpy";
    case trace::Work::kMemset:
      return "memset";
    case trace::Work::kKernel:
    case trace::Work::kNone:
      break;
  }
  return "kernel";
}

std::string_view idle_cause_name(IdleCause cause) {
  constexpr std::string_view kNames[] = {"host", "kernel", "other"};
  return kNames[static_cast<std::size_t>(cause)];
}

void write_kernel_row(JsonWriter& json, const Capture& capture, const DeviceWork& work, const KernelRow& row,
                      KernelGroup group, const WriteMore& write_more) {
  const StringTable& strings = capture.strings;
  json.begin_object();
  const WorkDevice& device = work.devices[row.device];
  if (group == KernelGroup::kRank) {
    json.key("rank");
    write_file_value(json, device.rank, strings);
    json.key("device").null();
  } else {
    write_device(json, device, strings);
    if (group == KernelGroup::kName) json.key("class").text(work_class_name(row.work));
    json.key(group == KernelGroup::kDevice ? "device_name" : key_name(group));
    row.key ? json.text(*row.key) : json.null();
  }
  if (group == KernelGroup::kName) json.key("communication").boolean(row.is_communication);
  if (group == KernelGroup::kOperator) {
    json.key("calls");
    row.calls ? json.number(*row.calls) : json.null();
  }
  write_statistics(json, row.durations);
  write_number(json, "time_percent", row.time_percent);
  write_number(json, "bytes_copied", row.bytes_copied);
  write_number(json, "flop", row.flop);
  write_number(json, "bytes", row.bytes);
  write_real(json, "flop_per_s", row.flops());
  write_real(json, "bytes_per_s", row.bytes_per_s());
  json.key("precision").text_or_null(row.precision ? std::optional(precision_name(*row.precision)) : std::nullopt);
  write_real(json, "peak_flops", row.peak_flops);
  write_real(json, "peak_bytes_per_s", row.peak_bytes_per_s);
  write_real(json, "achieved_flops_percent", row.flops_percent());
  write_real(json, "achieved_bandwidth_percent", row.bandwidth_percent());
  json.key("bound").text_or_null(row.bound().empty() ? std::nullopt : std::optional(row.bound()));
  if (write_more) write_more(json);
  json.end_object();
}

void write_breakdown(JsonWriter& json, const Capture& capture, const DeviceWork& work, const DeviceBreakdown& row,
                     const WriteMore& write_more) {
  const WorkDevice& device = work.devices[row.device];
  json.begin_object();
  write_device(json, device, capture.strings);
  json.key("stream");
  write_file_value(json, row.stream ? work.streams[*row.stream].number : std::nullopt, capture.strings);
  if (!row.stream)
    json.key("device_name")
        .text_or_null(device.name.empty() ? std::nullopt : std::optional<std::string_view>(device.name));
  json.key("events").number(row.events).key("start_ns").number(row.start_ns + device.offset_ns);
  json.key("end_ns").number(row.end_ns + device.offset_ns).key("span_ns").number(row.span_ns());
  json.key("busy_ns").number(row.busy_ns).key("compute_ns").number(row.compute_ns);
  json.key("communication_ns").number(row.communication_ns).key("memory_ns").number(row.memory_ns);
  json.key("overlap_ns").number(row.overlap_ns);
  write_number(json, "overlap_percent", row.overlap_percent());
  json.key("exposed_communication_ns").number(row.exposed_communication_ns);
  json.key("exposed_memory_ns").number(row.exposed_memory_ns);
  json.key("idle_ns").number(row.idle_ns()).key("idle_host_ns").number(row.idle_host_ns);
  json.key("idle_kernel_ns").number(row.idle_kernel_ns).key("idle_other_ns").number(row.idle_other_ns);
  json.key("gaps").number(row.gaps).key("queue_max").number(row.queue_max);
  json.key("queue_integral_ns").number(row.queue_integral_ns);
  if (write_more) write_more(json);
  json.end_object();
}

void write_compared_kernel(JsonWriter& json, const ComparedKernel& row, KernelJoin join) {
  constexpr std::string_view kKeys[] = {"name", "family", "operator", "name"};
  json.begin_object();
  if (join != KernelJoin::kOperator) json.key("class").text(work_class_name(row.work));
  json.key(kKeys[static_cast<std::size_t>(join)]);
  row.name.empty() && join == KernelJoin::kOperator ? json.null() : json.text(row.name);
  if (join == KernelJoin::kOccurrence) json.key("occurrence").number(row.occurrence);
  json.key("a_launches").number(row.a.launches).key("b_launches").number(row.b.launches);
  json.key("a_total_ns").number(row.a.total_ns).key("b_total_ns").number(row.b.total_ns);
  write_number(json, "a_median_ns", row.a.launches == 0 ? std::nullopt : std::optional(row.a.median_ns));
  write_number(json, "b_median_ns", row.b.launches == 0 ? std::nullopt : std::optional(row.b.median_ns));
  json.key("delta_launches").number(row.delta_launches()).key("delta_total_ns").number(row.delta_total_ns());
  write_number(json, "total_ratio", row.total_ratio());
  json.key("median_change_ns");
  if (row.median_change_ns) {
    json.begin_array().real(row.median_change_ns->first).real(row.median_change_ns->second).end_array();
  } else {
    json.null();
  }
  json.key("state").text(row.state()).end_object();
}

}  // namespace vizd

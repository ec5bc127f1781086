// GET /api/v1/devices and /api/v1/kernels: what the devices did: where their time went, and by kernel.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/answers/answer_json.h"
#include "analysis/answers/device_answers.h"
#include "http/routes/device_answer.h"
#include "http/transport/query.h"

namespace vizd {
namespace {

constexpr std::size_t kGaps = 10;

void write_devices(JsonWriter& json, const Capture& capture, const DeviceWork& work, const DevicePeaks& peaks) {
  json.column("devices", work.devices, [&](JsonWriter& j, const WorkDevice& device) {
    j.begin_object().key("rank");
    write_file_value(j, device.rank, capture.strings);
    j.key("device");
    write_file_value(j, device.number, capture.strings);
    j.key("name").text(device.name).key("peak");
    const DevicePeak* const peak = peaks.find(device.kind());
    if (peak == nullptr) {
      j.null();
    } else {
      const std::string_view taken =
          device.name.empty()
              ? "; the capture does not list this device, so it is assumed to be of the kind that is listed"
              : "";
      j.begin_object().key("name").text(peak->name).key("source").text(fmt::format("{}{}", peak->source, taken));
      j.key("bytes_per_s").real(peak->bytes_per_s().value_or(0)).key("flops").begin_object();
      for (std::size_t p = 0; p < kPrecisions; ++p) {
        const auto precision = static_cast<Precision>(p);
        if (const auto flops = peak->flops(precision)) j.key(precision_name(precision)).real(*flops);
      }
      j.end_object().end_object();
    }
    j.end_object();
  });
}

// Each says which of the devices it is of.
void write_breakdowns(JsonWriter& json, std::string_view key, const Capture& capture, const DeviceWork& work,
                      const std::vector<DeviceBreakdown>& rows) {
  json.column(key, rows, [&, fields = breakdown_fields()](JsonWriter& j, const DeviceBreakdown& row) {
    write_row(j, fields, {capture, work, row}, [&](JsonWriter& more) { more.key("place").number(row.device); });
  });
}

void write_gaps(JsonWriter& json, const Capture& capture, const DeviceWork& work, const BreakdownOptions& options,
                const EventLinks& links) {
  json.key("gaps").begin_array();
  std::vector<std::vector<Gap>> gaps = find_gaps(work, options);
  for (std::uint32_t device = 0; device < gaps.size(); ++device) {
    for (const Gap& gap : longest_of(std::move(gaps[device]), kGaps)) {
      json.begin_object().key("device").number(device);
      json.key("from_ns").number(gap.from_ns - capture.profile.start_ns);
      json.key("to_ns").number(gap.to_ns - capture.profile.start_ns);
      json.key("cause").text(idle_cause_name(gap.cause)).key("ended_by");
      if (gap.item == kNoId) {
        json.null();
      } else {
        links.write(json, work.items[gap.item]);
      }
      json.end_object();
    }
  }
  json.end_array();
}

void write_steps(JsonWriter& json, const Capture& capture, const DeviceWork& work, const BreakdownOptions& options) {
  const Profile& profile = capture.profile;
  const auto steps = make_step_breakdowns(work, options);
  json.column("steps", steps, [&](JsonWriter& j, const StepBreakdown& of) {
    const StepTime& step = of.step;
    j.begin_object().key("name").text(capture.strings.get(profile.runs[step.run].name));
    j.key("number").number(step.number);
    j.key("from_ns").number(step.from_ns - profile.start_ns).key("to_ns").number(step.to_ns - profile.start_ns);
    write_breakdowns(j, "devices", capture, work, of.devices);
    j.end_object();
  });
}

// The user's, and vizd's own.
DevicePeaks peaks_of(const Services& services) { return services.peaks == nullptr ? DevicePeaks() : *services.peaks; }

// Where no device worked, the time of the host's threads is what people look for.
void write_threads(JsonWriter& json, const Capture& capture, const DeviceWork& work, const WorkScope& scope) {
  const auto rows = work.items.empty() ? make_thread_times(capture, scope) : std::vector<ThreadTime>();
  json.column("threads", rows, [&, fields = thread_fields()](JsonWriter& j, const ThreadTime& row) {
    write_row(j, fields, {capture, row}, [](JsonWriter&) {});
  });
}

std::string devices_json(const Capture& capture, const DeviceAnalysis& analysis, const WorkScope& scope,
                         const DevicePeaks& peaks) {
  const BreakdownOptions options = scope.breakdown_options(capture.profile);
  const EventLinks links(capture);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_devices(json, capture, analysis.work, peaks);
  write_breakdowns(json, "breakdown", capture, analysis.work, make_breakdowns(analysis.work, options));
  write_gaps(json, capture, analysis.work, options, links);
  write_steps(json, capture, analysis.work, options);
  write_threads(json, capture, analysis.work, scope);
  json.end_object();
  return text;
}

Response devices_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto scope = parse_scope(request);
  if (!scope) return error_response(scope.error());
  const auto make = [scope = *scope, peaks = peaks_of(services)](const Capture& capture,
                                                                 const DeviceAnalysis& analysis) {
    return devices_json(capture, analysis, scope, peaks);
  };
  return kept_analysis_json(request, *loaded, "devices" + scope->without_kernel().key(), scope->of_breakdowns(), make,
                            services);
}

std::string kernels_json(const Capture& capture, const DeviceAnalysis& analysis, const KernelChoice& choice,
                         const DevicePeaks& peaks) {
  const EventLinks links(capture);
  const auto rows = make_kernel_table(capture, analysis.work, analysis.operators, analysis.figures, peaks, choice);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_devices(json, capture, analysis.work, peaks);
  json.column("rows", rows, [&, fields = kernel_fields(choice.group)](JsonWriter& j, const KernelRow& row) {
    write_row(j, fields, {capture, analysis.work, row, choice.group}, [&](JsonWriter& more) {
      more.key("place").number(row.device).key("worst");
      links.write(more, analysis.work.items[row.worst]);
    });
  });
  json.end_object();
  return text;
}

Response kernels_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto group = kernel_group(request.parameter("group").value_or("name"));
  if (!group) return error_response({ErrorKind::kBadInput, "no such group", "group"});
  const auto scope = parse_scope(request);
  if (!scope) return error_response(scope.error());
  const KernelChoice choice{.group = *group, .kernel = scope->kernel};
  const std::string name = fmt::format("kernels {}{}", static_cast<int>(*group), scope->key());
  const auto make = [choice, peaks = peaks_of(services)](const Capture& capture, const DeviceAnalysis& analysis) {
    return kernels_json(capture, analysis, choice, peaks);
  };
  return kept_analysis_json(request, *loaded, name, scope->without_kernel(), make, services);
}

}  // namespace

void add_device_routes(Router& router, const Services& services) {
  router.add("/api/v1/devices", [services](const Request& request, auto) { return devices_answer(request, services); });
  router.add("/api/v1/kernels", [services](const Request& request, auto) { return kernels_answer(request, services); });
}

}  // namespace vizd

// GET /api/v1/devices, /api/v1/kernels, /api/v1/compare and /api/v1/compare-rewrites: what the devices did: where their
// time went, by kernel, and what changed since another capture.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/answers/answer_json.h"
#include "analysis/answers/device_answers.h"
#include "analysis/devices/kernel_rewrites.h"
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
    const DevicePeak* const peak = peaks.find(device.name);
    if (peak == nullptr) {
      j.null();
    } else {
      j.begin_object().key("name").text(peak->name).key("source").text(peak->source);
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

// place: whether each says which of the devices it is of.
void write_breakdowns(JsonWriter& json, std::string_view key, const Capture& capture, const DeviceWork& work,
                      const std::vector<DeviceBreakdown>& rows, bool place) {
  json.column(key, rows, [&, fields = breakdown_fields()](JsonWriter& j, const DeviceBreakdown& row) {
    write_row(j, fields, {capture, work, row}, [&](JsonWriter& more) {
      if (place) more.key("place").number(row.device);
    });
  });
}

void write_gaps(JsonWriter& json, const Capture& capture, const DeviceWork& work, const EventLinks& links) {
  json.key("gaps").begin_array();
  for (std::uint32_t device = 0; device < work.devices.size(); ++device) {
    for (const Gap& gap : longest_gaps(work, device, kGaps, {})) {
      json.begin_object().key("device").number(device);
      json.key("from_ns").number(gap.from_ns - capture.profile.start_ns);
      json.key("to_ns").number(gap.to_ns - capture.profile.start_ns);
      json.key("cause").text(idle_cause_name(gap.cause)).key("ended_by");
      links.write(json, work.items[gap.item]);
      json.end_object();
    }
  }
  json.end_array();
}

void write_steps(JsonWriter& json, const Capture& capture, const DeviceWork& work) {
  const Profile& profile = capture.profile;
  const auto steps = make_step_breakdowns(profile, capture.strings, work, {});
  json.column("steps", steps, [&](JsonWriter& j, const StepBreakdown& step) {
    const Run& run = profile.runs[step.run];
    j.begin_object().key("name").text(capture.strings.get(run.name)).key("number").number(run.number);
    j.key("from_ns").number(run.from_ns - profile.start_ns).key("to_ns").number(run.to_ns - profile.start_ns);
    write_breakdowns(j, "devices", capture, work, step.devices, true);
    j.end_object();
  });
}

// The user's, and vizd's own.
DevicePeaks peaks_of(const Services& services) { return services.peaks == nullptr ? DevicePeaks() : *services.peaks; }

std::string devices_json(const Capture& capture, const DeviceAnalysis& analysis, const DevicePeaks& peaks) {
  const EventLinks links(capture);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_devices(json, capture, analysis.work, peaks);
  write_breakdowns(json, "breakdown", capture, analysis.work, make_breakdowns(analysis.work, {}), true);
  write_gaps(json, capture, analysis.work, links);
  write_steps(json, capture, analysis.work);
  json.end_object();
  return text;
}

Response devices_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto make = [peaks = peaks_of(services)](const Capture& capture, const DeviceAnalysis& analysis) {
    return devices_json(capture, analysis, peaks);
  };
  return kept_analysis_json(*loaded, "devices", make, services);
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
  if (!group) return error_response({ErrorKind::kBadInput, "there is no such group", "group"});
  KernelChoice choice{.group = *group};
  if (request.parameter("step")) {
    const auto step = parse_number(request, "step", 0, std::int64_t{1} << 53);
    if (!step) return error_response(step.error());
    choice.step = *step;
  }
  const std::string name =
      fmt::format("kernels {} {}", static_cast<int>(*group), choice.step ? std::to_string(*choice.step) : "");
  const auto make = [choice, peaks = peaks_of(services)](const Capture& capture, const DeviceAnalysis& analysis) {
    return kernels_json(capture, analysis, choice, peaks);
  };
  return kept_analysis_json(*loaded, name, make, services);
}

// The capture that ?with= names.
Result<Loaded> other_profile(const Request& request, const Services& services) {
  Request other = request;
  std::erase_if(other.query, [](const auto& parameter) { return parameter.first == "capture"; });
  other.query.emplace_back("capture", std::string(request.parameter("with").value_or("")));
  return profile_of(other, services);
}

// B is the capture that the request is about, A the other one.
Response compare_answer(const Request& request, const Services& services) {
  const auto b = profile_of(request, services);
  if (!b) return error_response(b.error());
  const auto a = other_profile(request, services);
  if (!a) return error_response(a.error());
  const auto join = kernel_join(request.parameter("by").value_or("name"));
  if (!join)
    return error_response({ErrorKind::kBadInput, "kernels are joined by name, family, operator or occurrence", "by"});
  const auto before = device_analysis_of(*a, request, services), after = device_analysis_of(*b, request, services);
  if (!before) return error_response(before.error());
  if (!after) return error_response(after.error());
  const auto rows = compare_kernels({(*a)->capture, (*before)->work, (*before)->operators},
                                    {(*b)->capture, (*after)->work, (*after)->operators}, *join);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  const auto write_side = [&](std::string_view key, const Loaded& loaded, const DeviceAnalysis& analysis) {
    json.key(key).begin_object().key("name").text(loaded->name);
    write_breakdowns(json, "breakdown", loaded->capture, analysis.work, make_breakdowns(analysis.work, {}), false);
    json.end_object();
  };
  write_side("a", *a, **before);
  write_side("b", *b, **after);
  json.column("rows", rows, [&, fields = comparison_fields(*join)](JsonWriter& j, const ComparedKernel& row) {
    write_row(j, fields, {row, *join});
  });
  json.end_object();
  return Response::json(std::move(text));
}

// Answers what the compiler did differently for a kernel: A and B as above.
Response rewrites_answer(const Request& request, const Services& services) {
  const auto b = profile_of(request, services);
  if (!b) return error_response(b.error());
  const auto a = other_profile(request, services);
  if (!a) return error_response(a.error());
  const std::string kernel(request.parameter("kernel").value_or(""));
  const Capture& before = (*a)->capture;
  const Capture& after = (*b)->capture;
  const auto a_context = find_kernel_context(before, kernel), b_context = find_kernel_context(after, kernel);
  std::vector<ChangedRule> rules;
  if (a_context && b_context) rules = compare_kernel_rewrites(before, *a_context, after, *b_context);
  std::string text;
  JsonWriter json(text);
  const auto write_context = [&](std::string_view key, const std::optional<std::uint32_t>& context) {
    json.key(key);
    context ? json.number(*context) : json.null();
  };
  json.begin_object();
  write_context("a_context", a_context);
  write_context("b_context", b_context);
  json.column("rules", rules, [](JsonWriter& j, const ChangedRule& rule) {
    j.begin_object().key("pass").text(rule.pass).key("file").text(rule.file).key("line").number(rule.line);
    j.key("a_matches").number(rule.a_matches).key("b_matches").number(rule.b_matches).end_object();
  });
  json.end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_device_routes(Router& router, const Services& services) {
  router.add("/api/v1/devices", [services](const Request& request, auto) { return devices_answer(request, services); });
  router.add("/api/v1/kernels", [services](const Request& request, auto) { return kernels_answer(request, services); });
  router.add("/api/v1/compare-rewrites",
             [services](const Request& request, auto) { return rewrites_answer(request, services); });
  router.add("/api/v1/compare", [services](const Request& request, auto) { return compare_answer(request, services); });
}

}  // namespace vizd

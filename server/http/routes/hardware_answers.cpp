#include "http/routes/hardware_answers.h"

#include "reference/tinygrad/hardware_steps.h"

namespace vizd {
namespace {

constexpr std::size_t kMostSteps = std::size_t{1} << 24;  // with those that OCC unfolds into, which are not counted

}  // namespace

void write_hardware_contexts(JsonWriter& json, const Capture& capture) {
  const HardwareSteps hardware(capture);
  for (const HardwareContext& context : hardware.contexts()) {
    json.begin_object().key("name").text(context.name).key("steps").begin_array();
    for (const HardwareStep& step : context.steps) write_step(json, step);
    json.end_array().end_object();
  }
}

Response hardware_answer(const Request& request, const std::shared_ptr<const LoadedCapture>& loaded,
                         const Services& services) {
  const HardwareSteps hardware(loaded->capture);
  const auto context = parse_index(request.parameter("ctx").value_or("0"),
                                   loaded->capture.rewrites.contexts.size() + hardware.contexts().size(), "context");
  if (!context) return error_response(context.error());
  const auto place = parse_index(request.parameter("step").value_or("0"), kMostSteps, "step");
  if (!place) return error_response(place.error());
  const auto step = hardware.find_step(*context, *place);
  if (!step || step->path != request.path) {
    return error_response(
        {ErrorKind::kNotFound, "this step does not exist, or makes something else; see its query in /ctxs", ""});
  }
  auto body = kept_answer(
      request, loaded, step->query(), [loaded, step] { return HardwareSteps(loaded->capture).answer(*step); },
      services);
  if (body) {
    return {.content_type = step->is_json() ? "application/json" : "application/octet-stream",
            .body = *std::move(body)};
  }
  const Error& error = body.error();
  if (error.kind != ErrorKind::kBadInput && error.kind != ErrorKind::kTooLarge) return error_response(error);
  std::string text;
  JsonWriter(text).begin_object().key("src").text(error.text()).end_object();
  return Response::json(std::move(text));
}

}  // namespace vizd

#include "http/routes/hardware_answers.h"

#include <fmt/core.h>

#include "reference/tinygrad/hardware_steps.h"

namespace vizd {
void write_hardware_contexts(JsonWriter& json, const Capture& capture) {
  const HardwareSteps hardware(capture);
  std::size_t i = capture.rewrites.contexts.size();
  for (const HardwareContext& context : hardware.contexts()) {
    json.begin_object().key("name").text(context.name).key("steps").begin_array();
    for (std::size_t j = 0; j < context.steps.size(); ++j) {
      const HardwareStep& step = context.steps[j];
      json.begin_object().key("name").text(step.name);
      json.key("query").text(fmt::format("{}?ctx={}&step={}", step.path, i, j)).key("depth").number(0).end_object();
    }
    json.end_array().end_object();
    ++i;
  }
}

Response hardware_answer(const Request& request, const std::shared_ptr<const LoadedCapture>& loaded,
                         const Services& services) {
  const HardwareSteps hardware(loaded->capture);
  const std::size_t before = loaded->capture.rewrites.contexts.size();
  const auto context =
      parse_index(request.parameter("ctx").value_or("0"), before + hardware.contexts().size(), "context");
  if (!context) return error_response(context.error());
  const Error other_kind{ErrorKind::kNotFound, "this step is something else; see its query in /ctxs", ""};
  if (*context < before) return error_response(other_kind);
  const auto& steps = hardware.contexts()[*context - before].steps;
  const auto place = parse_index(request.parameter("step").value_or("0"), steps.size(), "step");
  if (!place) return error_response(place.error());
  const HardwareStep& step = steps[*place];
  if (step.path != request.path) return error_response(other_kind);
  auto body = kept_answer(
      request, loaded, fmt::format("{} {} {}", step.path, *context, *place),
      [loaded, step] { return HardwareSteps(loaded->capture).answer(step); }, services);
  if (body) {
    return {.content_type = step.is_table() ? "application/json" : "application/octet-stream",
            .body = *std::move(body)};
  }
  const Error& error = body.error();
  if (error.kind != ErrorKind::kBadInput && error.kind != ErrorKind::kTooLarge) return error_response(error);
  std::string text;
  JsonWriter(text).begin_object().key("src").text(error.text()).end_object();
  return Response::json(std::move(text));
}

}  // namespace vizd

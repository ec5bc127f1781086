// GET /api/v1/operators: calls of PyTorch's operators and of annotated ranges, as key_averages() sums them up.
#include "analysis/answers/answer_json.h"
#include "analysis/answers/device_answers.h"
#include "http/routes/device_answer.h"
#include "http/transport/query.h"

namespace vizd {
namespace {

constexpr std::int64_t kMostFrames = 1000;

std::string operators_json(const Capture& capture, const DeviceAnalysis& analysis, const OperatorChoice& choice) {
  const EventLinks links(capture);
  const auto rows = make_operator_table(capture, analysis, choice);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("by").text(kOperatorGroupNames[static_cast<std::size_t>(choice.group)]);
  json.column("rows", rows, [&, fields = operator_fields(choice.group)](JsonWriter& j, const OperatorRow& row) {
    write_row(j, fields, {capture, row, choice.group}, [&](JsonWriter& more) {
      more.key("longest");
      links.write(more, row.longest);
    });
  });
  json.end_object();
  return text;
}

Response operators_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto scope = parse_scope(request);
  if (!scope) return error_response(scope.error());
  const std::string_view word = request.parameter("by").value_or("name");
  const auto group = operator_group(word);
  if (!group) return error_response({ErrorKind::kBadInput, "must be one of name, shape, module, line, stack", "by"});
  OperatorChoice choice{.group = *group, .scope = *scope};
  const auto frames = parse_number(request, "frames", 1, kMostFrames, static_cast<std::int64_t>(choice.frames));
  if (!frames) return error_response(frames.error());
  choice.frames = static_cast<std::size_t>(*frames);
  const std::string name = fmt::format("operators {} {} {}", word, *frames, scope->key());
  return kept_analysis_json(
      request, *loaded, name, {},
      [choice](const Capture& capture, const DeviceAnalysis& whole) { return operators_json(capture, whole, choice); },
      services);
}

}  // namespace

void add_operator_routes(Router& router, const Services& services) {
  router.add("/api/v1/operators",
             [services](const Request& request, auto) { return operators_answer(request, services); });
}

}  // namespace vizd

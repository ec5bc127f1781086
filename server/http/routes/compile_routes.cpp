// GET /api/v1/compiles: what torch.compile did while a trace of PyTorch was recorded.
#include "analysis/answers/answer_json.h"
#include "analysis/answers/device_answers.h"
#include "http/routes/device_answer.h"

namespace vizd {
namespace {

std::string compiles_json(const Capture& capture, const WorkScope& scope) {
  const EventLinks links(capture);
  const auto rows = find_compiles(capture, scope);
  std::string text;
  JsonWriter json(text);
  json.begin_object().column("rows", rows, [&, fields = compile_fields()](JsonWriter& j, const CompileRow& row) {
    write_row(j, fields, {row}, [&](JsonWriter& more) {
      more.key("is_compiling").boolean(row.is_compiling()).key("worst");
      links.write(more, row.worst);
    });
  });
  json.end_object();
  return text;
}

Response compiles_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto scope = parse_scope(request);
  if (!scope) return error_response(scope.error());
  const auto make = [of = *loaded, scope = *scope]() -> Result<std::string> {
    return compiles_json(of->capture, scope);
  };
  return kept_json(request, *loaded, "compiles" + scope->key(), make, services);
}

}  // namespace

void add_compile_routes(Router& router, const Services& services) {
  router.add("/api/v1/compiles",
             [services](const Request& request, auto) { return compiles_answer(request, services); });
}

}  // namespace vizd

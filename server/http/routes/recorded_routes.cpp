// GET /api/v1/recorded: of what a capture tells nothing, and what to record it with, for views that have nothing to
// show.
#include "analysis/recorded/recordable.h"
#include "base/json_writer.h"
#include "http/routes/routes.h"
#include "http/routes/timeline_request.h"

namespace vizd {
namespace {

Response recorded_answer(const Request& request, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return error_response(loaded.error());
  // Looked for once: some of it takes a look at every event.
  const auto make = [of = *loaded]() -> Result<std::string> {
    std::string text;
    JsonWriter json(text);
    json.begin_object().key("not_recorded").begin_object();
    for (const RecordableInfo& info : recordables()) {
      const auto lacking = if_not_recorded(of->capture, info.what);
      if (!lacking) continue;
      json.key(info.word).begin_object().key("why").text(lacking->why).key("how").text(lacking->how).end_object();
    }
    json.end_object().end_object();
    return text;
  };
  return kept_json(request, *loaded, "recorded", make, services);
}

}  // namespace

void add_recorded_routes(Router& router, const Services& services) {
  router.add("/api/v1/recorded",
             [services](const Request& request, auto) { return recorded_answer(request, services); });
}

}  // namespace vizd

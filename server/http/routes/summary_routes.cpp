// GET /api/v1/summary: the figures that people expect of captures of one format, as its own records.
#include "base/json_writer.h"
#include "http/routes/timeline_request.h"
#include "reference/own_summary.h"

namespace vizd {
namespace {

// As many iterations as a page draws.
constexpr const char* kMostShownIterations = "256";

// Read from the capture's files once, however often the page asks.
Response summary_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto make = [loaded = *loaded]() -> Result<std::string> {
    const auto records = own_summary(*loaded, {{.name = "raw-values", .value = kMostShownIterations}});
    if (!records) return records.error();
    std::string text;
    JsonWriter json(text);
    json.begin_object().column("records", *records, [](JsonWriter& to, const std::string& record) { to.raw(record); });
    json.end_object();
    return text;
  };
  return kept_json(request, *loaded, "summary", make, services);
}

}  // namespace

void add_summary_routes(Router& router, const Services& services) {
  router.add("/api/v1/summary", [services](const Request& request, auto) { return summary_answer(request, services); });
}

}  // namespace vizd

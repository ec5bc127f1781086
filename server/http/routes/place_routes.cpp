// GET /api/v1/place: where the page shows what an id names.
#include "base/json_writer.h"
#include "diagnosis/page_place.h"
#include "http/routes/routes.h"

namespace vizd {
namespace {

Response place_answer(const Request& request, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto place = page_place((*loaded)->capture, request.parameter("id").value_or(""));
  if (!place) return error_response(place.error());
  std::string text;
  JsonWriter json(text);
  place->write(json);
  return Response::json(std::move(text));
}

}  // namespace

void add_place_routes(Router& router, const Services& services) {
  router.add("/api/v1/place", [services](const Request& request, auto) { return place_answer(request, services); });
}

}  // namespace vizd

// GET /api/v1/profile.
#include "http/routes.h"
#include "timeline/profile_json.h"

namespace vizd {

void add_profile_routes(Router& router, const Services& services) {
  router.add("/api/v1/profile", [services](const Request& request, auto) {
    const auto loaded = capture_of(request, services);
    if (!loaded) return error_response(loaded.error());
    const LoadedCapture& capture = **loaded;
    if (!capture.capture.has_profile)
      return error_response(
          {ErrorKind::kNotFound, "this capture has no profile; record one with PROFILE=1", capture.name});
    return kept_json(
        *loaded, "profile", [of = *loaded] { return profile_json(of->capture, of->revision); }, services);
  });
}

}  // namespace vizd

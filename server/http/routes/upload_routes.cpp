// POST /api/v1/captures: takes a capture, for the session to open beside the others.
#include <charconv>

#include "base/json_writer.h"
#include "derived/naming_sources.h"
#include "http/routes/routes.h"
#include "http/transport/guard.h"
#include "session/uploads.h"

namespace vizd {
namespace {

Response upload_answer(const Request& request, const Services& services) {
  if (request.method != "POST" || !request.read_body) {
    Response response =
        error_response(405, "method_not_allowed", {ErrorKind::kForbidden, "send a capture with POST", ""});
    response.headers.push_back({"Allow", "POST"});
    return response;
  }
  if (services.uploads == nullptr)
    return error_response({ErrorKind::kForbidden, "this vizd accepts no captures: " + services.no_uploads, ""});
  // One Content-Length, a number within the limit: the guard has seen to it.
  const std::string_view length = request.header("Content-Length");
  std::uint64_t size_bytes = 0;
  std::from_chars(length.data(), length.data() + length.size(), size_bytes);
  const std::string name(request.parameter("name").value_or(""));
  bool names = false;
  const auto find_folder = [&](const std::string& come) {
    const auto folder = naming_folder_of(name, come);
    names = folder.has_value();
    return folder;
  };
  const auto path = services.uploads->take(name, size_bytes, request.read_body,
                                           request.parameter("together") ? find_folder : Uploads::FindFolder());
  if (!path) return error_response(path.error());
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("path").text(*path);
  if (names) json.key("names").boolean(true);
  json.end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_upload_routes(Router& router, const Services& services) {
  router.add(std::string(kUploadPath),
             [services](const Request& request, auto) { return upload_answer(request, services); });
}

}  // namespace vizd

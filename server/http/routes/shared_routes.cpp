// GET and POST /api/v1/marks and /api/v1/where: what the people and programs at one vizd tell each other (--shared).
#include <algorithm>

#include "base/json_writer.h"
#include "base/parse_json.h"
#include "diagnosis/page_place.h"
#include "http/routes/routes.h"
#include "http/transport/guard.h"
#include "session/shared_notes.h"

namespace vizd {
namespace {

using Json = nlohmann::json;

Response not_shared() {
  return error_response(
      {ErrorKind::kForbidden, "this vizd was started without --shared; restart it with --shared", ""});
}

// The body, which is an object. The guard has seen to its size.
Result<Json> read_object(const Request& request) {
  std::string body(kMostSharedBytes, '\0');
  std::size_t size = 0;
  while (size < body.size()) {
    const std::ptrdiff_t more = request.read_body(body.data() + size, body.size() - size);
    if (more <= 0) break;
    size += static_cast<std::size_t>(more);
  }
  Json told = parse_json({body.data(), size});
  if (!told.is_object()) return Error{ErrorKind::kBadInput, "the body is not a JSON object", ""};
  return told;
}

// A text of it; "" where there is none.
std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string name_of_capture(std::string_view id, const Session& session) {
  for (const CaptureStatus& status : session.captures()) {
    if (id.empty() || status.id == id) return status.name;
  }
  return "";
}

void write_mark(JsonWriter& json, const SharedMark& mark) {
  json.begin_object().key("number").number(mark.number).key("capture").text(mark.capture);
  json.key("place").text(mark.place).key("id").text(mark.id).key("note").text(mark.note);
  json.key("by").text(mark.is_of_page ? "page" : "command").end_object();
}

Response marks_answer(const SharedNotes& notes) {
  std::string text;
  JsonWriter json(text);
  // Before the marks: an answer that is older than it says would not be asked for again.
  json.begin_object().key("revision").number(notes.revision());
  json.column("marks", notes.marks(), write_mark).end_object();
  return Response::json(std::move(text));
}

// The mark that is meant: what an id names in a capture, or a place of the page.
Result<SharedMark> told_mark(const Json& told, const Request& request, const Services& services) {
  SharedMark mark;
  mark.note = text_in(told, "note");
  mark.is_of_page = text_in(told, "by") == "page";
  const std::string capture = text_in(told, "capture");
  mark.capture = name_of_capture(capture, services.session);
  mark.id = text_in(told, "id");
  mark.place = text_in(told, "place");
  if (mark.id.empty()) return mark;
  const auto loaded = capture_named(capture, request, services);
  if (!loaded) return loaded.error();
  const auto place = page_place((*loaded)->capture, mark.id);
  if (!place) return place.error();
  mark.place = place->fragment(mark.capture);
  return mark;
}

Response take_mark(const Request& request, const Services& services) {
  const auto told = read_object(request);
  if (!told) return error_response(told.error());
  if (const auto number = told->find("remove"); number != told->end()) {
    if (!number->is_number_unsigned() || !services.shared->remove(number->get<std::uint64_t>()))
      return error_response({ErrorKind::kNotFound, "no mark with that number", number->dump()});
    return marks_answer(*services.shared);
  }
  auto mark = told_mark(*told, request, services);
  if (!mark) return error_response(mark.error());
  const auto added = services.shared->add(std::move(*mark));
  if (!added) return error_response(added.error());
  std::string text;
  JsonWriter json(text);
  write_mark(json, *added);
  return Response::json(std::move(text));
}

Response where_answer(const SharedNotes& notes) {
  const auto where = notes.where();
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("at");
  if (!where) {
    json.null();
  } else {
    const auto age = std::chrono::steady_clock::now() - where->at;
    json.begin_object().key("place").text(where->place).key("capture").text(where->capture);
    json.key("view").text(where->view).key("selection").text(where->selection);
    json.column("command", where->command, [](JsonWriter& w, const std::string& word) { w.text(word); });
    json.key("age_s").number(std::chrono::duration_cast<std::chrono::seconds>(age).count()).end_object();
  }
  json.end_object();
  return Response::json(std::move(text));
}

Response take_where(const Request& request, const Services& services) {
  const auto told = read_object(request);
  if (!told) return error_response(told.error());
  Whereabouts where{.place = text_in(*told, "place"),
                    .capture = text_in(*told, "capture"),
                    .view = text_in(*told, "view"),
                    .selection = text_in(*told, "selection"),
                    .at = std::chrono::steady_clock::now()};
  if (const auto words = told->find("command"); words != told->end() && words->is_array()) {
    for (const Json& word : *words) where.command.push_back(word.is_string() ? word.get<std::string>() : "");
  }
  if (const auto taken = services.shared->tell(std::move(where)); !taken) return error_response(taken.error());
  return Response::json("{}");
}

}  // namespace

void add_shared_routes(Router& router, const Services& services) {
  router.add(std::string(kMarksPath), [services](const Request& request, auto) {
    if (services.shared == nullptr) return not_shared();
    return request.read_body ? take_mark(request, services) : marks_answer(*services.shared);
  });
  router.add(std::string(kWherePath), [services](const Request& request, auto) {
    if (services.shared == nullptr) return not_shared();
    return request.read_body ? take_where(request, services) : where_answer(*services.shared);
  });
}

}  // namespace vizd

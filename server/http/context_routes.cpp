// GET /api/v1/contexts and /api/v1/facts.
#include <unordered_map>

#include "base/json_writer.h"
#include "http/location_json.h"
#include "http/routes.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

// Numbers distinct strings in order of first use.
class Names {
 public:
  std::size_t number(StringId name) {
    const auto [found, added] = numbers_.try_emplace(name, order_.size());
    if (added) order_.push_back(name);
    return found->second;
  }
  const std::vector<StringId>& in_order() const { return order_; }

 private:
  std::unordered_map<StringId, std::size_t> numbers_;
  std::vector<StringId> order_;
};

void write_context(JsonWriter& json, const Capture& capture, const Context& context, Names& names) {
  const auto passes = capture.rewrites.passes_of(context);
  json.begin_object().key("name").text(capture.strings.get(context.name));
  json.key("program").boolean(index(context.program) != kNoId);
  json.key("passes").begin_object();
  json.column("name", passes, [&](JsonWriter& j, const Pass& pass) { j.number(names.number(pass.name)); });
  json.column("depth", passes, [](JsonWriter& j, const Pass& pass) { j.number(pass.depth); });
  json.column("matches", passes, [](JsonWriter& j, const Pass& pass) { j.number(pass.match_count); });
  json.column("location", passes, [](JsonWriter& j, const Pass& pass) { j.number(index(pass.location)); });
  json.end_object().end_object();
}

std::string contexts_json(const LoadedCapture& loaded, SourceLines& sources) {
  const Capture& capture = loaded.capture;
  sources.forget();  // made once a reading: a new capture may come with changed sources
  Names names;
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("capture").text(loaded.id).key("revision").number(loaded.revision);
  json.key("locations").begin_array();
  for (std::size_t i = 0; i < capture.rewrites.locations.size(); ++i)
    write_location(json, capture, to_id<LocationId>(i), sources);
  json.end_array();
  json.column("contexts", capture.rewrites.contexts,
              [&](JsonWriter& j, const Context& context) { write_context(j, capture, context, names); });
  json.column("pass_names", names.in_order(), [&](JsonWriter& j, StringId name) { j.text(capture.strings.get(name)); });
  json.end_object();
  return text;
}

Response contexts_answer(const Request& request, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return error_response(loaded.error());
  return kept_json(
      *loaded, "contexts", [of = *loaded, &sources = services.sources] { return contexts_json(*of, sources); },
      services);
}

std::string facts_json(const Capture& capture) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.column("facts", capture.facts, [&](JsonWriter& j, const Fact& fact) {
    j.begin_object().key("subject").text(capture.strings.get(fact.subject));
    j.key("name").text(capture.strings.get(fact.name)).key("value");
    write_value(j, fact.value, capture.strings);
    j.key("unit").text(capture.strings.get(fact.unit)).end_object();
  });
  json.end_object();
  return text;
}

Response facts_answer(const Request& request, const Services& services) {
  const auto loaded = capture_of(request, services);
  return loaded ? Response::json(facts_json((*loaded)->capture)) : error_response(loaded.error());
}

}  // namespace

void add_context_routes(Router& router, const Services& services) {
  router.add("/api/v1/contexts",
             [services](const Request& request, auto) { return contexts_answer(request, services); });
  router.add("/api/v1/facts", [services](const Request& request, auto) { return facts_answer(request, services); });
}

}  // namespace vizd

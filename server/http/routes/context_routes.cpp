// GET /api/v1/contexts and /api/v1/facts.
#include <fmt/format.h>

#include <unordered_map>

#include "base/json_writer.h"
#include "http/routes/contexts_json.h"
#include "http/routes/location_json.h"
#include "http/routes/routes.h"
#include "model/argument_json.h"
#include "model/op_memory.h"
#include "reference/trace_file/trace_summary.h"
#include "rewrite/context_keys.h"
#include "rewrite/recorded_errors.h"

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

void write_context(JsonWriter& json, const Capture& capture, const Context& context, const ContentKeys& keys,
                   Names& names) {
  const auto passes = capture.rewrites.passes_of(context);
  const std::uint32_t key = keys.contexts[static_cast<std::size_t>(&context - capture.rewrites.contexts.data())];
  json.begin_object().key("name").text(capture.strings.get(context.name));
  json.key("program").boolean(index(context.program) != kNoId);
  if (key != 0) json.key("key").text(fmt::format("{:08x}", key));
  json.key("passes").begin_object();
  json.column("name", passes, [&](JsonWriter& j, const Pass& pass) { j.number(names.number(pass.name)); });
  json.column("depth", passes, [](JsonWriter& j, const Pass& pass) { j.number(pass.depth); });
  json.column("matches", passes, [](JsonWriter& j, const Pass& pass) { j.number(pass.match_count); });
  json.column("location", passes, [](JsonWriter& j, const Pass& pass) { j.number(index(pass.location)); });
  json.column("key", std::span(keys.passes).subspan(context.first_pass, passes.size()),
              [](JsonWriter& j, std::uint16_t of_pass) { j.number(of_pass); });
  json.end_object();
  const std::vector<RecordedError> errors = recorded_errors(capture, context);
  if (!errors.empty()) {
    json.column("errors", errors, [](JsonWriter& j, const RecordedError& error) {
      j.begin_object().key("pass").number(error.pass).key("match").number(error.state);
      j.key("message").text(error.message).end_object();
    });
  }
  json.end_object();
}

// Programs that no context made: a library's kernels.
void write_programs_alone(JsonWriter& json, const Capture& capture) {
  const std::vector<Program>& programs = capture.rewrites.programs;
  std::vector<bool> is_made(programs.size());
  for (const Context& context : capture.rewrites.contexts) {
    if (index(context.program) != kNoId) is_made[index(context.program)] = true;
  }
  json.key("programs").begin_array();
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (is_made[i]) continue;
    json.begin_object().key("program").number(i).key("name").text(capture.strings.get(programs[i].name));
    json.key("device").text(capture.strings.get(programs[i].device)).end_object();
  }
  json.end_array();
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
  const ContentKeys keys = content_keys(capture);
  json.column("contexts", capture.rewrites.contexts,
              [&](JsonWriter& j, const Context& context) { write_context(j, capture, context, keys, names); });
  write_programs_alone(json, capture);
  json.column("measures", capture.rewrites.measures, [&](JsonWriter& j, const OpMeasure& measure) {
    j.begin_object().key("name").text(capture.strings.get(measure.name));
    j.key("unit").text(capture.strings.get(measure.unit)).end_object();
  });
  json.key("tells_memory").boolean(tells_memory(capture));
  json.column("pass_names", names.in_order(), [&](JsonWriter& j, StringId name) { j.text(capture.strings.get(name)); });
  json.end_object();
  return text;
}

Response contexts_answer(const Request& request, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return error_response(loaded.error());
  auto body = contexts_body(request, *loaded, services);
  return body ? Response::json(*std::move(body)) : error_response(body.error());
}

// One fact, as the page lists it; of a rank's track with that before its subject.
void write_fact(JsonWriter& json, std::string_view rank, std::string_view subject, std::string_view name,
                const ArgumentValue& value, std::string_view unit, const StringTable& strings) {
  std::string of(rank);
  if (!of.empty() && !subject.empty()) of += ": ";
  of += subject;
  json.begin_object().key("subject").text(of).key("name").text(name).key("value");
  write_value(json, value, strings);
  json.key("unit").text(unit == argument::kJson ? std::string_view() : unit).end_object();
}

// The sorts of records that a trace holds, as facts beside those that it says of itself.
void write_trace_facts(JsonWriter& json, const Capture& capture) {
  for (const TraceSummary& summary : summarize_trace(capture)) {
    const std::string rank = summary.rank ? "rank " + value_text(*summary.rank, capture.strings) : "";
    const auto write = [&](std::string_view subject, std::string_view name, std::int64_t value,
                           std::string_view unit = "") {
      write_fact(json, rank, subject, name, value, unit, capture.strings);
    };
    write("trace", "records", summary.events);
    for (const auto& r : summary.categories) {
      const std::string name = fmt::format("{} {}", r.phase, r.category);
      write("records", name, r.events);
      if (r.total_ns > 0) write("time", name, r.total_ns, "ns");
    }
    for (const auto& r : summary.metadata) write("metadata", r.name, r.events);
    for (const auto& r : summary.flows) {
      write("flows " + r.category, "starts", r.starts);
      write("flows " + r.category, "finishes", r.finishes);
      write("flows " + r.category, "ids with both", r.ids_with_both);
    }
    for (const auto& r : summary.memory) {
      write("memory of device " + r.device, "allocations", r.allocations);
      write("memory of device " + r.device, "frees", r.frees);
      write("memory of device " + r.device, "peak allocated", r.peak_allocated, "B");
      write("memory of device " + r.device, "peak reserved", r.peak_reserved, "B");
    }
    if (summary.device_work == 0) continue;
    write("launches", "device work", summary.device_work);
    write("launches", "without duration", summary.zero_duration_work);
    write("launches", "overlapping in a stream", summary.overlapping_in_a_stream);
    write("launches", "with a call", summary.launches.pairs);
    write("launches", "without a call", summary.launches.work_without_call);
    if (summary.launches.pairs == 0) continue;
    write("launches", "median from call to work",
          static_cast<std::int64_t>(summary.launches.call_start_to_work_start.median_ns), "ns");
    write("launches", "longest from call to work", summary.launches.call_start_to_work_start.max_ns, "ns");
  }
}

std::string facts_json(const Capture& capture) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("facts").begin_array();
  const std::vector<Track>& tracks = capture.profile.tracks;
  for (const Fact& fact : capture.facts) {
    // Names of processes and threads are their tracks'.
    const bool is_of_part = fact.track != kNoId && (tracks[fact.track].parent != Track::kNoParent ||
                                                    tracks[fact.track].kind == TrackKind::kProcess ||
                                                    tracks[fact.track].kind == TrackKind::kDevice);
    if (is_of_part || fact.is_hidden) continue;
    const std::string_view rank = fact.track == kNoId ? "" : capture.strings.get(tracks[fact.track].name);
    write_fact(json, rank, capture.strings.get(fact.subject), capture.strings.get(fact.name), fact.value,
               capture.strings.get(fact.unit), capture.strings);
  }
  write_trace_facts(json, capture);
  json.end_array().end_object();
  return text;
}

Response facts_answer(const Request& request, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return error_response(loaded.error());
  return kept_json(
      request, *loaded, "facts", [of = *loaded] { return facts_json(of->capture); }, services);
}

}  // namespace

Result<std::shared_ptr<const Body>> contexts_body(const Request& request,
                                                  const std::shared_ptr<const LoadedCapture>& loaded,
                                                  const Services& services) {
  const auto make = [loaded, &sources = services.sources] { return contexts_json(*loaded, sources); };
  return kept_answer(request, loaded, "contexts", make, services);
}

void add_context_routes(Router& router, const Services& services) {
  router.add("/api/v1/contexts",
             [services](const Request& request, auto) { return contexts_answer(request, services); });
  router.add("/api/v1/facts", [services](const Request& request, auto) { return facts_answer(request, services); });
}

}  // namespace vizd

// The endpoints of tinygrad's own viz server (serve.py), so that scripts written for it keep working:
// /ctxs, /ctxs?ctx=I&idx=J, /get_profile. (/disasm is in program_routes.cpp.) Their captures are read first, however
// long that takes.
#include <fmt/core.h>

#include <array>

#include "base/json_writer.h"
#include "http/event_stream.h"
#include "http/routes.h"
#include "rewrite/reference_stream.h"
#include "timeline/reference_profile.h"

namespace vizd {
namespace {

constexpr std::string_view kMissing = "<missing>";  // serve.py's word for a source line that cannot be read
constexpr std::chrono::minutes kPatience{10};

std::string source_line(const Location& location, const Capture& capture, SourceLines& sources) {
  return sources.line(capture, location).value_or(std::string(kMissing));
}

void write_pass(JsonWriter& json, const Capture& capture, const Pass& pass, std::string_view query,
                SourceLines& sources) {
  const Location& location = capture.rewrites.locations[index(pass.location)];
  json.begin_object().key("name");
  if (pass.unnamed) {
    json.null();
  } else {
    json.text(capture.strings.get(pass.name));
  }
  json.key("loc").begin_array().text(capture.strings.get(location.file)).number(location.line).end_array();
  json.key("depth").number(pass.depth).key("match_count").number(pass.match_count);
  json.key("code_line").text(source_line(location, capture, sources));
  json.key("query").text(query).end_object();
}

std::string ctxs_json(const Capture& capture, SourceLines& sources) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (std::size_t i = 0; i < capture.rewrites.contexts.size(); ++i) {
    const Context& context = capture.rewrites.contexts[i];
    json.begin_object().key("name").text(capture.strings.get(context.name)).key("steps").begin_array();
    const auto passes = capture.rewrites.passes_of(context);
    for (std::size_t j = 0; j < passes.size(); ++j)
      write_pass(json, capture, passes[j], fmt::format("/ctxs?ctx={}&idx={}", i, j), sources);
    const bool has_program = index(context.program) != kNoId;
    if (has_program) {
      json.begin_object().key("name").text("View Disassembly");
      json.key("query").text(fmt::format("/disasm?ctx={}", i)).end_object();
    }
    json.end_array();
    if (has_program)
      json.key("fmt").text(capture.strings.get(capture.rewrites.programs[index(context.program)].source));
    json.end_object();
  }
  json.end_array();
  return text;
}

using Loaded = std::shared_ptr<const LoadedCapture>;

// /ctxs?ctx=I&idx=J: every state of a pass, the whole graph each, then END.
Response states_answer(const Request& request, const Loaded& loaded, const Services& services) {
  const auto context = request.parameter("ctx");
  const auto pass = request.parameter("idx");
  if (!context || !pass) return error_response({ErrorKind::kBadInput, "ask for /ctxs?ctx=I&idx=J", ""});
  const std::array<std::string_view, 2> arguments{*context, *pass};
  const auto place = find_pass(loaded, arguments);
  if (!place) return error_response(place.error());
  return Response::event_stream([place = *place, services](EventStream& stream) {
    ReferenceStream states(place.loaded->capture, place.pass(), [&](const Location& location) {
      return services.sources.line(place.loaded->capture, location);
    });
    std::string state;
    while (states.next(state)) {
      if (!stream.send("", state)) return;
      state.clear();
    }
    stream.send("", "END");
  });
}

Response ctxs_answer(const Request& request, const Loaded& loaded, const Services& services) {
  if (request.parameter("ctx") || request.parameter("idx")) return states_answer(request, loaded, services);
  return kept_json(
      loaded, "ctxs", [loaded, &sources = services.sources] { return ctxs_json(loaded->capture, sources); }, services);
}

Response profile_answer(const Loaded& loaded, const Services& services) {
  if (!loaded->capture.has_profile)
    return error_response({ErrorKind::kNotFound, "this capture has no profile", loaded->name});
  auto body = kept_answer(
      loaded, "get_profile", [loaded] { return reference_profile(loaded->capture); }, services);
  if (!body) return error_response(body.error());
  return {.content_type = "application/octet-stream", .body = *std::move(body)};
}

}  // namespace

void add_reference_routes(Router& router, const Services& services) {
  const auto with_capture = [services](auto answer) {
    return [services, answer](const Request& request, auto) {
      const auto loaded = services.session.capture(request.parameter("capture").value_or(""), kPatience);
      return loaded ? answer(request, *loaded) : error_response(loaded.error());
    };
  };
  router.add("/ctxs", with_capture([services](const Request& request, const Loaded& loaded) {
               return ctxs_answer(request, loaded, services);
             }));
  router.add("/get_profile", with_capture([services](const Request&, const Loaded& loaded) {
               return profile_answer(loaded, services);
             }));
}

}  // namespace vizd

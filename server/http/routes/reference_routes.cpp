// The endpoints of tinygrad's own viz server (serve.py), so that scripts written for it keep working:
// /ctxs, /ctxs?ctx=I&idx=J, /get_profile, and for newer captures what its newer viewer has: /graph-rewrites, /uops,
// /code, /asm, /all-pmc, /prg-pmc, /sqtt-N, /amd-sqtt-occ, /cu-sqtt and /prg-pma-pkts?ctx=I&step=J. (/disasm is in
// program_routes.cpp.) Their captures are read first, however long that takes.
#include <fmt/core.h>

#include <array>
#include <optional>
#include <vector>

#include "base/json_writer.h"
#include "disasm/disassemble.h"
#include "http/routes/hardware_answers.h"
#include "http/routes/routes.h"
#include "http/transport/event_stream.h"
#include "reference/tinygrad/profile.h"
#include "reference/tinygrad/rewrite_stream.h"
#include "reference/tinygrad/steps.h"
#include "reference/tinygrad/viewer.h"

namespace vizd {
namespace {

constexpr std::string_view kMissing = "<missing>";  // serve.py's word for a source line that cannot be read
constexpr std::chrono::minutes kLoadPatience{10};

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

void write_stack(JsonWriter& json, const Capture& capture, StackId stack) {
  if (index(stack) == kNoId) {
    json.null();
    return;
  }
  json.begin_array();
  for (const Frame& frame : frames_of(capture.stacks, stack)) {
    json.begin_array().text(capture.strings.get(frame.file)).number(frame.line);
    json.text(capture.strings.get(frame.function)).text(capture.strings.get(frame.code)).end_array();
  }
  json.end_array();
}

void write_newer_steps(JsonWriter& json, const Capture& capture, std::size_t i, SourceLines& sources) {
  const Context& context = capture.rewrites.contexts[i];
  const auto steps = reference_steps(capture, context);
  for (std::size_t j = 0; j < steps.size(); ++j) {
    const ReferenceStep& step = steps[j];
    json.begin_object().key("name").text(step.name);
    // A pass is asked for by its number among passes, the others by theirs among steps.
    json.key("query").text(fmt::format("{}?ctx={}&step={}", step.path, i, step.stage ? j : step.pass_number));
    json.key("depth").number(step.depth);
    if (!step.stage) {
      const Location& location = capture.rewrites.locations[index(step.pass->location)];
      json.key("loc").begin_array().text(capture.strings.get(location.file)).number(location.line).end_array();
      json.key("match_count").number(step.pass->match_count);
      json.key("code_line").text(source_line(location, capture, sources));
      json.key("trace");
      write_stack(json, capture, j == 0 ? context.stack : StackId{kNoId});
    }
    json.end_object();
  }
}

std::string ctxs_json(const Capture& capture, SourceLines& sources) {
  std::string text;
  JsonWriter json(text);
  const bool is_newer = reference_viewer(capture) != ReferenceViewer::k2025_09;
  json.begin_array();
  for (std::size_t i = 0; i < capture.rewrites.contexts.size(); ++i) {
    const Context& context = capture.rewrites.contexts[i];
    json.begin_object().key("name").text(capture.strings.get(context.name)).key("steps").begin_array();
    if (is_newer) {
      write_newer_steps(json, capture, i, sources);
      json.end_array().end_object();
      continue;
    }
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
  write_hardware_contexts(json, capture);
  json.end_array();
  return text;
}

// /ctxs?ctx=I&idx=J, /graph-rewrites?ctx=I&step=J: every state of a pass, the whole graph each, then what ends it.
Response states_answer(const Request& request, const Loaded& loaded, const Services& services, std::string_view key,
                       std::string_view end) {
  const auto context = request.parameter("ctx");
  const auto pass = request.parameter(key);
  if (!context || !pass) {
    return error_response({ErrorKind::kBadInput, fmt::format("ask for a pass as ?ctx=I&{}=J", key), ""});
  }
  const std::array<std::string_view, 2> arguments{*context, *pass};
  const auto place = find_pass(loaded, arguments);
  if (!place) return error_response(place.error());
  return Response::event_stream([place = *place, services, end](EventStream& stream) {
    ReferenceStream states(place.loaded->capture, place.pass(), [&](const Location& location) {
      return services.sources.line(place.loaded->capture, location);
    });
    std::string state;
    while (states.next(state)) {
      if (!stream.send("", state)) return;
      state.clear();
    }
    stream.send("", end);
  });
}

Response ctxs_answer(const Request& request, const Loaded& loaded, const Services& services) {
  if (request.parameter("ctx") || request.parameter("idx"))
    return states_answer(request, loaded, services, "idx", "END");
  return kept_json(
      request, loaded, "ctxs", [loaded, &sources = services.sources] { return ctxs_json(loaded->capture, sources); },
      services);
}

// The machine code of the context's program, or why there is none to show.
std::string disassembly(const Request& request, const Loaded& loaded, std::uint32_t context, const Services& services) {
  const ProgramId program = loaded->capture.rewrites.contexts[context].program;
  if (index(program) == kNoId) return "this context made no program";
  const auto code =
      wait_for(services.programs.get(loaded, static_cast<std::uint32_t>(index(program))), request, services);
  if (!code) return code.error().text();
  return (*code)->error ? (*code)->error->text() : flat_dump((*code)->code);
}

// /uops, /code, /asm?ctx=I&step=J
Response stage_answer(const Request& request, const Loaded& loaded, ProgramStage stage, const Services& services) {
  const Capture& capture = loaded->capture;
  const auto context = parse_index(request.parameter("ctx").value_or("0"), capture.rewrites.contexts.size(), "context");
  if (!context) return error_response(context.error());
  if (capture.dialect == nullptr) return error_response({ErrorKind::kNotFound, "this capture has no rewrites", ""});
  const auto steps = reference_steps(capture, capture.rewrites.contexts[*context]);
  const auto step = parse_index(request.parameter("step").value_or("0"), steps.size(), "step");
  if (!step) return error_response(step.error());
  if (steps[*step].stage != stage) {
    return error_response({ErrorKind::kNotFound, "this step makes something else; see its query in /ctxs", ""});
  }
  const auto result = capture.dialect->program_stage(*steps[*step].pass, stage);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("src");
  if (!result) {
    json.text(stage == ProgramStage::kOps      ? "No linear found"
              : stage == ProgramStage::kSource ? "No source found"
                                               : "No binary found");
  } else if (stage == ProgramStage::kBinary && !result->is_error) {
    json.text(disassembly(request, loaded, *context, services));
  } else {
    json.text(result->text);
    if (stage == ProgramStage::kSource && !result->is_error) json.key("lang").text("cpp");
  }
  json.end_object();
  return Response::json(std::move(text));
}

Response profile_answer(const Request& request, const Loaded& loaded, const Services& services) {
  if (!loaded->capture.has_profile)
    return error_response({ErrorKind::kNotFound, "this capture has no profile", loaded->name});
  auto body = kept_answer(
      request, loaded, "get_profile", [loaded] { return reference_profile(loaded->capture); }, services);
  if (!body) return error_response(body.error());
  return {.content_type = "application/octet-stream", .body = *std::move(body)};
}

}  // namespace

void add_reference_routes(Router& router, const Services& services) {
  const auto with_capture = [services](auto answer) {
    return [services, answer](const Request& request, auto) {
      const auto loaded = capture_named(request.parameter("capture").value_or(""), request, services, kLoadPatience);
      return loaded ? answer(request, *loaded) : error_response(loaded.error());
    };
  };
  router.add("/ctxs", with_capture([services](const Request& request, const Loaded& loaded) {
               return ctxs_answer(request, loaded, services);
             }));
  router.add("/graph-rewrites", with_capture([services](const Request& request, const Loaded& loaded) {
               return states_answer(request, loaded, services, "step", "[DONE]");
             }));
  constexpr std::pair<const char*, ProgramStage> kStages[] = {
      {"/uops", ProgramStage::kOps}, {"/code", ProgramStage::kSource}, {"/asm", ProgramStage::kBinary}};
  for (const auto& [path, stage] : kStages) {
    router.add(path, with_capture([services, stage = stage](const Request& request, const Loaded& loaded) {
                 return stage_answer(request, loaded, stage, services);
               }));
  }
  for (const char* const path : {"/all-pmc", "/prg-pmc", "/sqtt-{}", "/amd-sqtt-occ", "/cu-sqtt", "/prg-pma-pkts"}) {
    router.add(path, with_capture([services](const Request& request, const Loaded& loaded) {
                 return hardware_answer(request, loaded, services);
               }));
  }
  router.add("/get_profile", with_capture([services](const Request& request, const Loaded& loaded) {
               return profile_answer(request, loaded, services);
             }));
}

}  // namespace vizd

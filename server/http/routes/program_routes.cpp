// GET /api/v1/programs, /api/v1/program/CONTEXT, /code, /analysis and /heat of it, /api/v1/executions/CONTEXT, and the
// reference's /disasm?ctx=I.
#include <fmt/core.h>

#include <algorithm>

#include "base/json_writer.h"
#include "disasm/disassemble.h"
#include "http/routes/executions_json.h"
#include "http/routes/heat_json.h"
#include "http/routes/program_json.h"
#include "http/routes/routes.h"
#include "http/routes/timeline_request.h"

namespace vizd {
namespace {

struct ProgramPlace {
  std::shared_ptr<const LoadedCapture> loaded;
  std::uint32_t number = 0;       // in Rewrites::programs
  std::uint32_t context = kNoId;  // that made it, where one did

  const Program& program() const { return loaded->capture.rewrites.programs[number]; }
};

// By the context that made it, or as "p" and its number: a library's kernels are of no context.
Result<ProgramPlace> find_program(const Request& request, std::string_view segment, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return loaded.error();
  const Rewrites& rewrites = (*loaded)->capture.rewrites;
  if (segment.starts_with('p')) {
    const auto number = parse_index(segment.substr(1), rewrites.programs.size(), "program");
    if (!number) return number.error();
    return ProgramPlace{*loaded, *number};
  }
  const auto context = parse_index(segment, rewrites.contexts.size(), "context");
  if (!context) return context.error();
  if (index(rewrites.contexts[*context].program) == kNoId)
    return Error{ErrorKind::kNotFound, "this context made no program", std::string(segment)};
  return ProgramPlace{*loaded, static_cast<std::uint32_t>(index(rewrites.contexts[*context].program)), *context};
}

// The pass of the program's context that left its list of ops; null where none did.
const Pass* ops_pass(const ProgramPlace& place) {
  const Capture& capture = place.loaded->capture;
  if (place.context == kNoId || capture.dialect == nullptr) return nullptr;
  for (const Pass& pass : capture.rewrites.passes_of(capture.rewrites.contexts[place.context])) {
    if (capture.dialect->makes_program(pass)) return &pass;
  }
  return nullptr;
}

Response ops_answer(const ProgramPlace& place) {
  const Pass* pass = ops_pass(place);
  const auto ops =
      pass == nullptr ? std::nullopt : place.loaded->capture.dialect->program_stage(*pass, ProgramStage::kOps);
  if (!ops) return error_response({ErrorKind::kNotFound, "the capture has no list of this program's ops", ""});
  std::string text;
  JsonWriter(text).begin_object().key("text").text(ops->text).key("is_error").boolean(ops->is_error).end_object();
  return Response::json(std::move(text));
}

Response program_answer(const ProgramPlace& place) {
  const Capture& capture = place.loaded->capture;
  const Program& program = place.program();
  const std::string_view source = capture.strings.get(program.source);
  const std::string_view device = capture.strings.get(program.device);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("name").text(capture.strings.get(program.name)).key("device").text(device);
  const SourceLanguage language = language_of(device, source);
  json.key("language").text(language == SourceLanguage::kOther ? "c" : name_of(language)).key("source").text(source);
  json.key("has_ops").boolean(ops_pass(place) != nullptr);
  json.key("binary_bytes").number(capture.strings.get(program.binary).size());
  json.key("executions");
  write_executions(json, capture,
                   place.context == kNoId ? executions_of_name(capture, place.loaded->timeline, place.number)
                                          : executions_of_program(capture, place.loaded->timeline, place.context));
  json.end_object();
  return Response::json(std::move(text));
}

Response executions_answer(const Request& request, std::string_view segment, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const Capture& capture = (*loaded)->capture;
  const auto context = parse_index(segment, capture.rewrites.contexts.size(), "context");
  if (!context) return error_response(context.error());
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("executions");
  write_executions(json, capture, executions_of_context(capture, (*loaded)->timeline, *context));
  json.end_object();
  return Response::json(std::move(text));
}

std::string programs_json(const LoadedCapture& loaded) {
  const Capture& capture = loaded.capture;
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("revision").number(loaded.revision);
  json.column("programs", program_figures(capture, loaded.timeline), [&](JsonWriter& j, const ProgramFigures& program) {
    j.begin_object().key("program").number(program.program).key("context").number(or_minus_one(program.context));
    j.key("device").text(capture.strings.get(capture.rewrites.programs[program.program].device));
    write_figures(j, program.figures);
    j.key("share").real(share_of_time(program.figures.covered_ns, program.device_busy_ns)).end_object();
  });
  json.end_object();
  return text;
}

// The profile tells which programs ran, so this waits for it.
Response programs_answer(const Request& request, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return error_response(loaded.error());
  return kept_json(
      request, *loaded, "programs", [of = loaded->get()] { return programs_json(*of); }, services);
}

Response code_answer(const Request& request, const ProgramPlace& place, const Services& services) {
  const auto code = wait_for(services.programs.get(place.loaded, place.number), request, services);
  if (!code) return error_response(code.error());
  return kept_json(
      request, place.loaded, fmt::format("program/{}/code", place.number), [code = *code] { return code_json(*code); },
      services);
}

// A number of the query, or the default where it is left out.
Result<std::uint32_t> number_of(const Request& request, std::string_view name, std::uint32_t otherwise) {
  const auto text = request.parameter(name);
  return text ? parse_index(*text, kMostInstructions + 1, name) : otherwise;
}

Response analysis_answer(const Request& request, const ProgramPlace& place, const Services& services) {
  const auto found = wait_for(services.programs.get(place.loaded, place.number), request, services);
  if (!found) return error_response(found.error());
  const ProgramCode& code = **found;
  if (code.error) return error_response(*code.error);
  const auto first = number_of(request, "first", 0);
  if (!first) return error_response(first.error());
  const std::size_t all = code.code.instructions.size();
  const auto rest = static_cast<std::uint32_t>(all - std::min<std::size_t>(*first, all));
  const auto count = number_of(request, "count", rest);
  if (!count) return error_response(count.error());
  const auto analysis = services.programs.analyse(code, *first, *count, request.parameter("cpu").value_or("native"));
  return analysis ? Response::json(analysis_json(*analysis, *first)) : error_response(analysis.error());
}

// A number of the query, or nothing where it is left out.
Result<std::optional<std::uint32_t>> choice_of(const Request& request, std::string_view name) {
  constexpr std::size_t kMost = 1'000'000'000;
  const auto text = request.parameter(name);
  if (!text) return std::optional<std::uint32_t>();
  const auto number = parse_index(*text, kMost, name);
  return number ? Result<std::optional<std::uint32_t>>(std::optional(*number)) : number.error();
}

Response heat_answer(const Request& request, const ProgramPlace& place, const Services& services) {
  const auto run = choice_of(request, "run"), wave = choice_of(request, "wave");
  if (!run) return error_response(run.error());
  if (!wave) return error_response(wave.error());
  const auto named = [](const std::optional<std::uint32_t>& number) {
    return number ? std::to_string(*number) : "all";
  };
  return kept_json(
      request, place.loaded, fmt::format("program/{}/heat/{}/{}", place.number, named(*run), named(*wave)),
      [place, run = *run, wave = *wave] {
        return heat_json(RecordedProgram(place.loaded->capture, place.program()), run, wave);
      },
      services);
}

// The reference compiles the source anew, for LLVM's own device with llvm-mca's table and else as text. Without machine
// code the source is what there is to show, with the reason above it.
Response disasm_answer(const Request& request, const Services& services) {
  const auto context = request.parameter("ctx");
  if (!context) return error_response({ErrorKind::kBadInput, "ask for /disasm?ctx=I", ""});
  const auto place = find_program(request, *context, services);
  if (!place) return error_response(place.error());
  const auto found = wait_for(services.programs.get(place->loaded, place->number), request, services);
  if (!found) return error_response(found.error());
  const ProgramCode& code = **found;
  const bool wants_table = code.language == SourceLanguage::kLlvmIr || request.parameter("mca") == "1";
  if (!code.error && wants_table) {
    auto table = services.programs.reference_analysis(code);
    return table ? Response::json(std::move(*table)) : error_response(table.error());
  }
  const std::string_view source = place->loaded->capture.strings.get(place->program().source);
  std::string text;
  JsonWriter(text)
      .begin_object()
      .key("src")
      .text(code.error ? fmt::format("// {}\n{}", code.error->text(), source) : flat_dump(code.code))
      .end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_program_routes(Router& router, const Services& services) {
  const auto with_program = [services](auto answer) {
    return [services, answer](const Request& request, std::span<const std::string_view> arguments) {
      const auto place = find_program(request, arguments[0], services);
      return place ? answer(request, *place) : error_response(place.error());
    };
  };
  router.add("/api/v1/program/{}",
             with_program([](const Request&, const ProgramPlace& place) { return program_answer(place); }));
  router.add("/api/v1/program/{}/ops",
             with_program([](const Request&, const ProgramPlace& place) { return ops_answer(place); }));
  router.add("/api/v1/program/{}/code", with_program([services](const Request& request, const ProgramPlace& place) {
               return code_answer(request, place, services);
             }));
  router.add("/api/v1/program/{}/analysis", with_program([services](const Request& request, const ProgramPlace& place) {
               return analysis_answer(request, place, services);
             }));
  router.add("/api/v1/program/{}/heat", with_program([services](const Request& request, const ProgramPlace& place) {
               return heat_answer(request, place, services);
             }));
  router.add("/api/v1/programs",
             [services](const Request& request, auto) { return programs_answer(request, services); });
  router.add("/api/v1/executions/{}", [services](const Request& request, auto arguments) {
    return executions_answer(request, arguments[0], services);
  });
  router.add("/disasm", [services](const Request& request, auto) { return disasm_answer(request, services); });
}

}  // namespace vizd

#include "reference/tinygrad/step_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/clean_text.h"
#include "base/json_writer.h"
#include "base/lines.h"
#include "base/parse_json.h"
#include "base/standard_streams.h"
#include "disasm/disassemble.h"
#include "reference/tinygrad/event_words.h"
#include "reference/tinygrad/rewrite_stream.h"
#include "rewrite/history_builder.h"
#include "rewrite/match_detail.h"

namespace vizd {
namespace {

constexpr std::size_t kLabelLines = 5;  // of a node
constexpr std::chrono::minutes kCodePatience{1};

std::string tools_path() {
  const char* const path = std::getenv("PATH");
  return path == nullptr ? "" : path;
}

// The first lines of a label on one.
std::string first_lines(const std::string& label) {
  std::string text;
  std::size_t count = 0;
  for (std::size_t begin = 0; begin <= label.size() && !label.empty();) {
    const std::size_t end = std::min(label.find('\n', begin), label.size());
    if (count++ < kLabelLines) text += (begin == 0 ? "" : " ") + label.substr(begin, end - begin);
    begin = end + 1;
  }
  return text + (count > kLabelLines ? "..." : "");
}

// A node a line, and one of its sources: "  src: 0->[5], 1->[7]".
void print_graph(const nlohmann::ordered_json& graph, bool colour) {
  for (const auto& [id, node] : graph.items()) {
    std::string text = fmt::format("[{}] {}", id, first_lines(node.at("label").get<std::string>()));
    if (node.at("tag").is_string()) text += " tag=" + node.at("tag").get<std::string>();
    print_answer("{}\n", one_line(text, colour));
    std::string sources;
    for (const auto& source : node.at("src"))
      sources += fmt::format("{}{}->[{}]", sources.empty() ? "" : ", ", source[0].dump(), source[1].dump());
    if (!sources.empty()) print_answer("  src: {}\n", sources);
  }
}

}  // namespace

StepPrinter::StepPrinter(std::shared_ptr<const LoadedCapture> loaded, bool json, bool colour)
    : loaded_(std::move(loaded)),
      capture_(loaded_->capture),
      json_(json),
      colour_(colour),
      sources_({.enabled = true, .root = ""}),
      programs_({}, Toolchain(tools_path())) {}

void StepPrinter::print_value(std::string_view text) const {
  if (json_) {
    std::string line;
    JsonWriter(line).begin_object().key("value").text(text).end_object();
    print_answer("{}\n", line);
  } else {
    print_answer("{}\n", many_lines(text, colour_));
  }
}

void StepPrinter::print(std::uint32_t context, const StepDetail& detail) {
  if (capture_.dialect == nullptr || context >= capture_.rewrites.contexts.size()) return;
  for (const ReferenceStep& step : reference_steps(capture_, capture_.rewrites.contexts[context])) {
    const bool is_wanted = std::ranges::find(detail.wanted, step.name) != detail.wanted.end();
    if (detail.level >= 3 && step.name == "View Base AST") print_step(context, step, false, false);
    if (detail.level >= 4 && step.stage == ProgramStage::kSource) print_step(context, step, false, false);
    if (detail.level >= 5 || detail.lists) {
      const std::uint32_t matches = step.stage ? 0 : step.pass->match_count;
      print_value(std::string(step.depth, ' ') + std::string(step.name) +
                  (matches > 0 ? fmt::format(" - {}", matches) : ""));
    }
    if (detail.level >= 6 || (detail.level >= 5 && step.name == "View Kernel Graph") || is_wanted)
      print_step(context, step, true, is_wanted);
    if (detail.level >= 7) print_step(context, step, false, true);
  }
}

void StepPrinter::print_step(std::uint32_t context, const ReferenceStep& step, bool with_graph, bool with_matches) {
  if (!step.stage) return print_pass(*step.pass, with_graph, with_matches);
  const auto left = capture_.dialect->program_stage(*step.pass, *step.stage);
  if (!left) {
    print_value(*step.stage == ProgramStage::kOps      ? "No linear found"
                : *step.stage == ProgramStage::kSource ? "No source found"
                                                       : "No binary found");
  } else if (*step.stage != ProgramStage::kBinary || left->is_error) {
    print_value(left->text);
  } else {
    const ProgramId program = capture_.rewrites.contexts[context].program;
    if (index(program) == kNoId) return print_value("this context made no program");
    const auto code = programs_.get(loaded_, static_cast<std::uint32_t>(index(program))).wait(kCodePatience);
    if (!code) return print_value(code.error().text());
    print_value((*code)->error ? (*code)->error->text() : flat_dump((*code)->code));
  }
}

// Its input; with its matches, that again before each, as tinygrad prints it.
void StepPrinter::print_pass(const Pass& pass, bool with_graph, bool with_matches) {
  ReferenceStream states(capture_, pass, [&](const Location& location) { return sources_.line(capture_, location); });
  std::string text;
  if (!states.next(text)) return;
  const auto input = parse_json<nlohmann::ordered_json>(text);
  const auto print_input = [&] {
    if (!with_graph) return print_value(input.at("uop").get<std::string>());
    json_ ? print_answer("{}\n", json_line(input.at("graph"))) : print_graph(input.at("graph"), colour_);
  };
  print_input();
  if (!with_matches || pass.match_count == 0) return;
  const auto history = build_history(capture_, pass, {});
  if (!history) return print_value(history.error().text());
  for (std::uint32_t state = 1; state <= pass.match_count; ++state) {
    print_input();
    print_match(pass, *history, state);
  }
}

// The place of the rule and what it took, and what it did.
void StepPrinter::print_match(const Pass& pass, const History& history, std::uint32_t state) {
  const auto detail = match_detail(capture_, pass, history, state);
  if (!detail || detail->diff.empty()) return;
  const Location& rule = capture_.rewrites.locations[index(detail->match.rule)];
  const std::string file(capture_.strings.get(rule.file));
  const auto name = file.rfind('/');
  const auto folder = name == std::string::npos || name == 0 ? std::string::npos : file.rfind('/', name - 1);
  print_value(fmt::format("{}:{}\n# {:.2f} us\n{}", folder == std::string::npos ? file : file.substr(folder + 1),
                          rule.line, detail->match.dur_s * 1e6, sources_.line(capture_, rule).value_or("<missing>")));
  for (const std::string& line : detail->diff) {
    const std::string_view colour = !colour_                ? ""
                                    : line.starts_with('-') ? "\x1b[31m"
                                    : line.starts_with('+') ? "\x1b[32m"
                                                            : "";
    print_value(colour.empty() ? line : fmt::format("{}{}\x1b[0m", colour, line));
  }
}

}  // namespace vizd

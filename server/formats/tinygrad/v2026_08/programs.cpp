#include "formats/tinygrad/v2026_08/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "formats/tinygrad/python/text.h"
#include "formats/tinygrad/v2026_08/labels.h"
#include "formats/tinygrad/v2026_08/op_facts.h"
#include "formats/tinygrad/v2026_08/value_text.h"

namespace vizd::tinygrad_2026_08 {
namespace {

constexpr std::size_t kLoopsWidth = 10;  // of the column of loops

std::size_t stage_source(ProgramStage stage) { return static_cast<std::size_t>(stage) + 1; }

Ops kind_of(const Capture& capture, OpId id) { return static_cast<Ops>(capture.ops.kind(id)); }

Ops stage_kind(ProgramStage stage) {
  return stage == ProgramStage::kOps ? Ops::kLinear : stage == ProgramStage::kSource ? Ops::kSource : Ops::kBinary;
}

// What of a program the stage made; nothing where it has not come as far. Before 0.14.0 its device stands before.
std::optional<OpId> made_by(const Capture& capture, OpId id, ProgramStage stage) {
  if (kind_of(capture, id) != Ops::kProgram) return std::nullopt;
  const auto src = capture.ops.src(id);
  const auto found = std::ranges::find(src, stage_kind(stage), [&](OpId source) { return kind_of(capture, source); });
  return found == src.end() ? std::nullopt : std::optional(*found);
}

std::optional<StageResult> result_of(const Capture& capture, OpId program, ProgramStage stage) {
  const auto made = made_by(capture, program, stage);
  if (!made) return std::nullopt;
  if (stage == ProgramStage::kOps) return StageResult{op_list_text(capture, *made)};
  return StageResult{std::string(capture.values.text(capture.ops.op(*made).arg))};
}

std::size_t visible_width(std::string_view text) {
  std::size_t width = 0;
  bool in_escape = false;
  for (const char c : text) {
    if (c == '\x1b') in_escape = true;
    width += !in_escape;
    if (c == 'm') in_escape = false;
  }
  return width;
}

std::string without_colours(std::string_view text) {
  std::string plain;
  bool in_escape = false;
  for (const char c : text) {
    if (c == '\x1b') in_escape = true;
    if (!in_escape) plain += c;
    if (c == 'm') in_escape = false;
  }
  return plain;
}

}  // namespace

std::optional<StageResult> find_stage(const Capture& capture, const Pass& pass, ProgramStage stage) {
  const auto matches = capture.rewrites.matches_of(pass);
  if (matches.empty()) return result_of(capture, pass.sink, stage);
  for (const Match& match : matches) {
    const auto before = capture.ops.src(match.before);
    const bool is_here = kind_of(capture, match.before) == Ops::kProgram && before.size() == stage_source(stage);
    if (is_here && kind_of(capture, match.after) == Ops::kRewriteError) {
      return StageResult{std::string(capture.values.text(capture.ops.op(match.after).arg)), true};
    }
    if (!made_by(capture, match.before, stage) && made_by(capture, match.after, stage)) {
      return result_of(capture, match.after, stage);
    }
  }
  return std::nullopt;
}

std::string op_list_text(const Capture& capture, OpId linear) {
  const OpNames names(capture.values);
  const ValueText text(capture.ops, &names);
  OpFacts facts(capture.ops);
  const auto list = capture.ops.src(linear);
  std::unordered_map<OpId, std::size_t> places;
  for (std::size_t i = 0; i < list.size(); ++i) places[list[i]] = i;
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Op op = capture.ops.op(list[i]);
    std::string sources;
    for (const OpId source : op.src) {
      const auto place = places.find(source);
      sources += sources.empty() ? "[" : ", ";
      if (place == places.end()) {
        sources += "'--'";
      } else if (kind_of(capture, source) == Ops::kConst) {
        sources += python::string_repr(text.str(capture.ops.op(source).arg));
      } else {
        sources += fmt::format("{}", place->second);
      }
    }
    sources += sources.empty() ? "[]" : "]";
    const auto ranges = facts.ranges().get(facts.get(list[i]).ranges);
    std::string loops = loops_text(capture.values, ranges).value_or("");
    if (const std::size_t width = visible_width(loops); width < kLoopsWidth) loops.append(kLoopsWidth - width, ' ');
    out += fmt::format("{:4} {:20}: {} {:40} {:32} {}\n", i,
                       fmt::format("Ops.{}", text.name_of(static_cast<Ops>(op.kind))), loops, text.str(op.dtype),
                       sources, text.str(op.arg));
  }
  return out;
}

void add_programs(Capture& capture) {
  const ValueTable& values = capture.values;
  for (Context& context : capture.rewrites.contexts) {
    for (const Pass& pass : capture.rewrites.passes_of(context)) {
      if (capture.strings.get(pass.name) != "View Program" || kind_of(capture, pass.sink) != Ops::kProgram) continue;
      const Op op = capture.ops.op(pass.sink);
      const auto text = [&](ValueId value) {
        const bool is_text = values.kind(value) == ValueKind::kString || values.kind(value) == ValueKind::kBytes;
        return capture.strings.add(is_text ? values.text(value) : std::string_view());
      };
      const auto made = [&](ProgramStage stage) {
        const auto found = made_by(capture, pass.sink, stage);
        return found ? text(capture.ops.op(*found).arg) : StringId{};
      };
      const bool is_known = values.kind(op.arg) == ValueKind::kObject;
      const ValueId name = is_known ? values.field(op.arg, "name") : kNoneValue;
      const ValueId target = is_known ? values.field(op.arg, "target") : kNoneValue;
      Program program{.source = made(ProgramStage::kSource), .binary = made(ProgramStage::kBinary), .origin = op.arg};
      if (values.kind(name) == ValueKind::kString)
        program.name = capture.strings.add(without_colours(values.text(name)));
      if (values.kind(target) == ValueKind::kObject) program.device = text(values.field(target, "device"));
      context.program = to_id<ProgramId>(capture.rewrites.programs.size());
      capture.rewrites.programs.push_back(program);
    }
  }
}

}  // namespace vizd::tinygrad_2026_08

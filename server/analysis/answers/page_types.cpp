#include "analysis/answers/page_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/answers/device_answers.h"
#include "analysis/answers/replay_answers.h"
#include "base/json_writer.h"

namespace vizd {
namespace {

struct PageField {
  FieldInfo info;
  bool is_always_there = true;
};

std::string string_literal(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

std::string type_of(const FieldInfo& field) {
  std::string type;
  for (const std::string_view word : field.words) type += (type.empty() ? "" : " | ") + string_literal(word);
  if (!type.empty()) return type;
  switch (field.kind) {
    case FieldKind::kCount:
    case FieldKind::kAmount:
    case FieldKind::kReal:
      return "number";
    case FieldKind::kFlag:
      return "boolean";
    case FieldKind::kTexts:
      return "string[]";
    case FieldKind::kRange:
      return "[from: number, to: number]";
    case FieldKind::kNumber:
      return "number | string";
    case FieldKind::kText:
      break;
  }
  return "string";
}

std::string_view unit_of(const FieldInfo& field) {
  constexpr std::string_view kUnits[] = {"", "ns", "more ns", "%", "ratio", "B", "FLOP", "B/s", "FLOP/s", "ps"};
  if (field.kind == FieldKind::kText || field.kind == FieldKind::kNumber) return "text";
  return kUnits[static_cast<std::size_t>(field.unit)];
}

// With a capital where it begins with a word.
std::string heading_of(std::string_view title) {
  const auto is_small = [&](std::size_t i) { return i < title.size() && title[i] >= 'a' && title[i] <= 'z'; };
  std::string heading(title);
  if (is_small(0) && is_small(1)) heading.front() = static_cast<char>(heading.front() - 'a' + 'A');
  return heading;
}

void add_answer(std::string& text, std::string_view name, const std::vector<PageField>& fields) {
  text += fmt::format("\n// prettier-ignore\nexport interface {}Fields {{\n", name);
  for (const auto& [field, is_always_there] : fields) {
    if (field.is_extra) continue;
    text += fmt::format("  {}{}: {}{};\n", field.name, is_always_there ? "" : "?", type_of(field),
                        field.may_be_null ? " | null" : "");
  }
  text += fmt::format("}}\n\n// prettier-ignore\nexport const k{}Fields = {{\n", name);
  for (const auto& [field, is_always_there] : fields) {
    text += fmt::format("  {}: {{ title: {}, unit: \"{}\"", field.name, string_literal(heading_of(field.title)),
                        unit_of(field));
    if (!field.about.empty()) text += fmt::format(", hint: {}", string_literal(field.about));
    text += " },\n";
  }
  text += "} satisfies FieldTexts;\n";
}

// The fields of an answer that has several forms: those of the first, each followed by what the others have beside it.
template <typename Line>
std::vector<PageField> together(const std::vector<Fields<Line>>& forms) {
  std::vector<PageField> all;
  for (const Fields<Line>& form : forms) {
    auto next = all.begin();
    for (const Field<Line>& field : form) {
      const auto found =
          std::ranges::find(all, field.info.name, [](const PageField& known) { return known.info.name; });
      next = found != all.end() ? found + 1 : all.insert(next, {field.info, !field.info.may_be_absent}) + 1;
    }
  }
  for (PageField& field : all) {
    field.is_always_there &= std::ranges::all_of(forms, [&](const Fields<Line>& form) {
      return std::ranges::find(form, field.info.name, [](const auto& of) { return of.info.name; }) != form.end();
    });
  }
  return all;
}

}  // namespace

std::string page_types() {
  std::string text =
      "// What rows of the server's answers about devices have, and what people are told of it. Written by\n"
      "// scripts/page-types from server/analysis/answers: change it there.\n\n"
      "/** What a table says of a field, and what its numbers are counted in. */\n"
      "export interface FieldText {\n  title: string;\n  unit: \"text\" | \"\" | \"ns\" | \"more ns\" | \"%\" | "
      "\"ratio\" | \"B\" "
      "| \"FLOP\" | \"B/s\" | \"FLOP/s\";\n  hint?: string;\n}\n"
      "type FieldTexts = Record<string, FieldText>;\n\n"
      "/** What a table of kernels is of, as the server calls it. */\n// prettier-ignore\n"
      "export const kKernelGroups = [";
  std::vector<Fields<KernelLine>> kernels;
  for (const std::string_view group : kKernelGroupNames) {
    text += fmt::format("{}\"{}\"", kernels.empty() ? "" : ", ", group);
    kernels.push_back(kernel_fields(*kernel_group(group)));
  }
  text += "] as const;\n";
  add_answer(text, "Kernel", together(kernels));
  text +=
      "\n/** The ways to separate rows of one operator, by the server's names. */\n// prettier-ignore\n"
      "export const kOperatorGroups = [";
  std::vector<Fields<OperatorLine>> operators;
  for (const std::string_view group : kOperatorGroupNames) {
    text += fmt::format("{}\"{}\"", operators.empty() ? "" : ", ", group);
    operators.push_back(operator_fields(*operator_group(group)));
  }
  text += "] as const;\n";
  add_answer(text, "Operator", together(operators));
  add_answer(text, "Thread", together<ThreadLine>({thread_fields()}));
  add_answer(text, "Breakdown", together<BreakdownLine>({breakdown_fields()}));
  add_answer(text, "Call", together<CallLine>({call_tree_fields()}));
  add_answer(text, "Collective", together<CollectiveLine>({collective_fields()}));
  add_answer(text, "Straggler", together<StragglerLine>({straggler_fields()}));
  add_answer(text, "CollectiveInstance", together<CollectiveInstanceLine>({collective_instance_fields()}));
  add_answer(text, "Sequence", together<SequenceLine>({sequence_fields()}));
  add_answer(text, "Path", together<PathLine>({path_fields()}));
  add_answer(text, "Compile", together<CompileLine>({compile_fields()}));
  add_answer(text, "Holder", together<HolderLine>({holder_fields()}));
  add_answer(text, "Naming", together<ReplayLine<NamingRow>>({naming_fields()}));
  add_answer(text, "Graph", together<ReplayLine<GraphRow>>({graph_fields()}));
  add_answer(text, "Replay", together<ReplayLine<ReplayRow>>({replay_fields()}));
  add_answer(text, "Place", together<PlaceLine>({place_fields()}));
  add_answer(text, "Node", together<ReplayLine<NodeRow>>({node_fields()}));
  add_answer(text, "ServerStep", together<ReplayLine<StepRow>>({step_fields()}));
  add_answer(text, "Steady", together<ReplayLine<SteadyRow>>({steady_fields()}));
  add_answer(text, "LayerKind", together<ReplayLine<LayerKindRow>>({layer_kind_fields()}));
  add_answer(
      text, "Comparison",
      together<ComparisonLine>({comparison_fields(KernelJoin::kName), comparison_fields(KernelJoin::kFamily),
                                comparison_fields(KernelJoin::kOperator), comparison_fields(KernelJoin::kShapes)}));
  return text;
}

}  // namespace vizd

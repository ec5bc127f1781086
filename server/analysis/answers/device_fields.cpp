// Fields of the call tree, sequences of kernels and the critical path.
#include <fmt/format.h>

#include "analysis/answers/device_answers.h"
#include "analysis/answers/field_values.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

using enum Unit;

std::optional<double> if_any(double amount) { return amount > 0 ? std::optional(amount) : std::nullopt; }

double percent_of(std::int64_t part, std::int64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

// What a part of the path is that nothing recorded names.
std::string_view without_name(PathKind kind) {
  if (kind == PathKind::kBetween) return "(waiting, however long)";
  return kind == PathKind::kHost ? "(nothing recorded)" : "";
}

}  // namespace

Fields<CallLine> call_tree_fields() {
  using L = CallLine;
  using R = CallNode;
  return {
      {count_field("parent", "parent", "The node above it; null at the top").or_null(),
       [](const L& l) { return l.parent; }},
      {text_field("kind", "kind", "What it is").one_of(kFrameKindNames),
       [](const L& l) { return frame_kind_name(l.row.kind); }},
      {text_field("name", "name", "What it is called"),
       [](const L& l) { return frame_name(l.row, l.capture.strings); }},
      {text_field("told_by", "told by",
                  "capture: the capture of a replayed graph tells it; null: the trace itself does")
           .or_null(),
       [](const L& l) { return l.row.captured.empty() ? std::nullopt : std::optional(std::string_view("capture")); }},
      {count_field("calls", "calls", "Events that the node is; of kernels the launches"), &R::calls},
      {count_field("launches", "launches", "Of the work below it"), &R::launches},
      {time_field("total_ns", "total", "Of the work below it"), &R::total_ns},
      {real_field("flop", "FLOP", kFlop, "Of the work below it, where it is known").or_null(),
       [](const L& l) { return if_any(l.row.flop); }},
      {real_field("bytes", "bytes", kBytes, "Of the work below it, where they are known").or_null(),
       [](const L& l) { return if_any(l.row.bytes); }},
      {count_field("id", "id", "The node").extra(), [](const L& l) { return l.id; }},
      {count_field("depth", "depth", "How many nodes are above it").extra(), [](const L& l) { return l.depth; }},
      {text_field("capture", "capture", "Which capture it is of").extra(), [](const L& l) { return l.capture_name; }},
      {real_field("share", "% of work", kPercent, "Of the time of all work on the devices").or_null().extra(),
       [](const L& l) { return l.all_ns == 0 ? std::nullopt : std::optional(percent_of(l.row.total_ns, l.all_ns)); }},
      {text_field("label", "name", "Below what is above it").extra(),
       [](const L& l) {
         return std::string(2 * static_cast<std::size_t>(l.depth), ' ') +
                std::string(frame_name(l.row, l.capture.strings));
       }},
  };
}

Fields<SequenceLine> sequence_fields() {
  using L = SequenceLine;
  using R = KernelSequence;
  return {
      {FieldInfo{"kernels", "kernels", FieldKind::kTexts, "Their names, in order"},
       [](const L& l) {
         Texts names;
         for (const StringId name : l.row.names) names.push_back(l.capture.strings.get(name));
         return names;
       }},
      {count_field("count", "count", "How often they follow one another"), &R::count},
      {time_field("total_ns", "total", "Of the kernels"), &R::total_ns},
      {time_field("between_ns", "between",
                  "Between the kernels, where nothing of the stream ran: what one kernel would save at least"),
       &R::between_ns},
      {time_field("longest_ns", "longest", "Of the occurrence that took longest, as a whole"), &R::longest_ns},
      {FieldInfo{"fusion_candidate", "candidate", FieldKind::kFlag,
                 "For fusion: no product, convolution or attention is among them"},
       &R::is_candidate},
      {text_field("capture", "capture", "Which capture it is of").extra(), [](const L& l) { return l.capture_name; }},
      {time_field("time_ns", "time", "Of the kernels, and between them").extra(),
       [](const L& l) { return l.row.total_ns + l.row.between_ns; }},
  };
}

Fields<PathLine> path_fields() {
  using L = PathLine;
  using R = PathShare;
  return {
      {text_field(
           "kind", "of",
           "A device's work; between kernels: waiting from the end of one of the path's kernels to the start of the "
           "next, however long; a launch, from the call to the start; or the host")
           .one_of(kPathKindNames),
       [](const L& l) { return path_kind_name(l.row.kind); }},
      {text_field("name", "name", "Null between kernels, and where nothing is recorded").or_null(),
       [](const L& l) { return text_or_none(l.row.name); }},
      {count_field("parts", "parts", "How many of the path's parts"), &R::parts},
      {time_field("total_ns", "time", "Nanoseconds of all its parts"), &R::total_ns},
      {real_field("percent", "% of path", kPercent, "Of the time of the whole path"),
       [](const L& l) { return l.path_ns == 0 ? 0 : percent_of(l.row.total_ns, l.path_ns); }},
      {time_field("longest_ns", "longest", "Of the longest part"),
       [](const L& l) { return l.row.longest.to_ns - l.row.longest.from_ns; }},
      {number_field("rank", "rank", "Of a distributed job").extra(),
       [](const L& l) { return system_number(l.rank, l.capture.strings); }},
      {text_field("label", "name").extra(),
       [](const L& l) { return l.row.name.empty() ? without_name(l.row.kind) : std::string_view(l.row.name); }},
  };
}

}  // namespace vizd

#include "reference/tinygrad/rewrite_stream.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/json_writer.h"
#include "reference/tinygrad/viewer.h"
#include "rewrite/match_detail.h"
#include "rewrite/unified_diff.h"

namespace vizd {

ReferenceStream::ReferenceStream(const Capture& capture, const Pass& pass, SourceLine source_line)
    : capture_(capture),
      pass_(pass),
      source_line_(std::move(source_line)),
      replay_(capture, pass),
      labels_(*capture.dialect, replay_.graph()),
      capture_analysis_(capture.dialect->analyse(capture.ops)),
      sends_hidden_(capture.dialect->sends_hidden_ops()),
      is_newer_(reference_viewer(capture) != ReferenceViewer::k2025_09) {}

bool ReferenceStream::next(std::string& out) {
  if (std::exchange(begun_, true)) {
    if (replay_.at_end() || (sends_hidden_ && replay_.error() != nullptr)) return false;
    replay_.advance();
  }
  labels_.update();
  out += "{\"graph\": {";
  append_graph(out);
  out += "}, \"uop\": ";
  append_json_string(out, labels_.analysis().print(replay_.graph().root()));
  if (replay_.state() == 0) {
    fmt::format_to(std::back_inserter(out), ", \"{}\": null, \"diff\": null, \"upat\": null}}", changed_key());
  } else {
    append_match(out, capture_.rewrites.matches_of(pass_)[replay_.state() - 1]);
    out += '}';
  }
  return true;
}

void ReferenceStream::append_graph(std::string& out) {
  bool first = true;
  for (const OpId id : toposort(replay_.graph().ops(), replay_.graph().root())) {
    if (!is_sent(id)) continue;
    if (!std::exchange(first, false)) out += ", ";
    append_node(out, id);
  }
}

void ReferenceStream::append_node(std::string& out, OpId id) {
  const Op op = replay_.graph().ops().op(id);
  fmt::format_to(std::back_inserter(out), "\"{}\": {{\"label\": ", index(id));
  append_label(out, labels_.label(id));
  out += ", \"src\": [";
  bool first = true;
  for (std::size_t port = 0; port < op.src.size(); ++port) {
    if (!is_sent(op.src[port])) continue;
    fmt::format_to(std::back_inserter(out), "{}[{}, {}]", std::exchange(first, false) ? "" : ", ", port,
                   index(op.src[port]));
  }
  out += "], \"color\": ";
  append_json_string(out, capture_.dialect->kind_colour(op.kind));
  const std::optional<ContextId> ref = labels_.analysis().ref(id);
  fmt::format_to(std::back_inserter(out), ", \"ref\": {}, \"tag\": ", ref ? std::to_string(index(*ref)) : "null");
  const std::optional<std::string> tag = labels_.analysis().tag(id);
  if (tag) append_json_string(out, *tag);
  if (!tag) out += "null";
  if (sends_hidden_) {
    const auto memory = labels_.analysis().memory_colour(id);
    fmt::format_to(std::back_inserter(out), ", \"exclude\": {}, \"addrspace\": ", labels_.is_inlined(id));
    if (memory) append_json_string(out, *memory);
    if (!memory) out += "null";
  }
  out += '}';
}

void ReferenceStream::append_label(std::string& out, LabelId id) {
  if (index(id) >= label_json_.size()) label_json_.resize(index(id) + 1);
  std::string& json = label_json_[index(id)];
  if (json.empty()) append_json_string(json, labels_.analysis().label_text(id));
  out += json;
}

void ReferenceStream::append_match(std::string& out, const Match& match) {
  const LiveGraph& graph = replay_.graph();
  fmt::format_to(std::back_inserter(out), ", \"{}\": [", changed_key());
  bool first = true;
  for (const OpId op : ops_put(capture_, pass_, match)) {
    const OpId live = graph.find(op);
    if (live == OpId{kNoId} || !graph.is_linked(live) || !is_sent(live)) continue;
    fmt::format_to(std::back_inserter(out), "{}{}", std::exchange(first, false) ? "" : ", ", index(live));
  }
  out += "], \"diff\": [";
  first = true;
  for (const std::string& line :
       unified_diff(capture_analysis_->print(match.before), capture_analysis_->print(match.after))) {
    if (!std::exchange(first, false)) out += ", ";
    append_json_string(out, line);
  }
  const Location& rule = capture_.rewrites.locations[index(match.rule)];
  const std::string_view file = capture_.strings.get(rule.file);
  out += "], \"upat\": [[";
  append_json_string(out, file);
  fmt::format_to(std::back_inserter(out), ", {}], ", rule.line);
  const std::string line = source_line_(rule).value_or("<missing>");
  append_json_string(out, is_newer_ ? fmt::format("# {:.2f} us\n{}", match.dur_s * 1e6, line) : line);
  out += ']';
}

}  // namespace vizd

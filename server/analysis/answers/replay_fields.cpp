// Fields of graph replays: how kernels were named, graphs, replays, nodes, the server's steps, layers and places.
#include "analysis/answers/field_values.h"
#include "analysis/answers/replay_answers.h"

namespace vizd {
namespace {

using enum Unit;

constexpr std::string_view kPlaceStates[] = {"added", "removed", "both"};
constexpr std::string_view kWorkClasses[] = {"kernel", "memcpy", "memset"};

FieldInfo record_field() { return text_field("record", "record", "Which kind of row it is"); }

template <typename Row>
auto record_of(std::string_view name) {
  return [name](const ReplayLine<Row>&) { return name; };
}

// A system's number, of a row's member.
template <typename Row>
auto number_of(FileValue Row::*value) {
  return [value](const ReplayLine<Row>& l) { return system_number(l.row.*value, l.replays.capture.strings); };
}

template <typename Row>
void add_found(Fields<ReplayLine<Row>>& fields) {
  using L = ReplayLine<Row>;
  fields.insert(
      fields.end(),
      {{count_field("id", "by id", "Pieces of work that an annotation of their node names"),
        [](const L& l) { return l.row.found.id; }},
       {count_field("order", "by order", "Pieces of work that are sure to be one captured launch, by order and name"),
        [](const L& l) { return l.row.found.order; }},
       {count_field("guessed", "guessed", "Pieces of work whose captured launch is a guess"),
        [](const L& l) { return l.row.found.guessed; }},
       {count_field("none", "unnamed", "Pieces of work that no capture names"),
        [](const L& l) { return l.row.found.none; }}});
}

FieldInfo capture_field() {
  return text_field("capture", "capture", "The file whose capture it is of, or self for the trace's own").or_null();
}
FieldInfo range_field() {
  return count_field("range", "range", "Which capture of the file and its label, from 0").or_null();
}
FieldInfo fit_field() {
  return real_field("fit", "fit", kRatio, "How much of the capture and the replay is alike, of the longer one")
      .or_null();
}

Texts texts_of(const GraphReplays& replays, const std::vector<StringId>& ids) {
  Texts texts;
  for (const StringId id : ids) texts.push_back(replays.text(id));
  return texts;
}

using NodeLine = ReplayLine<NodeRow>;

auto said_text(StringId SaidOfWork::*text) {
  return [text](const NodeLine& l) {
    const StringId id = l.row.said->*text;
    return id == kNoText ? std::nullopt : std::optional(l.replays.text(id));
  };
}

auto said_texts(const std::vector<StringId>* SaidOfWork::*texts) {
  return [texts](const NodeLine& l) {
    const auto* const ids = l.row.said->*texts;
    return ids == nullptr ? FieldValue() : FieldValue(texts_of(l.replays, *ids));
  };
}

auto duration(auto LaunchStatistics::*member) {
  return [member](const NodeLine& l) { return l.row.durations.*member; };
}

using StepLine = ReplayLine<StepRow>;

auto told(StepCount StepName::*count) {
  return [count](const StepLine& l) { return l.row.says->*count; };
}
auto told(StepShare StepName::*share, StepCount StepShare::*count) {
  return [share, count](const StepLine& l) { return l.row.says->*share.*count; };
}

FieldInfo told_field(std::string_view name, std::string_view title, std::string_view about = {}) {
  return count_field(name, title, about).or_null();
}

FieldInfo phase_field(std::string_view about) {
  return text_field("phase", "phase", about).one_of(kStepPhaseNames).or_null();
}

template <typename R>
Fields<ReplayLine<R>> fields_of_layers() {
  return {
      {phase_field("Of the steps; null: work of no step"), &R::phase},
      {text_field("layer", "layer", "The layer or block of the model").or_null(), &R::layer},
      {count_field("layer_index", "number", "The layer's").or_null(), &R::layer_index},
      {count_field("piece", "piece", "Which compiled piece of the model, from 0").or_null(), &R::piece},
      {count_field("work", "work", "Pieces of work"), &R::work},
      {time_field("total_ns", "total", "Their durations, added up"), &R::total_ns},
      {count_field("steps", "steps", "Of that phase"), &R::steps},
      {amount_field("per_step_ns", "per step", kNanoseconds, "Total by steps").or_null(), &R::per_step_ns},
      {amount_field("percent", "% of phase", kPercent, "Of the work of that phase").or_null(), &R::percent},
  };
}

}  // namespace

Fields<ReplayLine<NamingRow>> naming_fields() {
  using L = ReplayLine<NamingRow>;
  using R = NamingRow;
  Fields<L> fields = {
      {record_field(), record_of<R>("naming")},
      {count_field("kernels", "kernels", "Kernels of the trace"), &R::kernels},
      {count_field("in_replays", "in replays", "Kernels that a graph's launch started"), &R::in_replays},
  };
  add_found(fields);
  fields.insert(
      fields.end(),
      {{count_field("own_operator", "own operator", "Other kernels, with an operator of their own"), &R::own_operator},
       {count_field("own_stack", "own stack", "Other kernels, with Python's frames around their call alone"),
        &R::own_stack},
       {count_field("own_none", "own none", "Other kernels, of which nothing is told"), &R::own_none}});
  return fields;
}

Fields<ReplayLine<GraphRow>> graph_fields() {
  using L = ReplayLine<GraphRow>;
  using R = GraphRow;
  Fields<L> fields = {
      {record_field(), record_of<R>("graph")},
      {count_field("graph", "graph", "Its number, from 0"), &R::graph},
      {number_field("device", "device", "What the system calls it, or its name"), number_of<R>(&R::device)},
      {count_field("graph_id", "graph id", "The driver's, where the trace has it").or_null(), &R::graph_id},
      {count_field("replays", "replays", "How often it ran"), &R::replays},
      {count_field("nodes", "nodes", "Different pieces of work in it"), &R::nodes},
      {count_field("streams", "streams", "Streams that it ran on"), &R::streams},
      {capture_field(), [](const L& l) { return l.row.capture.file; }},
      {range_field(), [](const L& l) { return l.row.capture.range; }},
      {count_field("size", "size", "Tokens or requests that it was captured for").or_null(),
       [](const L& l) { return l.row.capture.size; }},
      {text_field("mode", "mode", "The capture's word for it: FULL, PIECEWISE, …").or_null(),
       [](const L& l) { return l.row.capture.mode; }},
      {count_field("candidates", "candidates", "Captures that fit its first replay equally well"), &R::candidates},
      {fit_field(), [](const L& l) { return l.row.capture.fit; }},
  };
  add_found(fields);
  return fields;
}

Fields<ReplayLine<ReplayRow>> replay_fields() {
  using L = ReplayLine<ReplayRow>;
  using R = ReplayRow;
  Fields<L> fields = {
      {count_field("replay", "replay", "Its number, from 0, by the start of its first work"), &R::replay},
      {count_field("graph", "graph", "The graph's number"), &R::graph},
      {number_field("device", "device", "What the system calls it, or its name"), number_of<R>(&R::device)},
      {number_field("correlation", "correlation", "What ties its work to its launch"), number_of<R>(&R::correlation)},
      {text_field("launch", "launch", "The host's call; null where the trace lacks it").or_null(), &R::launch},
      {time_field("launch_start_ns", "launched", "When the call began, on the file's own clock").or_null(),
       &R::launch_start_ns},
      {time_field("launch_ns", "launch took", "How long the call took").or_null(), &R::launch_ns},
      {time_field("start_ns", "start", "When its first work began"), &R::start_ns},
      {time_field("end_ns", "end", "When its last work ended"), &R::end_ns},
      {time_field("span_ns", "span", "From its first work to the end of its last"), &R::span_ns},
      {time_field("busy_ns", "busy", "Time in which any of its work ran"), &R::busy_ns},
      {time_field("idle_ns", "idle", "Time in which none of it ran, as far as that was recorded"), &R::idle_ns},
      {time_field(
           "not_recorded_ns", "not recorded",
           "Of that: from the work before to the work after lost records, which is not idleness; null where none "
           "is missing")
           .or_null(),
       &R::not_recorded_ns},
      {time_field("total_ns", "total", "Its work's durations, added up"), &R::total_ns},
      {time_field("launch_to_start_ns", "launch to start", "From the start of the call to its first work").or_null(),
       &R::launch_to_start_ns},
      {time_field("gap_before_ns", "gap before", "From the end of all earlier work of the device to its first")
           .or_null(),
       &R::gap_before_ns},
      {count_field("work", "work", "Pieces of work"), &R::work},
      {count_field("kernels", "kernels", "Pieces of work that are kernels"), &R::kernels},
      {count_field("streams", "streams", "Streams that it ran on"), &R::streams},
      {count_field("step", "step", "The server's step that launched it").or_null(), &R::step},
      {capture_field(), [](const L& l) { return l.row.capture.file; }},
      {range_field(), [](const L& l) { return l.row.capture.range; }},
      {fit_field(), [](const L& l) { return l.row.capture.fit; }},
      {count_field("missing", "missing", "Captured launches of which there is no work: lost by the profiler").or_null(),
       &R::missing},
  };
  add_found(fields);
  return fields;
}

Fields<NodeLine> node_fields() {
  using R = NodeRow;
  return {
      {count_field("graph", "graph", "The graph's number"), &R::graph},
      {count_field("node", "node", "Its number in the graph, in the order of capture"), &R::node},
      {count_field("node_id", "node id", "The driver's: the graph's id times 2^32, and its own").or_null(),
       &R::node_id},
      {text_field("class", "class", "A kernel, or a copy or setting of memory").one_of(kWorkClasses),
       [](const NodeLine& l) {
         return kWorkClasses[l.row.kind == EventRole::kMemcpy ? 1 : l.row.kind == EventRole::kMemset ? 2 : 0];
       }},
      {text_field("name", "name", "Its name in its first replay"), &R::name},
      {number_field("stream", "stream", "What the system calls it"), number_of<R>(&R::stream)},
      {text_field("found", "found", "How it was named: the surest over its replays").one_of(kFoundNames),
       [](const NodeLine& l) { return found_name(l.row.found); }},
      {text_field("label", "label", "The name that an annotation has for it").or_null(), said_text(&SaidOfWork::label)},
      {count_field("launch_index", "launch", "Which captured launch it is, from 0").or_null(), &R::launch_index},
      {text_field("operator", "operator", "The innermost around its captured launch").or_null(),
       said_text(&SaidOfWork::operator_name)},
      {FieldInfo{"operators", "operators", FieldKind::kTexts, "Those around its captured launch, the outermost first"}
           .or_null(),
       said_texts(&SaidOfWork::operators)},
      {text_field("module", "module", "The modules around its captured launch, or the annotation's").or_null(),
       said_text(&SaidOfWork::module)},
      {text_field("layer", "layer", "The layer or block among them").or_null(), said_text(&SaidOfWork::layer)},
      {count_field("layer_index", "layer", "The layer's number").or_null(),
       [](const NodeLine& l) { return l.row.said->layer_index; }},
      {count_field("piece", "piece", "Which compiled piece of the model, from 0").or_null(),
       [](const NodeLine& l) { return l.row.said->piece; }},
      {FieldInfo{"stack", "stack", FieldKind::kTexts, "Python's frames around its captured launch, the outermost first"}
           .or_null(),
       said_texts(&SaidOfWork::stack)},
      {count_field("count", "replays", "How often it ran"), duration(&LaunchStatistics::launches)},
      {time_field("total_ns", "total", "In all replays"), duration(&LaunchStatistics::total_ns)},
      {amount_field("mean_ns", "mean", kNanoseconds, "Of a replay"), duration(&LaunchStatistics::mean_ns)},
      {amount_field("median_ns", "median", kNanoseconds, "Of the middle replay; the mean of the middle two"),
       duration(&LaunchStatistics::median_ns)},
      {time_field("p99_ns", "p99", "In 99 of 100 replays it takes no longer"), duration(&LaunchStatistics::p99_ns)},
      {time_field("min_ns", "min", "In its shortest replay"), duration(&LaunchStatistics::min_ns)},
      {time_field("max_ns", "max", "In its longest"), duration(&LaunchStatistics::max_ns)},
      {count_field("slowest_replay", "slowest", "The replay in which it took longest; the first of equals"),
       &R::slowest_replay},
      {amount_field("flop", "FLOP", kFlop, "A replay's: its share of the captured operator's").or_null(), &R::flop},
      {amount_field("bytes", "bytes", kBytes, "A replay's: its share of the captured operator's").or_null(), &R::bytes},
  };
}

void write_captured_inputs(JsonWriter& json, const NodeLine& line) {
  const auto write = [&](std::string_view name, StringId inputs) {
    json.key(name);
    inputs == kNoText ? json.null() : json.raw(line.replays.text(inputs));
  };
  write("input_dims", line.row.said->input_dims);
  write("input_types", line.row.said->input_types);
}

Fields<StepLine> step_fields() {
  using R = StepRow;
  using N = StepName;
  using S = StepShare;
  return {
      {record_field(), record_of<R>("step")},
      {count_field("step", "step", "Its number, from 0"), &R::step},
      {text_field("name", "name", "As the server spells it"), &R::name},
      {number_field("pid", "process", "The host's process"), number_of<R>(&R::process)},
      {number_field("tid", "thread", "The host's thread"), number_of<R>(&R::thread)},
      {text_field("spelling", "spelled as", "Whose way to name steps it is: SGLang takes vLLM's where it tells sums"),
       [](const StepLine& l) { return l.row.says->spelling; }},
      {phase_field("What the server did in it"),
       [](const StepLine& l) {
         const auto& phase = l.row.says->phase;
         return phase ? std::optional(step_phase_name(*phase)) : std::nullopt;
       }},
      {told_field("requests", "requests", "That it serves"), told(&N::requests)},
      {told_field("padded", "padded", "Requests that its graph is for"), told(&N::padded)},
      {told_field("tokens", "tokens", "New tokens of all requests"), told(&N::tokens)},
      {told_field("context_requests", "prefills", "Requests in prefill"), told(&N::context, &S::requests)},
      {told_field("context_tokens", "prefill tokens", "Their new tokens"), told(&N::context, &S::tokens)},
      {told_field("context_kv", "prefill KV", "Their tokens in the cache"), told(&N::context, &S::kv)},
      {told_field("context_sqsq", "prefill N_Q²", "New tokens squared, added up"), told(&N::context, &S::sqsq)},
      {told_field("context_sqsk", "prefill N_Q N_KV", "New tokens by those in the cache, added up"),
       told(&N::context, &S::sqsk)},
      {told_field("generation_requests", "decodes", "Requests in decode"), told(&N::generation, &S::requests)},
      {told_field("generation_tokens", "decode tokens", "Their new tokens"), told(&N::generation, &S::tokens)},
      {told_field("generation_kv", "decode KV", "Their tokens in the cache"), told(&N::generation, &S::kv)},
      {told_field("generation_sqsq", "decode N_Q²", "New tokens squared, added up"), told(&N::generation, &S::sqsq)},
      {told_field("generation_sqsk", "decode N_Q N_KV", "New tokens by those in the cache, added up"),
       told(&N::generation, &S::sqsk)},
      {told_field("draft_tokens", "draft tokens", "Of speculation"), told(&N::draft_tokens)},
      {time_field("start_ns", "start", "When the host began it, on the file's own clock"), &R::start_ns},
      {time_field("host_ns", "host", "How long the host took"), &R::host_ns},
      {count_field("replays", "replays", "Of graphs"), &R::replays},
      {count_field("work", "work", "Pieces of work that it launched"), &R::work},
      {count_field("kernels", "kernels", "Kernels among them"), &R::kernels},
      {time_field("device_start_ns", "device start", "When its first work began").or_null(), &R::device_start_ns},
      {time_field("device_end_ns", "device end", "When its last work ended").or_null(), &R::device_end_ns},
      {time_field("device_span_ns", "span", "From its first work to the end of its last").or_null(),
       &R::device_span_ns},
      {time_field("busy_ns", "busy", "Time in which any of its work ran").or_null(), &R::busy_ns},
      {time_field("total_ns", "total", "Its work's durations, added up"), &R::total_ns},
      {time_field("replay_total_ns", "in replays", "Those of its replays' work"), &R::replay_total_ns},
      {time_field("period_ns", "period", "From its first work to that of the next step; of the last its span")
           .or_null(),
       &R::period_ns},
      {real_field("tokens_per_s", "tokens/s", kNone, "Tokens by period").or_null(), &R::tokens_per_s},
  };
}

Fields<ReplayLine<SteadyRow>> steady_fields() {
  using R = SteadyRow;
  return {
      {record_field(), record_of<R>("steady")},
      {count_field("first_step", "first step", "Of the steady window"), &R::first_step},
      {count_field("last_step", "last step", "Of the steady window"), &R::last_step},
      {count_field("steps", "steps", "That serve requests"), &R::steps},
      {count_field("requests_max", "most requests", "Of any step"), &R::requests_max},
      {count_field("prefill", "prefill", "Steps of that phase"), &R::prefill},
      {count_field("decode", "decode", "Steps of that phase"), &R::decode},
      {count_field("mixed", "mixed", "Steps of that phase"), &R::mixed},
      {count_field("verify", "verify", "Steps of that phase"), &R::verify},
      {count_field("tokens", "tokens", "Of all its steps").or_null(), &R::tokens},
      {time_field("span_ns", "span", "Of the device").or_null(), &R::span_ns},
      {real_field("tokens_per_s", "tokens/s", kNone, "Tokens by span").or_null(), &R::tokens_per_s},
      {amount_field("decode_period_median_ns", "decode period", kNanoseconds, "Of the middle decode step").or_null(),
       &R::decode_period_median_ns},
  };
}

Fields<ReplayLine<LayerRow>> layer_fields() { return fields_of_layers<LayerRow>(); }

Fields<ReplayLine<LayerKindRow>> layer_kind_fields() {
  using L = ReplayLine<LayerKindRow>;
  Fields<L> fields = fields_of_layers<LayerKindRow>();
  fields.push_back({text_field("kind", "kind", "What its modules, operators or kernels are for, by their names")
                        .one_of(kModuleKindNames),
                    [](const L& l) { return module_kind_name(l.row.kind); }});
  return fields;
}

Fields<PlaceLine> place_fields() {
  using R = PlaceRow;
  return {
      {phase_field("Of the steps"), &R::phase},
      {count_field("layer_index", "layer", "The layer's number").or_null(), &R::layer_index},
      {count_field("piece", "piece", "Which compiled piece of the model, from 0").or_null(), &R::piece},
      {text_field("operator", "operator", "The innermost around the launch").or_null(), &R::operator_name},
      {count_field("n", "n", "How many such are before it in its step"), &R::n},
      {text_field("a_name", "A name", "Of the first in A").or_null(), &R::a_name},
      {text_field("b_name", "B name", "Of the first in B").or_null(), &R::b_name},
      {count_field("a_count", "A count", "How often A has it"), &R::a_count},
      {count_field("b_count", "B count", "How often B has it"), &R::b_count},
      {amount_field("a_mean_ns", "A mean", kNanoseconds, "Of a time in A").or_null(), &R::a_mean_ns},
      {amount_field("b_mean_ns", "B mean", kNanoseconds, "Of a time in B").or_null(), &R::b_mean_ns},
      {amount_field("delta_ns", "change", kMoreNanoseconds, "B's mean less A's").or_null(), &R::delta_ns},
      {text_field("state", "state", "Whether it was added, removed, or is in both").one_of(kPlaceStates), &R::state},
      {FieldInfo{"same_name", "same name", FieldKind::kFlag, "Whether the first of both have one name"},
       [](const PlaceLine& l) { return l.row.a_name == l.row.b_name; }},
  };
}

}  // namespace vizd

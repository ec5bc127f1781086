// GET /api/v1/graph-replays, /api/v1/graph-nodes, /api/v1/server-steps, /api/v1/model-layers, /api/v1/replay-lanes and
// /api/v1/kernel-naming/LANE/INDEX: replays of graphs, their nodes, the steps that launched them, the layers that they
// are of, all of that as lanes, and what names one kernel.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/answers/answer_json.h"
#include "analysis/answers/replay_answers.h"
#include "analysis/graph_replay/replay_gaps.h"
#include "http/routes/replay_answer.h"
#include "http/transport/query.h"
#include "timeline/lanes_json.h"

namespace vizd {
namespace {

// A node's times over its replays are drawn no finer; of more runs those that took longest are listed.
constexpr std::size_t kTraceParts = 48, kMostRuns = 2000;

template <typename Row>
void write_answer_rows(JsonWriter& json, std::string_view key, const GraphReplays& replays,
                       const Fields<ReplayLine<Row>>& fields, const std::vector<Row>& rows) {
  json.column(key, rows, [&](JsonWriter& j, const Row& row) { write_row(j, fields, {replays, row}); });
}

void write_page_span(JsonWriter& json, const GraphReplays& replays, std::int64_t from_ns, std::int64_t to_ns) {
  json.key("from_ns").number(page_ns(replays, from_ns)).key("to_ns").number(page_ns(replays, to_ns));
}

void write_replay_gap(JsonWriter& json, const ReplayGap& gap) {
  json.key("gap").begin_object().key("launch_ns").number(gap.launch_ns).key("host_ns").number(gap.host_ns);
  json.key("no_step_ns").number(gap.no_step_ns).key("unknown_ns").number(gap.unknown_ns).end_object();
}

void write_replays(JsonWriter& json, const LookedAt& at, const EventLinks& links) {
  const auto& [replays, place, chosen] = at;
  const std::vector<std::string> unused = unused_sources(replays);
  json.column("unused", unused, [](JsonWriter& j, const std::string& line) { j.text(line); });
  const NamingRow naming = naming_row(replays, chosen);
  json.key("naming");
  write_row(json, naming_fields(), ReplayLine<NamingRow>{replays, naming});
  write_answer_rows(json, "graphs", replays, graph_fields(), graph_rows(replays, chosen));
  const std::vector<ReplayRow> rows = replay_rows(replays, chosen);
  const std::vector<ReplayGap> gaps = replay_gaps(replays, rows);
  const std::int64_t offset_ns = file_offset_ns(replays);
  std::size_t next = 0;
  json.column("replays", rows, [&, fields = replay_fields()](JsonWriter& j, const ReplayRow& row) {
    write_row(j, fields, {replays, row}, [&](JsonWriter& more) {
      write_page_span(more, replays, row.start_ns - offset_ns, row.end_ns - offset_ns);
      write_replay_gap(more, gaps[next++]);
      more.key("first");
      links.write(more, replays.item(replays.replays[static_cast<std::size_t>(row.replay)].first));
    });
  });
}

// A node's runs, in the order of their replays.
using Runs = std::vector<std::uint32_t>;

std::vector<Runs> runs_of(const LookedAt& at, std::uint32_t graph) {
  std::vector<Runs> runs(at.replays.graphs[graph].nodes);
  for (const std::uint32_t r : at.replays.graphs[graph].replays) {
    for (const std::uint32_t i : at.replays.replays[r].items) {
      if (at.chosen.has_work(at.replays, i)) runs[at.replays.work[i].node].push_back(i);
    }
  }
  return runs;
}

std::int64_t dur_ns(const GraphReplays& replays, std::uint32_t i) {
  return replays.item(i).end_ns - replays.item(i).start_ns;
}

// The longest of each of so many equal parts of its runs.
void write_trace(JsonWriter& json, const GraphReplays& replays, const Runs& runs) {
  const std::size_t parts = std::min(runs.size(), kTraceParts);
  json.key("trace").begin_array();
  for (std::size_t p = 0; p < parts; ++p) {
    std::int64_t longest_ns = 0;
    for (std::size_t k = p * runs.size() / parts; k < (p + 1) * runs.size() / parts; ++k)
      longest_ns = std::max(longest_ns, dur_ns(replays, runs[k]));
    json.number(longest_ns);
  }
  json.end_array();
}

void write_nodes(JsonWriter& json, const LookedAt& at, const EventLinks& links) {
  const GraphReplays& replays = at.replays;
  std::vector<std::vector<Runs>> runs;
  for (std::uint32_t g = 0; g < replays.graphs.size(); ++g) runs.push_back(runs_of(at, g));
  ModuleKinds kinds(replays);
  // What surrounded the captured launch is told of one kernel at a time: it is long.
  Fields<ReplayLine<NodeRow>> fields = node_fields();
  std::erase_if(fields, [](const auto& field) { return field.info.name == "operators" || field.info.name == "stack"; });
  json.column("rows", node_rows(replays, at.chosen), [&](JsonWriter& j, const NodeRow& row) {
    const Runs& of_node = runs[static_cast<std::size_t>(row.graph)][static_cast<std::size_t>(row.node)];
    const auto slowest = std::ranges::max_element(of_node, {}, [&](std::uint32_t i) { return dur_ns(replays, i); });
    write_row(j, fields, {replays, row}, [&](JsonWriter& more) {
      write_captured_inputs(more, {replays, row});
      more.key("kind").text(module_kind_name(kinds.of(*row.said, of_node.front())));
      write_trace(more, replays, of_node);
      const WorkItem& worst = replays.item(*slowest);
      more.key("worst");
      links.write(more, worst);
      more.key("worst_place").begin_array().number(worst.track).number(worst.event).end_array();
    });
  });
}

void write_server_steps(JsonWriter& json, const LookedAt& at, const EventLinks&) {
  const GraphReplays& replays = at.replays;
  const std::vector<StepRow> all = step_rows(replays);
  const std::int64_t offset_ns = file_offset_ns(replays);
  std::vector<StepRow> rows;
  for (const StepRow& row : all) {
    if (at.chosen.has(static_cast<std::uint32_t>(row.step))) rows.push_back(row);
  }
  const std::vector<ReplayRow> replay = replay_rows(replays, at.chosen);
  const std::vector<ReplayGap> gaps = replay_gaps(replays, replay);
  std::vector<ReplayGap> by_step(replays.steps.size());
  ReplayGap in_all;
  for (std::size_t k = 0; k < replay.size(); ++k) {
    in_all.add(gaps[k]);
    if (replay[k].step) by_step[static_cast<std::size_t>(*replay[k].step)].add(gaps[k]);
  }
  json.column("rows", rows, [&, fields = step_fields()](JsonWriter& j, const StepRow& row) {
    write_row(j, fields, {replays, row}, [&](JsonWriter& more) {
      // On the device, where it did anything there.
      const std::int64_t from_ns = row.device_start_ns.value_or(row.start_ns) - offset_ns;
      const std::int64_t to_ns = row.device_end_ns ? *row.device_end_ns - offset_ns : from_ns + row.host_ns;
      write_page_span(more, replays, from_ns, to_ns);
      write_replay_gap(more, by_step[static_cast<std::size_t>(row.step)]);
    });
  });
  write_replay_gap(json, in_all);
  const auto steady = steady_row(rows);
  json.key("steady");
  if (!steady) return void(json.null());
  write_row(json, steady_fields(), ReplayLine<SteadyRow>{replays, *steady}, [&](JsonWriter& more) {
    const auto time_of = [&](std::int64_t step, const auto& time_ns, const auto& other_ns) {
      const StepRow& row = all[static_cast<std::size_t>(step)];
      return time_ns(row).value_or(other_ns(row)) - offset_ns;
    };
    write_page_span(more, replays,
                    time_of(
                        steady->first_step, [](const StepRow& r) { return r.device_start_ns; },
                        [](const StepRow& r) { return r.start_ns; }),
                    time_of(
                        steady->last_step, [](const StepRow& r) { return r.device_end_ns; },
                        [](const StepRow& r) { return r.start_ns + r.host_ns; }));
  });
}

void write_layers(JsonWriter& json, const LookedAt& at, const EventLinks&) {
  write_answer_rows(json, "rows", at.replays, layer_kind_fields(), layer_kind_rows(at.replays, at.chosen));
}

// Where a piece of work is among those of all ranks.
struct WorkPlace {
  std::size_t rank;
  std::uint32_t i;
};

std::optional<WorkPlace> find_work(const std::vector<GraphReplays>& ranks, std::uint32_t track, std::uint32_t event) {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    for (std::uint32_t i = 0; i < ranks[rank].work.size(); ++i) {
      const WorkItem& item = ranks[rank].item(i);
      if (item.track == track && item.event == event) return WorkPlace{rank, i};
    }
  }
  return std::nullopt;
}

// Why it is named as it is, for people.
std::string why_found(const GraphReplays& replays, const NamedWork& work) {
  const GraphReplay& replay = replays.replays[work.replay];
  if (work.found == Found::kId) return "an annotation or a capture names its node";
  if (replay.ranges.empty())
    return replays.sources->ranges.empty() ? "the capture of this graph is missing" : "no capture matches this replay";
  const CapturedRange& range = replays.sources->ranges[replay.ranges.front()];
  const std::string counts = fmt::format("the capture has {} launches, the replay {} pieces of work",
                                         range.launches.size(), replay.items.size());
  switch (work.found) {
    case Found::kOrder:
      return "its place and its name are those of one captured launch in every alignment";
    case Found::kGuessed:
      if (replay.is_by_order) return "by order only: " + counts;
      if (!replay.fit.is_good()) return fmt::format("{} of {} fit; {}", replay.fit.alike, replay.fit.of, counts);
      if (work.launch != kNoId && range.launches[work.launch].is_unnamed())
        return "the captured launch has no name: by kind and order; " + counts;
      return "several alignments match equally well; " + counts;
    default:
      return "no captured launch matches it; " + counts;
  }
}

// The same node's run in another replay; null where that has none.
void write_run(JsonWriter& json, std::string_view key, const GraphReplays& replays, std::optional<std::uint32_t> i,
               const EventLinks& links) {
  json.key(key);
  i ? links.write(json, replays.item(*i)) : static_cast<void>(json.null());
}

void write_said_texts(JsonWriter& json, std::string_view key, const GraphReplays& replays,
                      const std::vector<StringId>* texts) {
  json.key(key);
  if (texts == nullptr) return void(json.null());
  json.begin_array();
  for (const StringId text : *texts) json.text(replays.text(text));
  json.end_array();
}

void write_said(JsonWriter& json, const GraphReplays& replays, const NamedWork& work) {
  const SaidOfWork& said = replays.said_of(work);
  const auto write = [&](std::string_view key, StringId text) {
    json.key(key);
    text == kNoText ? json.null() : json.text(replays.text(text));
  };
  const auto write_number = [&](std::string_view key, const std::optional<std::int64_t>& number) {
    json.key(key);
    number ? json.number(*number) : json.null();
  };
  write("label", said.label), write("operator", said.operator_name), write("module", said.module);
  write("layer", said.layer), write("input_dims", said.input_dims), write("input_types", said.input_types);
  write_number("layer_index", said.layer_index), write_number("piece", said.piece);
  write_said_texts(json, "operators", replays, said.operators);
  write_said_texts(json, "stack", replays, said.stack);
}

void write_step_of(JsonWriter& json, const GraphReplays& replays, std::uint32_t step) {
  json.key("step");
  if (step == kNoId) return void(json.null());
  const ServerStep& of = replays.steps[step];
  json.begin_object().key("step").number(step).key("name").text(replays.capture.strings.get(of.name)).key("phase");
  of.says.phase ? json.text(step_phase_name(*of.says.phase)) : json.null();
  json.end_object();
}

// The runs of its node before and after it, the slowest, and how long each took.
void write_same_node(JsonWriter& json, const GraphReplays& replays, std::uint32_t i, const EventLinks& links) {
  const NamedWork& work = replays.work[i];
  const ChosenWork all(replays, {});
  const Runs runs = runs_of({replays, 0, all}, replays.replays[work.replay].graph)[work.node];
  const auto at = static_cast<std::size_t>(std::ranges::find(runs, i) - runs.begin());
  const auto is_longer = [&](std::uint32_t a, std::uint32_t b) { return dur_ns(replays, a) > dur_ns(replays, b); };
  write_run(json, "previous", replays, at > 0 ? std::optional(runs[at - 1]) : std::nullopt, links);
  write_run(json, "next", replays, at + 1 < runs.size() ? std::optional(runs[at + 1]) : std::nullopt, links);
  Runs drawn = runs;
  std::ranges::stable_sort(drawn, is_longer);
  write_run(json, "slowest", replays, drawn.front(), links);
  if (drawn.size() > kMostRuns) drawn.resize(kMostRuns);
  std::ranges::sort(drawn, {}, [&](std::uint32_t run) { return replays.work[run].replay; });
  json.key("runs").number(runs.size());
  json.column("drawn", drawn, [&](JsonWriter& j, std::uint32_t run) {
    j.begin_object().key("replay").number(replays.work[run].replay);
    j.key("event");
    links.write(j, replays.item(run));
    j.end_object();
  });
}

Response naming_answer(const Request& request, std::span<const std::string_view> arguments, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const std::vector<Track>& tracks = (*loaded)->capture.profile.tracks;
  const auto track = parse_index(arguments[0], tracks.size(), "lane");
  if (!track) return error_response(track.error());
  const auto event = parse_index(arguments[1], tracks[*track].events.size(), "event");
  if (!event) return error_response(event.error());
  if (!is_work(tracks[*track].events.role(*event))) return Response::json(R"({"replay":null})");
  const auto kept = replays_of(*loaded, request, services);
  if (!kept) return error_response(kept.error());
  const auto at = find_work((*kept)->ranks(), *track, *event);
  if (!at) return Response::json(R"({"replay":null})");
  const GraphReplays& replays = (*kept)->ranks()[at->rank];
  const NamedWork& work = replays.work[at->i];
  if (work.replay == kNoId) return Response::json(R"({"replay":null})");
  const EventLinks links((*loaded)->capture);
  const GraphReplay& replay = replays.replays[work.replay];
  std::string text;
  JsonWriter json(text);
  json.begin_object()
      .key("replay")
      .number(work.replay)
      .key("of_graph")
      .number(replays.graphs[replay.graph].replays.size());
  json.key("place").number(at->rank).key("graph").number(replay.graph).key("node").number(work.node);
  json.key("nodes").number(replays.graphs[replay.graph].nodes);
  json.key("capture");
  replay.ranges.empty() ? json.null() : json.text(replays.sources->ranges[replay.ranges.front()].file);
  json.key("missing").number(replay.missing).key("candidates").number(replay.candidates);
  json.key("found").text(found_name(work.found)).key("why").text(why_found(replays, work));
  write_said(json, replays, work);
  write_step_of(json, replays, work.step);
  write_same_node(json, replays, at->i, links);
  json.end_object();
  return Response::json(std::move(text));
}

Response lanes_of_replays_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto kept = replay_lanes_of(*loaded, request, services);
  if (!kept) return error_response(kept.error());
  const LoadedCapture& lanes = *(*kept)->lanes;
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("capture").text(lanes.id).key("revision").number((*loaded)->revision);
  json.key("status").text((*kept)->over.empty() ? "none" : "ready");
  write_lanes(json, lanes.capture, lanes.timeline, (*kept)->key);
  json.column("over", (*kept)->over, [](JsonWriter& j, std::uint32_t lane) { j.number(or_minus_one(lane)); });
  json.end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_replay_routes(Router& router, const Services& services) {
  const auto add = [&](std::string_view path, std::string_view name, const WriteRank& write) {
    router.add(path, [services, name, write](const Request& request, auto) {
      return kept_rank_answers(request, name, write, services);
    });
  };
  add("/api/v1/graph-replays", "graph replays", write_replays);
  add("/api/v1/graph-nodes", "graph nodes", write_nodes);
  add("/api/v1/server-steps", "server steps", write_server_steps);
  add("/api/v1/model-layers", "model layers", write_layers);
  router.add("/api/v1/replay-lanes",
             [services](const Request& request, auto) { return lanes_of_replays_answer(request, services); });
  router.add("/api/v1/kernel-naming/{}/{}", [services](const Request& request, auto arguments) {
    return naming_answer(request, arguments, services);
  });
}

}  // namespace vizd

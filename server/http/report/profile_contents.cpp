// What a report has of a profile.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "analysis/devices/kernel_choice.h"
#include "analysis/graph_replay/kept_names.h"
#include "base/parallel.h"
#include "base/parse_json.h"
#include "http/report/report_contents.h"
#include "timeline/lanes_json.h"
#include "timeline/tile_query.h"
#include "timeline/whole_tiles.h"

namespace vizd {
namespace {

using Query = std::vector<std::pair<std::string, std::string>>;

// So many bytes a span of the timeline takes in a report, at least: a guess that spares making what has no room.
constexpr std::uint64_t kLeastSpanBytes = 3;
// More ranks, devices or steps than these have no tables of their own.
constexpr std::size_t kMostScopes = 64;
// Single events, allocations and logged values of captures with more are left out.
constexpr std::uint64_t kMostSingle = 20'000;
constexpr std::size_t kSinglesPerPack = 500;
// A report draws memory in these pixels, whatever the screen's (web/src/state/memory-fetcher.ts).
constexpr std::string_view kPictureWidth = "4096", kPictureHeight = "1024";

std::string text_of(std::uint64_t number) { return fmt::format("{}", number); }

Question with(Question question, const Query& more) {
  question.query.insert(question.query.end(), more.begin(), more.end());
  return question;
}

bool has_replays_or_steps(const LoadedCapture& loaded) {
  return may_have_replays(loaded.capture) || may_have_steps(loaded.capture);
}

// Questions about the devices' work in a scope; {} is all of it.
std::vector<Question> work_questions(const LoadedCapture& loaded, const Query& scope) {
  std::vector<Question> questions;
  if (has_replays_or_steps(loaded)) {
    for (const char* path : {"graph-replays", "graph-nodes", "server-steps", "model-layers"})
      questions.push_back({fmt::format("/api/v1/{}", path), scope});
    questions.push_back(with({"/api/v1/model-layers", {{"steady", "1"}}}, scope));
  }
  for (const char* path :
       {"devices", "kernels", "call-tree", "collectives", "kernel-sequences", "critical-path", "compiles", "operators"})
    questions.push_back({fmt::format("/api/v1/{}", path), scope});
  questions.push_back(with({"/api/v1/kernels", {{"group", "name"}}}, scope));
  return questions;
}

void pack_lanes(ReportPacker& packer, const LoadedCapture& loaded) {
  const std::size_t pages = loaded.timeline.names.size() / kNamesPerPage;
  packer.begin("lanes and names", 1);
  std::vector<Question> questions{{"/api/v1/lanes"}};
  for (std::size_t page = 1; page <= pages; ++page)
    questions.push_back({fmt::format("/api/v1/names/{}/{}", key_text(loaded.timeline), page)});
  packer.pack(questions);
  packer.end();
}

void pack_tables(ReportPacker& packer, const LoadedCapture& loaded) {
  const Profile& profile = loaded.capture.profile;
  std::vector<std::uint32_t> all, host;
  for (std::uint32_t lane = 0; lane < profile.tracks.size(); ++lane) {
    const Track& track = profile.tracks[lane];
    all.push_back(lane);
    const bool is_host = track.kind == TrackKind::kHost || track.kind == TrackKind::kThread;
    if (is_host && !track.events.empty()) host.push_back(lane);
  }
  const auto area = [&](const std::vector<std::uint32_t>& lanes) {
    const std::int64_t dur_ns = profile.end_ns - profile.start_ns;
    return Query{{"from", "0"}, {"to", fmt::format("{}", dur_ns)}, {"lanes", fmt::format("{}", fmt::join(lanes, ","))}};
  };
  std::vector<Question> questions = work_questions(loaded, {});
  for (const std::string_view group : kKernelGroupNames)
    questions.push_back({"/api/v1/kernels", {{"group", std::string(group)}}});
  questions.push_back({"/api/v1/range", area(all)});
  questions.push_back(with({"/api/v1/range", area(all)}, {{"by", "lane"}}));
  questions.push_back(with({"/api/v1/stacks", area(all)}, {{"limit", "100"}}));
  if (!host.empty() && host != all) questions.push_back({"/api/v1/range", area(host)});
  for (const char* path : {"summary", "values", "kernel-graph", "programs"})
    questions.push_back({fmt::format("/api/v1/{}", path)});
  packer.begin("tables of the whole profile", questions.size() + 1);
  for (const Question& question : questions) packer.pack({question});
  packer.pack_as("/api/v1/idle", {"/api/v1/idle", {{"limit", "5000"}}});
  packer.end();
}

void pack_memory(ReportPacker& packer, const LoadedCapture& loaded) {
  const Profile& profile = loaded.capture.profile;
  std::vector<std::uint32_t> owners;
  for (std::uint32_t lane = 0; lane < profile.tracks.size(); ++lane)
    if (!profile.tracks[lane].allocations.empty()) owners.push_back(lane);
  packer.begin("memories", owners.size() * 3);
  for (const std::uint32_t lane : owners) {
    const std::string path = fmt::format("/api/v1/memory/{}/{}", key_text(loaded.timeline), lane);
    std::vector<Question> questions{{path + "/summary"}, {path + "/holders", {{"limit", "3"}}}};
    for (const char* at : {"peak", "end"}) {
      questions.push_back({path + "/set", {{"at", at}}});
      for (const char* by : {"operator", "module", "line", "category"})
        questions.push_back({path + "/holders", {{"at", at}, {"by", by}, {"since", "0"}}});
    }
    packer.pack(questions);
    const auto picture = [&](std::uint64_t to, const Query& axis) {
      return with({path,
                   {{"from", "0"},
                    {"to", text_of(std::max<std::uint64_t>(to, 1))},
                    {"width", std::string(kPictureWidth)},
                    {"height", std::string(kPictureHeight)}}},
                  axis);
    };
    packer.pack_as(path, picture(static_cast<std::uint64_t>(profile.end_ns - profile.start_ns), {}));
    const Query order{{"axis", "order"}};
    packer.pack_as(Question{path, order}.text(),
                   picture(loaded.timeline.lanes[lane].memory.layout.changes.size(), order));
  }
  packer.end();
}

// At most so many spans are drawn at a level.
std::uint64_t most_spans(const LoadedCapture& loaded, unsigned level) {
  const Profile& profile = loaded.capture.profile;
  const auto columns = static_cast<std::uint64_t>(profile.end_ns - profile.start_ns) >> (level + kUnitBitsPerColumn);
  std::uint64_t rows = 0;
  for (std::size_t lane = 0; lane < profile.tracks.size(); ++lane)
    rows += loaded.timeline.lanes[lane].row_count() + profile.tracks[lane].counters.size();
  return std::min(items_of(profile), (columns + 1) * rows);
}

void pack_timeline(ReportPacker& packer, const LoadedCapture& loaded) {
  const Profile& profile = loaded.capture.profile;
  const std::uint64_t room = packer.packed().left_bytes() / 2;
  const unsigned highest = highest_whole_level(profile);
  packer.begin("timeline", 1);
  for (unsigned level = 0; level <= highest; ++level) {
    if (level < highest && most_spans(loaded, level) * kLeastSpanBytes > room) continue;
    std::string tiles = whole_tiles(profile, loaded.timeline, nullptr, core_count(), level);
    if (level < highest && packed_text(tiles).size() > room) continue;
    const std::string name = fmt::format("/api/v1/tiles/{}/all", key_text(loaded.timeline));
    const std::vector<PackedAnswers::Named> answers{
        {name, {.status = 200, .content_type = "application/octet-stream", .bytes = std::move(tiles)}}};
    if (packer.pack_answers(answers) && level > 0) {
      packer.leave_out(fmt::format("timeline: events closer together than {} ns are drawn as one",
                                   std::uint64_t{1} << (level + kUnitBitsPerColumn)));
    }
    break;
  }
  packer.end();
}

// Replays and steps as lanes over those of the profile, as finely as there is room for.
void pack_replay_lanes(ReportPacker& packer, const LoadedCapture& loaded) {
  if (!has_replays_or_steps(loaded)) return;
  packer.begin("lanes of replays", 2);
  const Question lanes{"/api/v1/replay-lanes"};
  const auto answer = parse_json(packer.ask(lanes).bytes);
  const std::string key = answer.is_object() ? answer.value("key", std::string()) : std::string();
  const std::string tiles = fmt::format("/api/v1/tiles/{}/all", key);
  for (unsigned level = 0; !key.empty() && level <= highest_whole_level(loaded.capture.profile); ++level) {
    if (!packer.pack_as(tiles, {tiles, {{"level", text_of(std::uint64_t{level})}}})) continue;
    packer.pack({lanes});
    break;
  }
  packer.end();
}

std::string text_of(const nlohmann::json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// The ranks, devices and steps that the devices' work can be narrowed to.
std::vector<Query> list_scopes(const ReportPacker& packer) {
  const auto devices = parse_json(packer.ask({"/api/v1/devices"}).bytes);
  std::vector<Query> scopes;
  const auto add = [&](Query scope) {
    if (!scope.empty() && std::ranges::find(scopes, scope) == scopes.end()) scopes.push_back(std::move(scope));
  };
  const auto items = [&](const char* name) {
    return devices.is_object() && devices.contains(name) ? devices[name] : nlohmann::json::array();
  };
  for (const auto& device : items("devices")) {
    Query scope;
    for (const char* part : {"rank", "device"}) {
      if (device.contains(part) && !device[part].is_null()) scope.push_back({part, text_of(device[part])});
      add(scope);
    }
  }
  for (const auto& step : items("steps")) add({{"step", text_of(step["number"])}});
  return scopes;
}

void pack_scopes(ReportPacker& packer, const LoadedCapture& loaded) {
  const std::vector<Query> scopes = list_scopes(packer);
  packer.begin("tables of single ranks, devices and steps", scopes.size());
  for (std::size_t at = 0; at < scopes.size() && at < kMostScopes; ++at)
    packer.pack(work_questions(loaded, scopes[at]));
  packer.end();
}

// One question each, many to a pack: of so many in all, which may be more than anybody asks.
void pack_singles(ReportPacker& packer, std::string what, std::size_t all, const std::vector<Question>& questions) {
  packer.begin(std::move(what), all);
  for (std::size_t at = 0; at < questions.size() && all <= kMostSingle; at += kSinglesPerPack) {
    const auto first = questions.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t count = std::min(kSinglesPerPack, questions.size() - at);
    if (!packer.pack({first, first + static_cast<std::ptrdiff_t>(count)}, count)) break;
  }
  packer.end();
}

// PATH/LANE/INDEX for each of what lanes have so many of.
template <typename Count>
void pack_by_lane(ReportPacker& packer, std::string what, const LoadedCapture& loaded, std::string_view path,
                  Count&& count) {
  const std::vector<Track>& tracks = loaded.capture.profile.tracks;
  std::size_t all = 0;
  std::vector<Question> questions;
  for (std::size_t lane = 0; lane < tracks.size(); ++lane) {
    const std::size_t in_lane = count(tracks[lane]);
    all += in_lane;
    for (std::size_t at = 0; at < in_lane && all <= kMostSingle; ++at)
      questions.push_back({fmt::format("/api/v1/{}/{}/{}", path, lane, at)});
  }
  pack_singles(packer, std::move(what), all, questions);
}

// How long the events of each name are in each lane that has some.
std::vector<Question> duration_questions(const LoadedCapture& loaded) {
  std::vector<Question> questions;
  const std::vector<Track>& tracks = loaded.capture.profile.tracks;
  for (std::size_t lane = 0; lane < tracks.size(); ++lane) {
    std::set<std::uint32_t> names;
    for (std::size_t at = 0; at < tracks[lane].events.size(); ++at)
      names.insert(loaded.timeline.number_of(tracks[lane].events.name(at)));
    for (const std::uint32_t name : names) {
      questions.push_back({fmt::format("/api/v1/durations/{}/{}", key_text(loaded.timeline), name),
                           {{"bins", "28"}, {"lanes", text_of(std::uint64_t{lane})}}});
    }
  }
  return questions;
}

std::vector<Question> value_questions(const ReportPacker& packer) {
  const auto values = parse_json(packer.ask({"/api/v1/values"}).bytes);
  std::vector<Question> questions;
  if (!values.is_object() || !values.contains("values")) return questions;
  for (std::size_t at = 0; at < values["values"].size(); ++at) {
    if (values["values"][at].value("has_data", false))
      questions.push_back({fmt::format("/api/v1/values/{}", at), {{"slice", "0"}, {"iteration", "0"}}});
  }
  return questions;
}

}  // namespace

void pack_profile(ReportPacker& packer, const LoadedCapture& loaded) {
  if (!loaded.capture.has_profile) return;
  pack_lanes(packer, loaded);
  pack_tables(packer, loaded);
  pack_memory(packer, loaded);
  pack_timeline(packer, loaded);
  pack_replay_lanes(packer, loaded);
}

void pack_profile_details(ReportPacker& packer, const LoadedCapture& loaded) {
  if (!loaded.capture.has_profile) return;
  pack_scopes(packer, loaded);
  pack_by_lane(packer, "details of single events", loaded, "event", [](const Track& t) { return t.events.size(); });
  pack_by_lane(packer, "details of single allocations", loaded, "allocation",
               [](const Track& t) { return t.allocations.size(); });
  if (has_replays_or_steps(loaded))
    pack_by_lane(packer, "details of single kernels' names", loaded, "kernel-naming",
                 [](const Track& t) { return !t.events.empty() && is_work(t.events.role(0)) ? t.events.size() : 0; });
  const std::vector<Question> durations = duration_questions(loaded), values = value_questions(packer);
  pack_singles(packer, "durations of single names", durations.size(), durations);
  pack_singles(packer, "logged values", values.size(), values);
}

}  // namespace vizd

// GET /api/v1/call-tree, /api/v1/collectives, /api/v1/kernel-sequences and /api/v1/critical-path: where on the host
// device work came from, what ranks exchanged, what follows what, and what held up the end.
#include <algorithm>
#include <map>
#include <span>

#include "analysis/answers/answer_json.h"
#include "analysis/answers/device_answers.h"
#include "http/routes/device_answer.h"
#include "http/transport/query.h"

namespace vizd {
namespace {

constexpr std::size_t kMostSequences = 200, kMostInstances = 2000;
// A picture of the critical path is no finer: parts of a lane that lie closer are drawn as one.
constexpr std::int64_t kPathResolution = 4000;

// The critical paths of a capture's ranks, with what they went to.
struct KeptPaths {
  struct One {
    CriticalPath path;
    std::vector<PathShare> shares;
  };
  std::vector<One> all;

  std::size_t memory_bytes() const {
    std::size_t bytes = sizeof(*this);
    for (const One& one : all)
      bytes += sizeof(one) + one.path.parts.capacity() * sizeof(PathPart) + one.shares.capacity() * sizeof(PathShare);
    return bytes;
  }
};

std::string call_tree_json(const Capture& capture, const DeviceAnalysis& analysis) {
  const EventLinks links(capture);
  const CallTree tree = make_call_tree(capture, analysis.work, analysis.operators, analysis.figures);
  const std::vector<std::uint32_t> order = tree_order(tree);
  std::vector<std::uint32_t> place(tree.nodes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::string text;
  JsonWriter json(text);
  json.begin_object().column("nodes", order, [&, fields = call_tree_fields()](JsonWriter& j, std::uint32_t n) {
    const CallNode& node = tree.nodes[n];
    const auto parent = node.parent == kNoId ? std::nullopt : std::optional(place[node.parent]);
    write_row(j, fields, {.capture = capture, .row = node, .parent = parent}, [&](JsonWriter& more) {
      more.key("worst");
      links.write(more, analysis.work.items[node.worst]);
    });
  });
  json.end_object();
  return text;
}

// A collective with the event of each rank.
void write_launches(JsonWriter& json, std::string_view key, const Collective& collective, const DeviceWork& work,
                    const EventLinks& links) {
  json.key(key).begin_object().key("number").number(collective.number);
  json.column("launches", collective.launches,
              [&](JsonWriter& w, const CollectiveLaunch& launch) { links.write(w, work.items[launch.item]); });
  json.end_object();
}

std::string collectives_json(const Capture& capture, const DeviceAnalysis& analysis, const WorkScope& scope) {
  const EventLinks links(capture);
  const ProfiledRank profile{capture, analysis.work, analysis.operators, items_in_scope(capture, analysis.work, scope)};
  const std::span<const ProfiledRank> profiles(&profile, 1);
  const Collectives found = find_collectives(profiles);
  std::string text;
  JsonWriter json(text);
  json.begin_object().column("rows", found.rows, [&, fields = collective_fields()](JsonWriter& j, const auto& row) {
    write_row(j, fields, {profiles, row}, [&](JsonWriter& more) {
      write_launches(more, "most_skewed", found.all[row.most_skewed], analysis.work, links);
    });
  });
  json.column("stragglers", found.stragglers, [&, fields = straggler_fields()](JsonWriter& j, const auto& straggler) {
    write_row(j, fields, {profiles, straggler}, [&](JsonWriter& more) {
      write_launches(more, "worst", found.all[straggler.worst], analysis.work, links);
    });
  });
  const auto instances = list_collectives(profiles, found, kMostInstances);
  json.key("all").number(found.all.size());
  json.column("notes", pairing_notes(profiles, found), [](JsonWriter& j, const std::string& note) { j.text(note); });
  json.column("instances", instances, [&, fields = collective_instance_fields()](JsonWriter& j, const auto& instance) {
    const Collective& collective = found.all[instance.place];
    write_row(j, fields, {profiles, found.rows[collective.row], collective, instance}, [&](JsonWriter& more) {
      more.key("longest");
      links.write(more, analysis.work.items[instance.longest.item]);
      more.key("before_event");
      if (instance.before) {
        links.write(more, analysis.work.items[*instance.before]);
      } else {
        more.null();
      }
    });
  });
  json.end_object();
  return text;
}

std::string sequences_json(const Capture& capture, const DeviceAnalysis& analysis,
                           const std::optional<std::string>& kernel) {
  const EventLinks links(capture);
  const auto sequences = find_kernel_sequences(capture, analysis.work, kMostSequences, kernel);
  std::string text;
  JsonWriter json(text);
  json.begin_object().column("rows", sequences, [&, fields = sequence_fields()](JsonWriter& j, const auto& sequence) {
    write_row(j, fields, {capture, sequence}, [&](JsonWriter& more) {
      more.key("first");
      links.write(more, analysis.work.items[sequence.longest]);
    });
  });
  json.end_object();
  return text;
}

// The parts in a range of time, coarse enough for a picture of it: by lane, in order of time.
std::vector<PathPart> drawn_parts(const CriticalPath& path, std::int64_t from_ns, std::int64_t to_ns) {
  const std::int64_t least_ns = (to_ns - from_ns) / kPathResolution;
  std::vector<PathPart> drawn;
  std::map<std::uint32_t, std::size_t> last;  // by track
  for (const PathPart& part : path.parts) {
    if (part.to_ns <= from_ns || part.from_ns >= to_ns || part.kind == PathKind::kBetween) continue;
    const auto [found, is_new] = last.try_emplace(part.track, drawn.size());
    if (!is_new && part.from_ns - drawn[found->second].to_ns <= least_ns) {
      drawn[found->second].to_ns = part.to_ns;
      if (drawn[found->second].event != part.event) drawn[found->second].event = kNoId;
      continue;
    }
    found->second = drawn.size();
    drawn.push_back(part);
  }
  return drawn;
}

void write_path(JsonWriter& json, const Capture& capture, const DeviceWork& work, const EventLinks& links,
                const KeptPaths::One& one, const std::vector<PathPart>& parts) {
  const CriticalPath& path = one.path;
  const std::int64_t start_ns = capture.profile.start_ns;
  const auto device = std::ranges::find(work.devices, path.root, &WorkDevice::root);
  json.begin_object().key("rank");
  write_file_value(json, device->rank, capture.strings);
  json.key("from_ns").number(path.from_ns - start_ns).key("to_ns").number(path.to_ns - start_ns);
  json.key("parts").number(path.parts.size());
  const std::int64_t path_ns = path.to_ns - path.from_ns;
  json.column("shares", one.shares, [&, fields = path_fields()](JsonWriter& j, const PathShare& share) {
    write_row(j, fields, {capture, share, device->rank, path_ns}, [&](JsonWriter& more) {
      more.key("longest").begin_object().key("lane").text(links.path(share.longest.track));
      more.key("from_ns").number(share.longest.from_ns - start_ns);
      more.key("to_ns").number(share.longest.to_ns - start_ns).end_object();
    });
  });
  std::map<std::uint32_t, std::vector<PathPart>> lanes;
  for (const PathPart& part : parts) lanes[part.track].push_back(part);
  json.column("lanes", lanes, [&](JsonWriter& j, const auto& lane) {
    j.begin_object().key("lane").text(links.path(lane.first));
    j.column("from_ns", lane.second, [&](JsonWriter& w, const PathPart& p) { w.number(p.from_ns - start_ns); });
    j.column("to_ns", lane.second, [&](JsonWriter& w, const PathPart& p) { w.number(p.to_ns - start_ns); });
    j.end_object();
  });
  json.end_object();
}

Response path_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const Capture& capture = (*loaded)->capture;
  const Profile& profile = capture.profile;
  const auto scope = parse_scope(request);
  if (!scope) return error_response(scope.error());
  const auto from_ns = parse_number(request, "from_ns", 0, kTimeBound_ns, 0);
  if (!from_ns) return error_response(from_ns.error());
  const auto to_ns =
      parse_number(request, "to_ns", *from_ns, kTimeBound_ns, std::max(profile.end_ns - profile.start_ns, *from_ns));
  if (!to_ns) return error_response(to_ns.error());
  const auto analysis = device_analysis_of(*loaded, {}, request, services);
  if (!analysis) return error_response(analysis.error());
  const auto make = [of = *loaded, found = *analysis, scope = *scope](
                        const ReportProgress&, std::stop_token) -> Result<std::shared_ptr<const KeptPaths>> {
    auto kept = std::make_shared<KeptPaths>();
    for (CriticalPath& path : find_critical_paths(of->capture, found->work, scope)) {
      std::vector<PathShare> shares = path_shares(of->capture, path);
      kept->all.push_back({std::move(path), std::move(shares)});
    }
    return std::shared_ptr<const KeptPaths>(std::move(kept));
  };
  const auto paths =
      wait_for(services.analyses.get<KeptPaths>(*loaded, "critical path" + scope->key(), make), request, services);
  if (!paths) return error_response(paths.error());
  const EventLinks links(capture);
  std::string text;
  JsonWriter json(text);
  json.begin_object().column("paths", (*paths)->all, [&](JsonWriter& j, const KeptPaths::One& one) {
    write_path(j, capture, (*analysis)->work, links, one,
               drawn_parts(one.path, profile.start_ns + *from_ns, profile.start_ns + *to_ns));
  });
  json.end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_work_routes(Router& router, const Services& services) {
  // The same for as long as the capture is. answer: of a request's scope, and which part of it the analysis is to be
  // of.
  const auto keep = [&](const char* path, const char* name, auto answer) {
    router.add(path, [services, name, answer](const Request& request, auto) {
      const auto loaded = profile_of(request, services);
      if (!loaded) return error_response(loaded.error());
      const auto scope = parse_scope(request);
      if (!scope) return error_response(scope.error());
      const auto [of_analysis, make] = answer(*scope);
      return kept_analysis_json(request, *loaded, name + scope->key(), of_analysis, make, services);
    });
  };
  using Answer = std::pair<WorkScope, MakeAnalysisText>;
  keep("/api/v1/call-tree", "call tree", [](const WorkScope& scope) { return Answer(scope, call_tree_json); });
  keep("/api/v1/collectives", "collectives", [](const WorkScope& scope) {
    return Answer({}, [scope](const Capture& capture, const DeviceAnalysis& whole) {
      return collectives_json(capture, whole, scope);
    });
  });
  keep("/api/v1/kernel-sequences", "kernel sequences", [](const WorkScope& scope) {
    return Answer(scope.without_kernel(), [scope](const Capture& capture, const DeviceAnalysis& analysis) {
      return sequences_json(capture, analysis, scope.kernel);
    });
  });
  router.add("/api/v1/critical-path",
             [services](const Request& request, auto) { return path_answer(request, services); });
}

}  // namespace vizd

#include "formats/xplane/links.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace vizd::xplane {
namespace {

void draw(EventPlace from, EventPlace to, Profile& profile) {
  if (from.track == to.track && from.event == to.event) return;
  profile.flows.push_back({from.track, from.event, to.track, to.event});
}

// Ops of one line often have the same kind, module and program.
class KindTable {
 public:
  explicit KindTable(XlaHost& host) : host_(host) {}

  // The kind that is like that one but for its module and program.
  std::uint32_t with_module(std::uint32_t kind, StringId module, std::optional<std::uint64_t> program_id) {
    const XlaWorkKind& old = host_.kinds[kind];
    if (old.module == module && old.program_id == program_id) return kind;
    const auto [place, is_new] =
        places_.try_emplace({kind, module, program_id}, static_cast<std::uint32_t>(host_.kinds.size()));
    if (is_new) {
      XlaWorkKind made = old;
      made.module = module;
      made.program_id = program_id;
      host_.kinds.push_back(made);
    }
    return place->second;
  }

 private:
  XlaHost& host_;
  std::map<std::tuple<std::uint32_t, StringId, std::optional<std::uint64_t>>, std::uint32_t> places_;
};

class Joiner {
 public:
  Joiner(const Links& links, XlaHost& host, Profile& profile)
      : links_(links), host_(host), profile_(profile), kinds_(host) {}

  void join() {
    for (const Links::Consumer& consumer : links_.consumers) {
      const auto producer = links_.producers.find(consumer.key);
      if (producer == links_.producers.end()) continue;
      ++host_.flows[consumer.key.first].joined;
      draw(producer->second.place, consumer.place, profile_);
    }
    for (const Links::CorrelatedWork& work : links_.work) {
      const auto call = links_.calls.find(work.correlation);
      if (call == links_.calls.end()) continue;
      host_.work[work.work].call = call->second;
      draw(links_.call_places[call->second], work.place, profile_);
    }
    find_runs();
    for (const XlaStream& stream : host_.streams) {
      for (std::size_t i = stream.first; i < stream.first + stream.count; ++i) join_work(stream, host_.work[i]);
    }
  }

 private:
  // The runs of each device in order of start.
  void find_runs() {
    runs_.resize(host_.devices.size());
    for (std::uint32_t i = 0; i < host_.runs.size(); ++i) runs_[host_.runs[i].device].push_back(i);
    for (std::vector<std::uint32_t>& runs : runs_)
      std::ranges::stable_sort(runs, {}, [&](std::uint32_t run) { return host_.runs[run].span.start_ps; });
  }

  void join_work(const XlaStream& stream, XlaWork& work) {
    const XlaWorkKind kind = host_.kinds[work.kind];
    StringId module = kind.module;
    std::optional<std::uint64_t> program_id = kind.program_id;
    if (kind.work == XlaClass::kOp) {
      if (const auto run = run_at(stream.device, work.drawn.start_ps)) {
        module = host_.runs[*run].module;
        if (host_.runs[*run].program_id) program_id = host_.runs[*run].program_id;
        if (links_.run_keys[*run]) work.call = launcher(*links_.run_keys[*run]);
      }
    }
    work.kind = kinds_.with_module(work.kind, module, program_id);
  }

  // The last run of the device that began by then, if it had not ended.
  std::optional<std::uint32_t> run_at(std::uint32_t device, std::int64_t at_ps) const {
    const std::vector<std::uint32_t>& runs = runs_[device];
    const auto after =
        std::ranges::upper_bound(runs, at_ps, {}, [&](std::uint32_t run) { return host_.runs[run].span.start_ps; });
    if (after == runs.begin()) return std::nullopt;
    const XlaSpan& span = host_.runs[*(after - 1)].span;
    return span.end_ps > at_ps || span.start_ps == at_ps ? std::optional(*(after - 1)) : std::nullopt;
  }

  // The place among the calls of what enqueued it; kNoId: nothing in the file.
  std::uint32_t launcher(const FlowKey& key) {
    const auto producer = links_.producers.find(key);
    if (producer == links_.producers.end()) return kNoId;
    const auto [place, is_new] = launchers_.try_emplace(key, static_cast<std::uint32_t>(host_.calls.size()));
    if (is_new) host_.calls.push_back(producer->second.call);
    return place->second;
  }

  const Links& links_;
  XlaHost& host_;
  Profile& profile_;
  KindTable kinds_;
  std::vector<std::vector<std::uint32_t>> runs_;  // by device
  std::map<FlowKey, std::uint32_t> launchers_;
};

}  // namespace

void join(const Links& links, XlaHost& host, Profile& profile) { Joiner(links, host, profile).join(); }

}  // namespace vizd::xplane

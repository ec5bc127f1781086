#include "diagnosis/idle_causes.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "analysis/devices/host_activity.h"
#include "base/ascii_case.h"

namespace vizd {
namespace {

struct KnownCause {
  HostCause cause;
  std::array<std::string_view, 8> words;  // that a name of it holds; "": no more
};

// The first that matches wins: compiling reads files and copies too.
constexpr std::array kKnownCauses{
    KnownCause{{"compiles",
                "compile earlier: warm up with the sizes to come, keep the compiler's cache, mark changing sizes; or "
                "record later than the first steps"},
               {"dynamo_timed", "compile_inner", "async_compile", "compile_fx", "jit_compile", "ast_to_ttir"}},
    KnownCause{{"loads its input",
                "load batches ahead: more workers of the DataLoader (num_workers, prefetch_factor, "
                "persistent_workers), or less work for each sample"},
               {"DataLoader", "data_loader", "dataset", "IteratorGetNext", "fetch_batch", "load_batch"}},
    KnownCause{{"loads code for the first time",
                "run each kernel once before timing, or CUDA_MODULE_LOADING=EAGER; record later than the first steps"},
               {"ModuleLoad", "LibraryLoad", "Lazy Function Loading", "ModuleGetFunction", "GetFuncBySymbol",
                "LibraryGetKernel", "Module Loading"}},
    KnownCause{{"allocates system memory",
                "record later than the first steps; keep sizes the same, and do not empty the "
                "cache"},
               {"cudaMalloc", "cudaFree", "hipMalloc", "hipFree", "cuMemCreate", "cuMemMap", "cudaHostAlloc",
                "hipHostMalloc"}},
    KnownCause{{"copies and waits for the copy",
                "copy with non_blocking=True, and read results (item(), cpu(), print) later or every "
                "hundredth step"},
               {"Memcpy", "aten::item", "_local_scalar_dense", "aten::_to_copy", "aten::copy_"}},
    KnownCause{
        {"waits for the device", "launch the next work before waiting, and read results (item(), cpu(), print) later"},
        {"Synchronize"}},
    KnownCause{{"takes the optimizer's step",
                "use a fused optimizer (fused=True), or foreach=True, or torch.compile for the step"},
               {"Optimizer.step", "Optimizer.zero_grad", "optimizer_step"}},
    KnownCause{{"runs a compiled backward pass", "use CUDA graphs for it: torch.compile with mode=\"reduce-overhead\""},
               {"CompiledFunctionBackward", "CompiledFxGraphBackward"}},
};
constexpr std::size_t kNoCause = kKnownCauses.size();

std::size_t known_cause(std::string_view name) {
  const auto holds = [&](std::string_view word) { return !word.empty() && contains_in_any_case(name, word); };
  const auto found = std::ranges::find_if(
      kKnownCauses, [&](const KnownCause& known) { return std::ranges::any_of(known.words, holds); });
  return static_cast<std::size_t>(found - kKnownCauses.begin());
}

// By event the one around it; kNoId: none.
std::vector<std::uint32_t> find_parents(const EventColumns& events) {
  std::vector<std::uint32_t> order, open, parents(events.size(), kNoId);
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (events.kind(i) == EventKind::kSpan && !events.is_step(i)) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    if (events.start_ns(a) != events.start_ns(b)) return events.start_ns(a) < events.start_ns(b);
    return events.length_ns(a) > events.length_ns(b);
  });
  for (const std::uint32_t i : order) {
    // An event that ends within this one does not enclose it, nor anything that begins later.
    const auto is_over = [&](std::uint32_t of) {
      return events.end_ns(of) < events.end_ns(i) || events.end_ns(of) <= events.start_ns(i);
    };
    while (!open.empty() && is_over(open.back())) open.pop_back();
    if (!open.empty()) parents[i] = open.back();
    open.push_back(i);
  }
  return parents;
}

class GapHosts {
 public:
  explicit GapHosts(const Examined& examined) : examined_(examined) {}

  // The spans are in order, and do not overlap.
  void add(std::uint32_t track, std::span<const TimeSpan> spans) {
    const EventColumns& events = examined_.profile().tracks[track].events;
    const std::vector<std::uint32_t> parents = find_parents(events);
    for_each_innermost(
        events, spans, [&](std::uint32_t event) { return !events.is_step(event); },
        [&](std::uint32_t event, const TimeSpan& part) {
          const std::int64_t part_ns = part.to_ns - part.from_ns;
          found_.known_ns += part_ns;
          if (event == kNoId) found_.nothing_ns += part_ns;
          add_part(events, parents, event, part_ns);
        });
  }

  HostInGaps find() {
    const auto most = std::ranges::max_element(by_cause_, {}, &OfCause::total_ns);
    if (most->total_ns > 0 && 2 * most->total_ns >= found_.known_ns) {
      found_.cause = &kKnownCauses[static_cast<std::size_t>(most - by_cause_.begin())].cause;
      const auto name = std::ranges::max_element(most->names, {}, [](const auto& each) { return each.second; });
      found_.name = text_of(name->first);
      found_.name_ns = most->total_ns;
      return std::move(found_);
    }
    // The innermost that takes half: of those around one another it is the shortest in all.
    for (const auto& [name, total_ns] : by_name_) {
      if (2 * total_ns < found_.known_ns || total_ns == 0) continue;
      const bool is_first = found_.name.empty() || total_ns < found_.name_ns;
      if (!is_first) continue;
      found_.name = text_of(name);
      found_.name_ns = total_ns;
    }
    return std::move(found_);
  }

 private:
  struct OfCause {
    std::int64_t total_ns = 0;
    std::map<StringId, std::int64_t> names;
  };

  std::string text_of(StringId name) const { return shown_name(examined_.capture().strings.get(name)); }

  std::size_t cause_of(StringId name) {
    const auto [found, is_new] = causes_.try_emplace(name, kNoCause);
    if (is_new) found->second = known_cause(examined_.capture().strings.get(name));
    return found->second;
  }

  // Counts each name around the moment once.
  void add_part(const EventColumns& events, const std::vector<std::uint32_t>& parents, std::uint32_t event,
                std::int64_t part_ns) {
    std::size_t cause = kNoCause;
    StringId of_cause{};
    std::vector<StringId> seen;
    for (std::uint32_t at = event; at != kNoId; at = parents[at]) {
      const StringId name = events.name(at);
      if (const std::size_t known = cause_of(name); known < cause) cause = known, of_cause = name;
      if (std::ranges::find(seen, name) != seen.end()) continue;
      seen.push_back(name);
      by_name_[name] += part_ns;
    }
    if (cause == kNoCause) return;
    by_cause_[cause].total_ns += part_ns;
    by_cause_[cause].names[of_cause] += part_ns;
  }

  const Examined& examined_;
  HostInGaps found_;
  std::unordered_map<StringId, std::size_t> causes_;
  std::map<StringId, std::int64_t> by_name_;
  std::array<OfCause, kKnownCauses.size()> by_cause_;
};

}  // namespace

HostInGaps host_in_gaps(const Examined& examined, IdleCause cause) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<TimeSpan>> spans;  // by thread and device
  for (const DeviceGap& gap : examined.gaps()) {
    if (gap.cause != cause || gap.item == kNoId) continue;
    const std::uint32_t call = examined.work().items[gap.item].call;
    if (call != kNoId) spans[{examined.work().calls[call].track, gap.device}].push_back({gap.from_ns, gap.to_ns});
  }
  GapHosts hosts(examined);
  for (auto& [of, gaps] : spans) {
    std::ranges::sort(gaps, {}, &TimeSpan::from_ns);
    hosts.add(of.first, gaps);
  }
  return hosts.find();
}

std::int64_t host_time_in_gaps(const Examined& examined, IdleCause cause) {
  std::vector<TimeSpan> spans, apart;
  examined.for_each_host_span([&](std::uint32_t track, std::uint32_t event) {
    const EventColumns& events = examined.profile().tracks[track].events;
    if (!events.is_step(event)) spans.push_back({events.start_ns(event), events.end_ns(event)});
  });
  std::ranges::sort(spans, {}, &TimeSpan::from_ns);
  for (const TimeSpan& span : spans) {
    if (apart.empty() || span.from_ns > apart.back().to_ns)
      apart.push_back(span);
    else
      apart.back().to_ns = std::max(apart.back().to_ns, span.to_ns);
  }
  std::int64_t sum_ns = 0;
  for (const DeviceGap& gap : examined.gaps()) {
    if (gap.cause != cause) continue;
    auto at = std::ranges::upper_bound(apart, gap.from_ns, {}, &TimeSpan::to_ns);
    for (; at != apart.end() && at->from_ns < gap.to_ns; ++at)
      sum_ns += std::min(at->to_ns, gap.to_ns) - std::max(at->from_ns, gap.from_ns);
  }
  return sum_ns;
}

}  // namespace vizd

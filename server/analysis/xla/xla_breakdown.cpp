#include "analysis/xla/xla_breakdown.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/xla/xla_times.h"

namespace vizd {
namespace {

constexpr std::size_t kMostRows = std::size_t{1} << 20;  // of steps: a row for each on each device

// Times as a set: their union, parts of it, and what two have in common.
class SpanSet {
 public:
  // Spans without length are left out.
  void add(std::int64_t from_ns, std::int64_t to_ns) {
    if (to_ns > from_ns) spans_.emplace_back(from_ns, to_ns);
  }

  // After the last add(): from here on spans are disjoint and in order.
  void settle() {
    std::ranges::sort(spans_);
    std::size_t kept = 0;
    for (const auto& span : spans_) {
      if (kept > 0 && span.first <= spans_[kept - 1].second) {
        spans_[kept - 1].second = std::max(spans_[kept - 1].second, span.second);
      } else {
        spans_[kept++] = span;
      }
    }
    spans_.resize(kept);
  }

  std::int64_t length_ns() const {
    std::int64_t length_ns = 0;
    for (const auto& [from_ns, to_ns] : spans_) length_ns += to_ns - from_ns;
    return length_ns;
  }

  SpanSet within(std::int64_t from_ns, std::int64_t to_ns) const {
    SpanSet part;
    const auto ends_later = [](std::int64_t at_ns, const auto& span) { return at_ns < span.second; };
    for (auto it = std::upper_bound(spans_.begin(), spans_.end(), from_ns, ends_later);
         it != spans_.end() && it->first < to_ns; ++it)
      part.add(std::max(it->first, from_ns), std::min(it->second, to_ns));
    return part;
  }

  std::int64_t overlap_ns(const SpanSet& other) const {
    std::int64_t length_ns = 0;
    for (auto a = spans_.begin(), b = other.spans_.begin(); a != spans_.end() && b != other.spans_.end();) {
      length_ns += std::max<std::int64_t>(std::min(a->second, b->second) - std::max(a->first, b->first), 0);
      a->second < b->second ? static_cast<void>(++a) : static_cast<void>(++b);
    }
    return length_ns;
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> spans_;
};

// The times of some work, by what it is.
struct BusySets {
  SpanSet busy, compute, communication, memory, infeed, outfeed, async;

  void settle() {
    for (SpanSet* const set : {&busy, &compute, &communication, &memory, &infeed, &outfeed, &async}) set->settle();
  }
  // From one time to another.
  BusySets within(std::int64_t from_ns, std::int64_t to_ns) const {
    return {busy.within(from_ns, to_ns),   compute.within(from_ns, to_ns), communication.within(from_ns, to_ns),
            memory.within(from_ns, to_ns), infeed.within(from_ns, to_ns),  outfeed.within(from_ns, to_ns),
            async.within(from_ns, to_ns)};
  }
  XlaBusy figures() const {
    XlaBusy of{.busy_ns = busy.length_ns(),
               .compute_ns = compute.length_ns(),
               .communication_ns = communication.length_ns(),
               .memory_ns = memory.length_ns(),
               .overlap_ns = compute.overlap_ns(communication)};
    of.exposed_communication_ns = of.communication_ns - of.overlap_ns;
    of.exposed_memory_ns = of.busy_ns - (of.compute_ns + of.exposed_communication_ns);
    of.infeed_ns = infeed.length_ns();
    of.outfeed_ns = outfeed.length_ns();
    of.async_ns = async.length_ns();
    of.async_overlap_ns = async.overlap_ns(compute);
    return of;
  }
};

// One host's work, looked at stream by stream.
class HostTimes {
 public:
  HostTimes(const XlaHost& host, const StringTable& strings)
      : host_(host), times_(find_xla_times(host, strings)), streams_(host.devices.size()) {
    for (std::uint32_t s = 0; s < host.streams.size(); ++s) streams_[host.streams[s].device].push_back(s);
  }

  bool has_work(std::uint32_t device) const { return !streams_[device].empty(); }
  const std::vector<std::uint32_t>& streams_of(std::uint32_t device) const { return streams_[device]; }

  void add(std::uint32_t stream, BusySets& sets) const {
    const XlaStream& of = host_.streams[stream];
    for (std::size_t i = of.first; i < of.first + of.count; ++i) {
      const XlaSpan_ns span = to_ns(host_, host_.work[i].drawn);
      sets.busy.add(span.start_ns, span.end_ns);
    }
    for (std::size_t p = times_.first_piece[stream]; p < times_.first_piece[stream + 1]; ++p) {
      const XlaSpan_ns span = to_ns(host_, times_.pieces[p].span);
      const OpTraits& traits = times_.traits[host_.work[times_.pieces[p].op].kind];
      const auto add_to = [&](bool is_so, SpanSet& set) {
        if (is_so) set.add(span.start_ns, span.end_ns);
      };
      add_to(traits.is_compute(), sets.compute);
      add_to(traits.is_communication, sets.communication);
      add_to(traits.is_memory, sets.memory);
      add_to(traits.is_infeed, sets.infeed);
      add_to(traits.is_outfeed, sets.outfeed);
    }
  }

  BusySets of_device(std::uint32_t device) const {
    BusySets sets;
    for (const std::uint32_t s : streams_[device]) add(s, sets);
    for (const XlaSpan& transfer : host_.devices[device].transfers) {
      const XlaSpan_ns span = to_ns(host_, transfer);
      sets.async.add(span.start_ns, span.end_ns);
    }
    sets.settle();
    return sets;
  }

 private:
  const XlaHost& host_;
  const XlaTimes times_;
  std::vector<std::vector<std::uint32_t>> streams_;  // by device
};

class BreakdownMaker {
 public:
  BreakdownMaker(std::uint32_t h, const XlaHost& host, std::int64_t kernel_delay_ns, const StringTable& strings)
      : h_(h), host_(host), times_(host, strings), kernel_delay_ns_(kernel_delay_ns) {}

  void add_rows(std::vector<XlaBreakdown>& rows) const {
    for (std::uint32_t d = 0; d < host_.devices.size(); ++d) {
      if (times_.has_work(d)) rows.push_back(row_of(d, std::nullopt, times_.streams_of(d), times_.of_device(d)));
    }
    for (std::uint32_t d = 0; d < host_.devices.size(); ++d) {
      std::map<ArgumentValue, std::vector<std::uint32_t>> streams;
      for (const std::uint32_t s : times_.streams_of(d)) {
        if (host_.streams[s].number) streams[*host_.streams[s].number].push_back(s);
      }
      for (const auto& [number, places] : streams) {
        BusySets sets;
        for (const std::uint32_t s : places) times_.add(s, sets);
        sets.settle();
        rows.push_back(row_of(d, number, places, sets));
      }
    }
  }

 private:
  XlaBreakdown row_of(std::uint32_t device, std::optional<ArgumentValue> stream,
                      const std::vector<std::uint32_t>& streams, const BusySets& sets) const {
    XlaBreakdown row;
    static_cast<XlaBusy&>(row) = sets.figures();
    row.host = h_;
    row.device = device;
    row.stream = std::move(stream);
    std::vector<std::size_t> work;
    for (const std::uint32_t s : streams) {
      for (std::size_t i = 0; i < host_.streams[s].count; ++i) work.push_back(host_.streams[s].first + i);
    }
    std::ranges::stable_sort(work, {}, [&](std::size_t i) { return host_.work[i].drawn.start_ps; });
    row.events = static_cast<std::int64_t>(work.size());
    add_gaps(work, row);
    return row;
  }

  // work: in order of start.
  void add_gaps(const std::vector<std::size_t>& work, XlaBreakdown& row) const {
    row.start_ns = row.end_ns = to_ns(host_, host_.work[work.front()].drawn).start_ns;
    for (const std::size_t i : work) {
      const XlaSpan_ns span = to_ns(host_, host_.work[i].drawn);
      if (span.start_ns > row.end_ns) {
        const std::int64_t gap_ns = span.start_ns - row.end_ns;
        (launched_late(host_.work[i], row.end_ns) ? row.idle_host_ns
         : gap_ns < kernel_delay_ns_              ? row.idle_kernel_ns
                                                  : row.idle_other_ns) += gap_ns;
        row.idle_ns += gap_ns;
        ++row.gaps;
      }
      row.end_ns = std::max(row.end_ns, span.end_ns);
    }
  }

  bool launched_late(const XlaWork& work, std::int64_t idle_from_ns) const {
    return work.call != kNoId && to_ns(host_, host_.calls[work.call].span).start_ns > idle_from_ns;
  }

  const std::uint32_t h_;
  const XlaHost& host_;
  const HostTimes times_;
  const std::int64_t kernel_delay_ns_;
};

// sets: of the device's work in the whole file.
XlaStepRow step_row(const XlaHost& host, std::uint32_t step, const BusySets& sets) {
  const XlaSpan_ns span = to_ns(host, host.steps[step].span);
  XlaStepRow row;
  static_cast<XlaBusy&>(row) = sets.within(span.start_ns, span.end_ns).figures();
  row.step = step;
  row.start_ns = span.start_ns;
  row.span_ns = span.end_ns - span.start_ns;
  row.idle_ns = row.span_ns - row.busy_ns;
  return row;
}

}  // namespace

std::vector<XlaBreakdown> xla_breakdown(const Capture& capture, std::int64_t kernel_delay_ns) {
  std::vector<XlaBreakdown> rows;
  const std::vector<XlaHost>& hosts = capture.profile.xla->hosts;
  for (std::uint32_t h = 0; h < hosts.size(); ++h)
    BreakdownMaker(h, hosts[h], kernel_delay_ns, capture.strings).add_rows(rows);
  return rows;
}

std::vector<XlaStepRow> xla_steps(const Capture& capture) {
  std::vector<XlaStepRow> rows;
  const std::vector<XlaHost>& hosts = capture.profile.xla->hosts;
  for (std::uint32_t h = 0; h < hosts.size(); ++h) {
    const XlaHost& host = hosts[h];
    if (host.steps.empty()) continue;
    std::vector<std::uint32_t> of_all;
    std::map<std::string_view, std::vector<std::uint32_t>> of_device;
    for (std::uint32_t s = 0; s < host.steps.size(); ++s)
      (host.steps[s].device ? of_device[*host.steps[s].device] : of_all).push_back(s);
    const HostTimes times(host, capture.strings);
    for (std::uint32_t d = 0; d < host.devices.size(); ++d) {
      if (!times.has_work(d)) continue;
      const BusySets sets = times.of_device(d);
      for (const std::vector<std::uint32_t>* const steps : {&of_device[host.devices[d].name], &of_all}) {
        for (const std::uint32_t s : *steps) {
          if (rows.size() == kMostRows) return rows;
          rows.push_back(step_row(host, s, sets));
          rows.back().host = h;
          rows.back().device = d;
        }
      }
    }
  }
  return rows;
}

}  // namespace vizd

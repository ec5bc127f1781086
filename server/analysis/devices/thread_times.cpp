#include "analysis/devices/thread_times.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "analysis/devices/host_calls.h"
#include "analysis/devices/kernel_names.h"
#include "base/ascii_case.h"

namespace vizd {
namespace {

struct Part : TimeSpan {
  Doing doing = Doing::kOther;
};

bool mentions_any(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != name.npos; });
}

bool begins_with_any(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.starts_with(word); });
}

// Returns what a call of this name does, including all that it calls; none if the name does not say. The names are
// those of PyTorch's profiler: the ranges of its process groups ("gloo:all_reduce"), its data loader, Python's own
// functions.
std::optional<Doing> told_by_name(std::string_view name) {
  if (begins_with_any(name, {"gloo:", "nccl:", "mpi:", "ucc:", "xccl:", "c10d::", "_c10d_functional::",
                             "c10d_functional::", "record_param_comms"}) ||
      is_communication_kernel(name))
    return Doing::kCommunicating;
  if (name.starts_with("enumerate(DataLoader)") || mentions_any(name, {"dataloader.py(", "DataLoaderIter"}))
    return Doing::kLoading;
  if (mentions_any(name, {"built-in function collect>", "Python GC", "Garbage collection"})) return Doing::kCollecting;
  const bool is_line_of_python = name.find(".py(") != name.npos;
  if (!is_line_of_python && (mentions_any(name, {"method acquire of", "built-in function sleep>",
                                                 "built-in function select>", "method poll of"}) ||
                             contains_in_any_case(name, "wait") || contains_in_any_case(name, "synchronize")))
    return Doing::kWaiting;
  return std::nullopt;
}

class ThreadSweep {
 public:
  ThreadSweep(const StringTable& strings, const HostScope& scope)
      : strings_(strings), scope_(scope), trace_(strings.find("Trace")) {}

  // The parts of a thread's time in which it did anything, in order of time; no two overlap. Sets the thread's events,
  // start and end.
  std::vector<Part> take(const EventColumns& events, ThreadTime& time) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.kind(i) == EventKind::kSpan && !events.is_step(i) && events.category(i) != trace_) order.push_back(i);
    }
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      if (events.start_ns(a) != events.start_ns(b)) return events.start_ns(a) < events.start_ns(b);
      return events.length_ns(a) > events.length_ns(b);
    });
    parts_.clear(), open_.clear();
    for (const std::uint32_t i : order) {
      const TimeSpan span = scope_.cut({events.start_ns(i), events.end_ns(i)});
      if (span.to_ns <= span.from_ns) continue;
      time.start_ns = time.events == 0 ? span.from_ns : time.start_ns;
      time.end_ns = time.events == 0 ? span.to_ns : std::max(time.end_ns, span.to_ns);
      ++time.events;
      close_until(span.from_ns);
      if (!open_.empty()) add({now_ns_, span.from_ns}, open_.back().doing);
      now_ns_ = span.from_ns;
      open_.push_back({span, doing_of(events, i)});
    }
    close_until(time.end_ns);
    return std::move(parts_);
  }

 private:
  // Ends what is open and ends by then, the innermost first.
  void close_until(std::int64_t at_ns) {
    for (; !open_.empty() && open_.back().to_ns <= at_ns; open_.pop_back()) {
      add({now_ns_, open_.back().to_ns}, open_.back().doing);
      now_ns_ = std::max(now_ns_, open_.back().to_ns);
    }
  }

  void add(TimeSpan span, Doing doing) {
    if (span.to_ns <= span.from_ns) return;
    const bool goes_on = !parts_.empty() && parts_.back().to_ns == span.from_ns && parts_.back().doing == doing;
    if (goes_on) {
      parts_.back().to_ns = span.to_ns;
    } else {
      parts_.push_back({span, doing});
    }
  }

  // Returns what an event inside the open ones does. Communication, loading and collecting include all that they call.
  Doing doing_of(const EventColumns& events, std::uint32_t i) {
    if (!open_.empty()) {
      const Doing around = open_.back().doing;
      if (around == Doing::kCommunicating || around == Doing::kLoading || around == Doing::kCollecting) return around;
    }
    const auto [known, is_new] = told_.try_emplace(events.name(i));
    if (is_new) known->second = told_by_name(strings_.get(events.name(i)));
    if (known->second) return *known->second;
    return events.role(i) == EventRole::kOperator ? Doing::kComputing : Doing::kOther;
  }

  const StringTable& strings_;
  const HostScope& scope_;
  const StringId trace_;
  std::unordered_map<StringId, std::optional<Doing>> told_;
  std::vector<Part> parts_, open_;
  std::int64_t now_ns_ = 0;
};

// The threads of a rank, and what they do together.
class RankTimes {
 public:
  void add(ThreadTime thread, std::vector<Part> parts) {
    for (const Part& part : parts) {
      thread.doing_ns[static_cast<std::size_t>(part.doing)] += part.to_ns - part.from_ns;
      edges_.push_back({part.from_ns, static_cast<std::uint32_t>(threads_.size()), part.doing, true});
      edges_.push_back({part.to_ns, static_cast<std::uint32_t>(threads_.size()), part.doing, false});
    }
    threads_.push_back(std::move(thread));
  }

  // All threads together, then each.
  std::vector<ThreadTime> finish() {
    std::ranges::sort(edges_, {}, &Edge::at_ns);
    ThreadTime all{.root = threads_.front().root, .rank = threads_.front().rank};
    all.start_ns = std::ranges::min(threads_, {}, &ThreadTime::start_ns).start_ns;
    all.end_ns = std::ranges::max(threads_, {}, &ThreadTime::end_ns).end_ns;
    for (const ThreadTime& thread : threads_) all.events += thread.events;
    const bool are_many = threads_.size() > 1;
    std::vector<std::int64_t> alone_ns(threads_.size());
    std::array<std::int64_t, kDoings> running{};  // threads, by what they do
    std::set<std::uint32_t> computing;
    std::int64_t now_ns = all.start_ns, worked_ns = 0;
    for (const Edge& edge : edges_) {
      const std::int64_t took_ns = edge.at_ns - now_ns;
      const auto first = std::ranges::find_if(running, [](std::int64_t threads) { return threads > 0; });
      if (first != running.end()) all.doing_ns[static_cast<std::size_t>(first - running.begin())] += took_ns;
      const auto at_work =
          std::accumulate(running.begin(), running.begin() + index_of(Doing::kCommunicating), std::int64_t{0});
      worked_ns += took_ns * at_work;
      if (computing.size() == 1) alone_ns[*computing.begin()] += took_ns;
      now_ns = edge.at_ns;
      running[static_cast<std::size_t>(edge.doing)] += edge.begins ? 1 : -1;
      if (edge.doing != Doing::kComputing) continue;
      if (edge.begins) {
        computing.insert(edge.thread);
      } else {
        computing.erase(edge.thread);
      }
    }
    if (all.span_ns() > 0) all.threads_at_work = static_cast<double>(worked_ns) / static_cast<double>(all.span_ns());
    if (are_many) {
      all.alone_ns = std::accumulate(alone_ns.begin(), alone_ns.end(), std::int64_t{0});
      for (std::size_t i = 0; i < threads_.size(); ++i) threads_[i].alone_ns = alone_ns[i];
    }
    threads_.insert(threads_.begin(), std::move(all));
    return std::move(threads_);
  }

 private:
  struct Edge {
    std::int64_t at_ns = 0;
    std::uint32_t thread = 0;
    Doing doing = Doing::kOther;
    bool begins = false;
  };
  static std::ptrdiff_t index_of(Doing doing) { return static_cast<std::ptrdiff_t>(doing); }

  std::vector<ThreadTime> threads_;
  std::vector<Edge> edges_;
};

bool is_of_host(TrackKind kind) {
  return kind != TrackKind::kDevice && kind != TrackKind::kEngine && kind != TrackKind::kStream &&
         kind != TrackKind::kMemory && kind != TrackKind::kCounter;
}

}  // namespace

std::int64_t ThreadTime::idle_ns() const {
  return span_ns() - std::accumulate(doing_ns.begin(), doing_ns.end(), std::int64_t{0});
}

std::vector<ThreadTime> make_thread_times(const Capture& capture, const WorkScope& scope) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  std::vector<ThreadTime> times;
  for (const std::uint32_t root : rank_roots(capture)) {
    const HostScope in_scope(capture, scope, root);
    if (!in_scope.has_rank()) continue;
    ThreadSweep sweep(capture.strings, in_scope);
    RankTimes rank;
    bool has_any_thread = false;
    for (std::uint32_t t = 0; t < tracks.size(); ++t) {
      if (tracks[t].events.empty() || !is_of_host(tracks[t].kind) || !is_below(tracks, t, root)) continue;
      ThreadTime time{.root = root, .rank = rank_of(capture, root), .track = t};
      std::vector<Part> parts = sweep.take(tracks[t].events, time);
      if (time.events == 0) continue;
      has_any_thread = true;
      rank.add(std::move(time), std::move(parts));
    }
    if (has_any_thread) std::ranges::move(rank.finish(), std::back_inserter(times));
  }
  return times;
}

}  // namespace vizd

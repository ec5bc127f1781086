#include "analysis/graph_replay/captured_ranges.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/figures/argument_cursor.h"
#include "analysis/graph_replay/host_events.h"
#include "analysis/graph_replay/name_scan.h"

namespace vizd {
namespace {

constexpr std::string_view kModuleFrame = "nn.Module: ";
constexpr std::string_view kPieceCall = "## Call CompiledFxGraph ";
constexpr std::string_view kTriton = "triton_";

bool holds_word(std::string_view text, std::string_view word) { return text.find(word) != text.npos; }

struct CaptureLabel {
  std::int64_t size = 0;
  std::string_view mode;
};

// capture_N_MODE
std::optional<CaptureLabel> parse_label(std::string_view name) {
  NameScan scan(name);
  if (!scan.take("capture_")) return std::nullopt;
  const auto size = scan.number();
  if (!size || !scan.take("_") || scan.is_at_end()) return std::nullopt;
  return CaptureLabel{*size, scan.rest()};
}

// bs_N, bs_N_q_Q in the name of a file.
void read_size(std::string_view file, CapturedRange& range) {
  constexpr std::string_view kWord = "bs_";
  for (std::size_t at = file.find(kWord); at != file.npos; at = file.find(kWord, at + 1)) {
    if (at != 0 && file[at - 1] != '_') continue;
    NameScan scan(file.substr(at + kWord.size()));
    const auto requests = scan.number();
    if (!requests) continue;
    const auto each = scan.take("_q_") ? scan.number() : std::nullopt;
    std::int64_t size = 0;
    if (__builtin_mul_overflow(*requests, std::max<std::int64_t>(each.value_or(1), 1), &size)) continue;
    range.size = size;
    range.unit = each ? SizeUnit::kTokens : SizeUnit::kRequests;
    return;
  }
}

// What a call would do when it is replayed; kNone: no work.
EventRole kind_of_call(std::string_view name) {
  if (is_graph_launch(name)) return EventRole::kNone;
  if (holds_word(name, "Launch") && holds_word(name, "Kernel")) return EventRole::kKernel;
  if (holds_word(name, "Memcpy")) return EventRole::kMemcpy;
  return holds_word(name, "Memset") ? EventRole::kMemset : EventRole::kNone;
}

// The correlations of a trace's device work: calls with one of them ran.
std::set<ArgumentKey> find_correlations_of_work(const Capture& trace, std::uint32_t root) {
  std::set<ArgumentKey> correlations;
  const std::vector<Track>& tracks = trace.profile.tracks;
  for (std::uint32_t t = 0; t < tracks.size(); ++t) {
    if (tracks[t].arguments.empty() || !is_below(tracks, t, root)) continue;
    ArgumentCursor correlation(tracks[t], "correlation", trace.strings);
    const EventColumns& events = tracks[t].events;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (is_work(events.role(i))) correlations.insert(correlation.key_at(i).value_or(ArgumentKey()));
    }
  }
  return correlations;
}

class RangeReader {
 public:
  RangeReader(const Capture& trace, std::uint32_t root, const std::string& file, NamingSources& sources)
      : trace_(trace), file_(file), sources_(sources), host_(trace, root), root_(root) {}

  void read() {
    find_ends();
    if (ends_.empty()) return;
    ran_ = find_correlations_of_work(trace_, root_);
    find_pieces();
    find_labels();
    std::map<std::optional<std::int64_t>, std::pair<std::uint32_t, std::uint32_t>> groups;  // by label: number, ranges
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      if (sources_.ranges.size() >= kMostRanges || sources_.launch_count >= kMostLaunchesInAll) {
        sources_.unused.push_back(file_ + ": holds more captures than are read");
        return;
      }
      const End& end = ends_[i];
      const HostEvent* const label = labels_[i];
      CapturedRange range = range_told(file_.empty() ? "self" : file_,
                                       label != nullptr ? text(label->name) : std::string_view(), sources_.strings);
      range.is_self = file_.empty();
      range.begin_ns = end.begin_ns;
      const auto key = label != nullptr ? std::optional(label->start_ns) : std::nullopt;
      const auto [group, is_new] = groups.try_emplace(key, sources_.group_count, 0u);
      if (is_new) ++sources_.group_count;
      range.group = group->second.first, range.index = group->second.second++;
      read_launches(end, key.value_or(std::numeric_limits<std::int64_t>::min()), range);
      sources_.launch_count += range.launches.size();
      sources_.ranges.push_back(std::move(range));
    }
  }

 private:
  struct End {
    std::int64_t begin_ns, order;
    std::uint32_t thread;
    std::int64_t end_ns;
  };

  std::string_view text(StringId id) const { return trace_.strings.get(id); }

  StringId shared(StringId id) {
    if (id == kNoText) return kNoText;
    const auto [found, is_new] = shared_.try_emplace(id);
    if (is_new) found->second = sources_.strings.add(text(id));
    return found->second;
  }

  // Begins and ends of captures, thread by thread.
  void find_ends() {
    std::map<std::uint32_t, std::vector<std::pair<std::int64_t, std::int64_t>>> open;
    for (const HostEvent& call : host_.calls()) {
      if (holds_word(text(call.name), "StreamBeginCapture")) {
        open[call.thread].emplace_back(call.end_ns, call.order);
      } else if (holds_word(text(call.name), "StreamEndCapture") && !open[call.thread].empty()) {
        const auto [begin_ns, order] = open[call.thread].back();
        open[call.thread].pop_back();
        ends_.push_back({begin_ns, order, call.thread, call.start_ns});
      }
    }
    std::ranges::sort(ends_, {}, [](const End& end) { return std::pair(end.begin_ns, end.order); });
  }

  void find_pieces() {
    pieces_.resize(host_.threads().size());
    for (const HostThread& thread : host_.threads()) {
      const auto t = static_cast<std::size_t>(&thread - host_.threads().data());
      for (const HostEvent& event : thread.events) {
        const bool is_annotation = event.kind == HostEvent::Kind::kAnnotation;
        if (is_annotation && text(event.name).starts_with(kPieceCall)) pieces_[t].push_back(event.start_ns);
      }
    }
  }

  // The innermost label around the begin of each capture.
  void find_labels() {
    std::map<std::uint32_t, std::vector<std::size_t>> by_thread;
    for (std::size_t i = 0; i < ends_.size(); ++i) by_thread[ends_[i].thread].push_back(i);
    labels_.assign(ends_.size(), nullptr);
    for (const auto& [thread, places] : by_thread) {
      std::vector<std::int64_t> begins_ns;
      for (const std::size_t place : places) begins_ns.push_back(ends_[place].begin_ns);
      host_.around(thread, begins_ns, [&, &of = places](std::size_t k, std::span<const HostEvent* const> around) {
        for (const HostEvent* const event : around) {
          if (event->kind != HostEvent::Kind::kAnnotation || !parse_label(text(event->name))) continue;
          const HostEvent*& label = labels_[of[k]];
          if (label == nullptr || event->start_ns > label->start_ns) label = event;
        }
      });
    }
  }

  std::optional<std::int64_t> piece_at(std::uint32_t thread, std::int64_t at_ns, std::int64_t since_ns) const {
    const std::vector<std::int64_t>& starts = pieces_[thread];
    const auto begun = std::ranges::upper_bound(starts, at_ns) - std::ranges::lower_bound(starts, since_ns);
    return begun > 0 ? std::optional<std::int64_t>(begun - 1) : std::nullopt;
  }

  void read_launches(const End& end, std::int64_t since_ns, CapturedRange& range) {
    const auto calls = host_.calls();
    const auto first = std::ranges::lower_bound(calls, end.begin_ns, {}, &HostEvent::start_ns);
    const FileValue& process = host_.threads()[end.thread].process;
    std::vector<const HostEvent*> launches;
    std::map<std::uint32_t, std::vector<std::size_t>> by_thread;
    for (auto call = first; call != calls.end() && call->start_ns < end.end_ns; ++call) {
      if (kind_of_call(text(call->name)) == EventRole::kNone || host_.threads()[call->thread].process != process)
        continue;
      if (ran_.contains(correlation_of(*call))) continue;
      if (launches.size() >= kMostLaunches) break;
      by_thread[call->thread].push_back(launches.size());
      launches.push_back(&*call);
    }
    range.launches.resize(launches.size());
    for (const auto& [thread, places] : by_thread) {
      std::vector<std::int64_t> times_ns;
      for (const std::size_t place : places) times_ns.push_back(launches[place]->start_ns);
      host_.around(thread, times_ns, [&, &of = places](std::size_t k, std::span<const HostEvent* const> around) {
        CapturedLaunch& launch = range.launches[of[k]];
        launch.kind = kind_of_call(text(launches[of[k]]->name));
        launch.says = context_of(around);
        if (launch.kind == EventRole::kKernel) launch.name = name_of(*launches[of[k]], launch.says);
      });
      for (const std::size_t place : places)
        range.launches[place].says.piece = piece_at(thread, launches[place]->start_ns, since_ns);
    }
  }

  ArgumentKey correlation_of(const HostEvent& call) const {
    const StringId id = trace_.strings.find("correlation");
    for (const ArgumentColumn& column : trace_.profile.tracks[call.track].arguments) {
      if (column.name != id || column.is_hidden) continue;
      if (const auto place = column.place_of(call.event)) return argument_key(column, *place, trace_.strings);
    }
    return {};
  }

  StringId argument_of(const HostEvent& event, std::string_view name) {
    const StringId id = trace_.strings.find(name);
    for (const ArgumentColumn& column : trace_.profile.tracks[event.track].arguments) {
      if (column.name != id || column.is_hidden || column.type != ArgumentType::kText) continue;
      if (const auto place = column.place_of(event.event)) return shared(column.text(*place));
    }
    return kNoText;
  }

  StringId name_of(const HostEvent& call, const LaunchContext& says) {
    if (const StringId kernel = argument_of(call, "kernel"); kernel != kNoText) return kernel;
    const StringId operation = says.operator_name();
    const bool is_triton = operation != kNoText && sources_.strings.get(operation).starts_with(kTriton);
    return is_triton ? operation : kNoText;
  }

  LaunchContext context_of(std::span<const HostEvent* const> around) {
    LaunchContext says;
    ModulePath modules;
    const HostEvent* innermost = nullptr;
    for (const HostEvent* const event : around) {
      if (event->kind == HostEvent::Kind::kOperator) {
        says.operators.push_back(shared(event->name));
        says.calls.push_back(number_of_call(*event));
        innermost = event;
      } else if (event->kind == HostEvent::Kind::kFrame) {
        says.stack.push_back(shared(event->name));
        modules.add(text(event->name));
      }
    }
    if (!modules.path().empty()) says.module = sources_.strings.add(modules.path());
    if (modules.layer_index()) says.layer = sources_.strings.add(modules.layer());
    says.layer_index = modules.layer_index();
    if (innermost == nullptr) return says;
    says.input_dims = argument_of(*innermost, "Input Dims");
    says.input_types = argument_of(*innermost, "Input type");
    says.concrete_inputs = argument_of(*innermost, "Concrete Inputs");
    return says;
  }

  std::uint32_t number_of_call(const HostEvent& event) {
    const auto [call, is_new] = calls_.try_emplace({event.track, event.event}, sources_.call_count);
    if (is_new) ++sources_.call_count;
    return call->second;
  }

  const Capture& trace_;
  const std::string file_;
  NamingSources& sources_;
  const HostEvents host_;
  const std::uint32_t root_;
  std::vector<End> ends_;
  std::set<ArgumentKey> ran_;
  std::vector<const HostEvent*> labels_;           // by end
  std::vector<std::vector<std::int64_t>> pieces_;  // by thread the starts of compiled pieces' calls
  std::map<StringId, StringId> shared_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> calls_;  // of operators: their numbers
};

// The layer that a module is, by its name: of a class that ends in Layer or Block, its number. None: it is none.
std::optional<std::int64_t> layer_index_of(std::string_view module) {
  const std::size_t line = module.rfind('_');
  if (line == module.npos) return std::nullopt;
  NameScan digits(module.substr(line + 1));
  const auto index = digits.number();
  if (!index || !digits.is_at_end()) return std::nullopt;
  std::string_view name = module.substr(0, line);
  // UpDecoderBlock2D
  if (name.size() > 2 && name.ends_with('D') && NameScan::is_digit(name[name.size() - 2])) name.remove_suffix(2);
  return name.ends_with("Layer") || name.ends_with("Block") ? index : std::nullopt;
}

}  // namespace

void ModulePath::add(std::string_view frame) {
  if (!frame.starts_with(kModuleFrame)) return;
  const std::string_view module = frame.substr(kModuleFrame.size());
  if (const auto index = layer_index_of(module); index && !layer_index_) layer_ = module, layer_index_ = index;
  if (!path_.empty()) path_ += '/';
  path_ += module;
}

std::optional<std::int64_t> number_behind(std::string_view name, std::initializer_list<std::string_view> words) {
  for (std::size_t at = 0; at < name.size(); ++at) {
    for (const std::string_view word : words) {
      NameScan scan(name.substr(at));
      if (!scan.take(word)) continue;
      if (const auto number = scan.number()) return number;
    }
  }
  return std::nullopt;
}

RankName rank_told(const Capture& trace, std::uint32_t root) {
  for (const Fact& fact : trace.facts) {
    if (root != kNoId && fact.track != root) continue;
    if (trace.strings.get(fact.subject) != "distributedInfo" || trace.strings.get(fact.name) != "rank") continue;
    if (const auto* const number = std::get_if<std::int64_t>(&fact.value)) return std::to_string(*number);
    if (const auto* const text = std::get_if<StringId>(&fact.value)) return std::string(trace.strings.get(*text));
  }
  return std::nullopt;
}

std::string_view find_capture_label(std::string_view beginning) {
  constexpr std::string_view kQuotedLabel = "\"capture_";
  for (std::size_t at = beginning.find(kQuotedLabel); at != beginning.npos; at = beginning.find(kQuotedLabel, at + 1)) {
    const std::string_view text = beginning.substr(at + 1);
    const std::size_t end = text.find('"');
    if (end != text.npos && parse_label(text.substr(0, end))) return text.substr(0, end);
  }
  return {};
}

CapturedRange range_told(const std::string& file, std::string_view label, StringTable& strings) {
  CapturedRange range{.file = file};
  if (const auto told = parse_label(label)) {
    range.size = told->size, range.unit = SizeUnit::kTokens, range.mode = strings.add(told->mode);
  } else {
    read_size(file, range);
  }
  return range;
}

void add_captured_ranges(const Capture& trace, std::uint32_t root, const std::string& file, NamingSources& sources) {
  RangeReader(trace, root, file, sources).read();
}

}  // namespace vizd

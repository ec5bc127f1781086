#include "formats/xplane/line_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/ascii_case.h"

namespace vizd::xplane {
namespace {

constexpr StringId kNoText{kNoId};

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return c == '_' || is_digit(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
  });
}

// "copyH2DToD", in small letters: "copy", something, "to", something.
bool is_copy_name(std::string_view name) {
  if (!name.starts_with("copy") || !is_word(name)) return false;
  const std::size_t to = name.find("to", 5);
  return to != name.npos && to + 2 < name.size();
}

// The number behind "size:" or "num_bytes:".
std::optional<std::int64_t> copied_bytes(std::string_view details) {
  std::size_t best = details.npos;
  for (const std::string_view key : {"size:", "num_bytes:"}) {
    for (std::size_t at = details.find(key); at != details.npos; at = details.find(key, at + 1)) {
      const std::size_t digits = at + key.size();
      if (digits < details.size() && is_digit(details[digits])) {
        best = std::min(best, digits);
        break;
      }
    }
  }
  if (best == details.npos) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(details.data() + best, details.data() + details.size(), number);
  return failed == std::errc() ? std::optional(number) : std::nullopt;
}

// The op's name in its HLO text: "%fusion.3 = f32[…] fusion(…)".
std::string_view op_in_text(std::string_view text) {
  text = text.substr(0, text.find(" = "));
  return text.starts_with('%') ? text.substr(1) : text;
}

std::optional<std::int64_t> integer_of(const StatValue* value) {
  return value == nullptr ? std::nullopt : value->integer();
}

EventRole role_of(XlaClass work) {
  if (work == XlaClass::kMemcpy) return EventRole::kMemcpy;
  return work == XlaClass::kMemset ? EventRole::kMemset : EventRole::kKernel;
}

std::string_view category_of(EventRole role) {
  switch (role) {
    case EventRole::kKernel:
      return "kernel";
    case EventRole::kMemcpy:
      return "gpu_memcpy";
    case EventRole::kMemset:
      return "gpu_memset";
    case EventRole::kCall:
      return "cuda_runtime";
    default:
      return "";
  }
}

}  // namespace

void LineReader::begin_plane(Plane& plane, std::uint32_t device) {
  plane_ = &plane;
  device_ = device;
  metadata_places_.clear();
  host_.planes.push_back({std::string(plane.name), {}, plane.metadata.size(), plane.names.size()});
  host_.lines += plane.line_count;
}

bool LineReader::read(const PlaneLine& line, std::uint32_t track, bool with_arguments) {
  with_arguments_ = with_arguments;
  begin_line(line, track);
  for (const LinePart& part : line.parts) {
    ProtobufFields fields(part.message);
    while (fields.next()) {
      if (fields.is(4, WireType::kBytes) && !read_event(fields.bytes(), part.timestamp_ns)) return false;
    }
  }
  end_line();
  return true;
}

void LineReader::begin_line(const PlaneLine& line, std::uint32_t track) {
  line_ = &line;
  track_place_ = track;
  track_ = &capture_.profile.tracks[track];
  counts_ = &host_.planes.back().lines.emplace_back();
  counts_->id = line.id;
  counts_->name = line.name;
  const std::string_view device = plane_->device();
  const bool is_device = !device.empty() && device != "CPU";
  is_runs_ = is_device && line.name == "XLA Modules";
  is_transfers_ = is_device && line.name == "Async XLA Ops";
  is_steps_ = plane_->name.starts_with("/device:") && line.name == "Steps";
  const bool is_operations = line.name == "XLA Ops" || line.name == "Sparse Core Ops";
  lane_ = device.starts_with("GPU") && stream_number(line.name) ? Lane::kStream
          : device.starts_with("TPU") && is_operations          ? Lane::kOps
          : device == "CPU"                                     ? Lane::kCpu
                                                                : Lane::kOther;
  first_work_ = host_.work.size();
  has_own_clock_ = lane_ == Lane::kOps;
  ++line_number_;
}

void LineReader::end_line() {
  const std::size_t count = host_.work.size() - first_work_;
  if (count == 0) return;
  if (!has_own_clock_) {
    for (std::size_t i = first_work_; i < host_.work.size(); ++i) host_.work[i].timed = host_.work[i].drawn;
  }
  XlaStream stream{
      .device = device_, .number = {}, .is_nested = lane_ != Lane::kStream, .first = first_work_, .count = count};
  if (lane_ == Lane::kStream) stream.number = *stream_number(line_->name);
  if (lane_ == Lane::kCpu) stream.number = capture_.strings.add(line_->name);
  host_.streams.push_back(stream);
}

std::optional<LineReader::RawEvent> LineReader::read_fields(std::string_view message) {
  RawEvent event;
  stats_.clear();
  event_stats_.clear();
  ProtobufFields fields(message);
  while (fields.next()) {
    if (fields.is(1, WireType::kVarint)) {
      event.metadata = fields.integer();
    } else if (fields.is(2, WireType::kVarint)) {
      event.offset_ps = fields.integer();
      event.is_aggregated = false;
    } else if (fields.is(3, WireType::kVarint)) {
      event.dur_ps = fields.integer();
    } else if (fields.is(4, WireType::kBytes)) {
      Stat& stat = event_stats_.emplace_back();
      if (!read_stat(fields.bytes(), plane_->names, stat, host_.unknown_fields)) return std::nullopt;
      ++host_.stats;
      auto& types = host_.stat_types[stat.name->id];
      if (stat.value.type != StatType::kNone) ++types[static_cast<std::size_t>(stat.value.type)];
      stats_.set(stat);
    } else if (fields.is(5, WireType::kVarint)) {
      event.is_aggregated = true;
      event.offset_ps = 0;
    } else {
      ++host_.unknown_fields;
    }
  }
  return fields.is_broken() ? std::nullopt : std::optional(event);
}

bool LineReader::read_event(std::string_view message, std::int64_t timestamp_ns) {
  const auto raw = read_fields(message);
  if (!raw) return false;
  Timed event;
  event.metadata = plane_->find_metadata(raw->metadata);
  ++host_.events;
  ++counts_->events;
  if (event.metadata == nullptr) ++host_.unknown_metadata;
  if (raw->dur_ps && *raw->dur_ps < 0) ++host_.negative_durations;
  if (raw->is_aggregated) {
    ++host_.aggregated;
    return true;
  }
  event.name_id =
      event.metadata != nullptr ? event.metadata->name_id : capture_.strings.add(fmt::format("{}", raw->metadata));
  event.name = capture_.strings.get(event.name_id);
  if (!place(event, *raw, timestamp_ns)) {
    ++impossible_times_;
    return true;
  }
  count(event);
  const EventRole role = add_work(event);
  add_links(event);
  const bool is_call = role == EventRole::kNone && plane_->is_host() && stats_.integer(Known::kCorrelation);
  add_to_track(event, is_call ? EventRole::kCall : role);
  return true;
}

// False where its time is beyond what numbers of 64 bits hold.
bool LineReader::place(Timed& event, const RawEvent& raw, std::int64_t timestamp_ns) {
  constexpr std::int64_t kMost_ps = std::int64_t{1} << 62;
  std::int64_t line_ns = 0, line_ps = 0;
  if (__builtin_sub_overflow(timestamp_ns, host_.origin_ns, &line_ns) ||
      __builtin_mul_overflow(line_ns, std::int64_t{1000}, &line_ps) ||
      __builtin_add_overflow(line_ps, raw.offset_ps, &event.span.start_ps))
    return false;
  const std::int64_t dur_ps = std::max<std::int64_t>(raw.dur_ps.value_or(0), 0);
  if (event.span.start_ps > kMost_ps || event.span.start_ps < -kMost_ps || dur_ps > kMost_ps) return false;
  event.span.end_ps = event.span.start_ps + dur_ps;
  event.is_instant = raw.dur_ps.value_or(0) == 0;
  event.place = {track_place_, static_cast<std::uint32_t>(track_->events.size())};
  return track_->events.size() < EventColumns::kMostEvents;
}

void LineReader::count(const Timed& event) {
  const auto extend = [&](std::optional<XlaSpan>& extent) {
    if (!extent) extent = event.span;
    extent->start_ps = std::min(extent->start_ps, event.span.start_ps);
    extent->end_ps = std::max(extent->end_ps, event.span.end_ps);
  };
  extend(host_.extent);
  extend(counts_->extent);
  counts_->total_ps += event.span.dur_ps();
  host_.instants += event.is_instant ? 1 : 0;
  counts_->instants += event.is_instant ? 1 : 0;
}

void LineReader::add_to_track(const Timed& event, EventRole role) {
  const std::int64_t start_ns = floor_ns(event.span.start_ps), end_ns = floor_ns(event.span.end_ps);
  Event made{.start_ns = start_ns + shift_ns_, .dur_ns = end_ns - start_ns, .name = event.name_id};
  made.kind = is_transfers_                                  ? EventKind::kAsynchronous
              : event.is_instant && role == EventRole::kNone ? EventKind::kInstant
                                                             : EventKind::kSpan;
  made.role = role;
  if (role != EventRole::kNone) made.category = capture_.strings.add(category_of(role));
  track_->events.push_back(made);
  if (!with_arguments_) return;
  for (const Stat& stat : event_stats_) add_argument(stat);
}

void LineReader::add_argument(const Stat& stat) {
  if (stat.value.type == StatType::kNone || stat.value.type == StatType::kBytes) return;
  constexpr std::uint64_t kMostInteger = std::numeric_limits<std::int64_t>::max();
  // No number of the model has 64 bits without a sign: such a one is kept as its digits.
  const bool is_long = stat.value.type == StatType::kUnsigned && stat.value.bits > kMostInteger;
  const ArgumentType type = stat.value.type == StatType::kDouble  ? ArgumentType::kReal
                            : stat.value.is_integer() && !is_long ? ArgumentType::kInteger
                                                                  : ArgumentType::kText;
  if (stat.name->place >= columns_.size()) columns_.resize(stat.name->place + 1);
  Columns& of_name = columns_[stat.name->place];
  if (of_name.line != line_number_) of_name = {.line = line_number_};
  std::uint32_t& column = of_name.of_type[static_cast<std::size_t>(type) - 1];
  std::vector<ArgumentColumn>& columns = track_->arguments;
  if (column == kNoId) {
    column = static_cast<std::uint32_t>(columns.size());
    ArgumentColumn& made = columns.emplace_back();
    made.name = stat.name->id;
    made.type = type;
  }
  const auto event = static_cast<std::uint32_t>(track_->events.size() - 1);
  if (type == ArgumentType::kReal) return columns[column].push_real(event, stat.value.real());
  const auto text = [&] { return static_cast<std::int64_t>(index(capture_.strings.add(stat.value.as_text()))); };
  columns[column].push_number(event,
                              type == ArgumentType::kInteger ? static_cast<std::int64_t>(stat.value.bits) : text());
}

EventRole LineReader::add_work(const Timed& event) {
  if (lane_ == Lane::kOther) return EventRole::kNone;
  const auto offset = stats_.integer(Known::kDeviceOffset), dur = stats_.integer(Known::kDeviceDuration);
  const bool has_times = offset && dur;
  has_own_clock_ = has_own_clock_ && has_times;
  const auto is = class_of(event);
  if (!is) return EventRole::kNone;
  XlaWork& work = host_.work.emplace_back();
  work.drawn = event.span;
  if (has_own_clock_) {
    work.timed.start_ps = *offset;
    has_own_clock_ = !__builtin_add_overflow(*offset, *dur, &work.timed.end_ps) && *dur >= 0;
  }
  work.kind = kind_of(event, *is);
  if (lane_ == Lane::kStream) add_details(event, work);
  return role_of(*is);
}

std::optional<XlaClass> LineReader::class_of(const Timed& event) const {
  if (lane_ == Lane::kOps) return XlaClass::kOp;
  if (lane_ == Lane::kCpu) {
    const bool is_op =
        stats_.has(Known::kHloOp) && !stats_.has(Known::kCorrelation) && !event.name.starts_with("end: ");
    return is_op ? std::optional(XlaClass::kOp) : std::nullopt;
  }
  if (stats_.has(Known::kKernelDetails)) return XlaClass::kKernel;
  if (stats_.has(Known::kMemcpyDetails)) return XlaClass::kMemcpy;
  if (stats_.has(Known::kMemsetDetails)) return XlaClass::kMemset;
  if (stats_.has(Known::kMemalloc) || stats_.has(Known::kMemfree) || stats_.has(Known::kMemoryResidency))
    return std::nullopt;
  const std::string name = ascii_lower(event.name);
  if (name.starts_with("memcpy") || is_copy_name(name)) return XlaClass::kMemcpy;
  return name.starts_with("memset") ? XlaClass::kMemset : XlaClass::kKernel;
}

StringId LineReader::text_id(const StatValue* value) {
  return value == nullptr || value->type == StatType::kBytes ? kNoText : capture_.strings.add(value->as_text());
}

std::uint32_t LineReader::kind_of(const Timed& event, XlaClass is) {
  const auto find = [&](Known known) {
    const StatValue* const own = stats_.find(known);
    return own != nullptr || event.metadata == nullptr ? own : event.metadata->find(known);
  };
  XlaWorkKind kind{.work = is, .name = event.name_id, .metadata = metadata_of(event.metadata)};
  kind.op = text_id(find(Known::kHloOp));
  kind.module = text_id(find(Known::kHloModule));
  if (const auto program = integer_of(find(Known::kProgram))) kind.program_id = static_cast<std::uint64_t>(*program);
  if (is == XlaClass::kOp) {
    const std::string_view shown = event.metadata != nullptr ? event.metadata->display_name : std::string_view();
    if (kind.op == kNoText) kind.op = capture_.strings.add(shown.empty() ? op_in_text(event.name) : shown);
    kind.name = kind.op;
  }
  const auto [place, is_new] = kinds_.try_emplace({kind.name, kind.op, kind.module, kind.program_id, kind.metadata, is},
                                                  static_cast<std::uint32_t>(host_.kinds.size()));
  if (is_new) host_.kinds.push_back(kind);
  return place->second;
}

std::uint32_t LineReader::metadata_of(const EventMetadata* metadata) {
  if (metadata == nullptr || metadata->stats.empty()) return kNoId;
  const auto [place, is_new] =
      metadata_places_.try_emplace(metadata, static_cast<std::uint32_t>(host_.metadata.size()));
  if (!is_new) return place->second;
  const auto text = [&](Known known) {
    const StatValue* const value = metadata->find(known);
    return value != nullptr && value->is_text() ? capture_.strings.add(value->text) : StringId{};
  };
  host_.metadata.push_back({.category = text(Known::kCategory),
                            .op_name = text(Known::kOpName),
                            .source = text(Known::kSource),
                            .flops = integer_of(metadata->find(Known::kFlops)),
                            .model_flops = integer_of(metadata->find(Known::kModelFlops)),
                            .bytes_accessed = integer_of(metadata->find(Known::kBytesAccessed))});
  return place->second;
}

void LineReader::add_details(const Timed& event, XlaWork& work) {
  work.details = capture_.strings.add(stats_.text(Known::kKernelDetails));
  const XlaClass is = host_.kinds[work.kind].work;
  if (is != XlaClass::kKernel) {
    std::string_view details = stats_.text(Known::kMemcpyDetails);
    if (details.empty()) details = stats_.text(Known::kMemsetDetails);
    work.bytes_copied = copied_bytes(details).value_or(XlaWork::kUnknown);
  }
  if (const auto correlation = stats_.integer(Known::kCorrelation))
    links_.work.push_back({host_.work.size() - 1, static_cast<std::uint64_t>(*correlation), event.place});
}

void LineReader::add_links(const Timed& event) {
  add_flow_ends(event);
  const auto correlation = stats_.integer(Known::kCorrelation);
  if (plane_->is_host() && correlation) {
    const bool is_new =
        links_.calls
            .try_emplace(static_cast<std::uint64_t>(*correlation), static_cast<std::uint32_t>(host_.calls.size()))
            .second;
    if (is_new) {
      host_.calls.push_back({event.name_id, event.span});
      links_.call_places.push_back(event.place);
      host_.correlated_calls = host_.calls.size();
    }
  }
  if (is_transfers_) host_.devices[device_].transfers.push_back(event.span);
  const auto step = stats_.integer(Known::kStepNumber);
  if (is_steps_) {
    host_.steps.push_back({std::string(plane_->name.substr(8)), std::string(plane_->name), line_->id, event.name_id,
                           std::nullopt, event.span});
  } else if (plane_->is_host() && step) {
    host_.steps.push_back({std::nullopt, std::string(plane_->name), line_->id, event.name_id, step, event.span});
  }
  if (event.name == "MemoryAllocation" || event.name == "MemoryDeallocation") add_allocator(event);
}

void LineReader::add_flow_ends(const Timed& event) {
  const auto key = [&](Known type, Known number) -> std::optional<FlowKey> {
    const auto of = stats_.integer(type), id = stats_.integer(number);
    return of && id ? std::optional(FlowKey{*of, static_cast<std::uint64_t>(*id)}) : std::nullopt;
  };
  const auto consumed = key(Known::kConsumerType, Known::kConsumer);
  if (is_runs_) {
    const auto [module, program_id] = split_program(event.name);
    host_.runs.push_back({device_, capture_.strings.add(module), program_id, event.span});
    links_.run_keys.push_back(consumed);
  }
  if (const auto made = key(Known::kProducerType, Known::kProducer)) {
    ++host_.flows[made->first].producers;
    links_.producers.try_emplace(*made, Links::Producer{{event.name_id, event.span}, event.place});
  }
  if (consumed) {
    ++host_.flows[consumed->first].consumers;
    links_.consumers.push_back({*consumed, event.place});
  }
}

void LineReader::add_allocator(const Timed& event) {
  const StatValue* name = stats_.find(Known::kAllocatorName);
  if (name == nullptr) name = stats_.find(Known::kIndexOnHost);
  const auto number = [&](Known known) { return stats_.integer(known).value_or(0); };
  const auto sum = [](std::int64_t a, std::int64_t b) {
    std::int64_t total = 0;
    return __builtin_add_overflow(a, b, &total) ? std::numeric_limits<std::int64_t>::max() : total;
  };
  const auto [place, is_new] = allocators_.try_emplace(name == nullptr ? "" : name->as_text(), host_.allocators.size());
  if (is_new) {
    host_.allocators.push_back({.name = place->first});
    allocator_events_.emplace_back();
  }
  XlaAllocator& allocator = host_.allocators[place->second];
  const std::int64_t used = sum(number(Known::kBytesAllocated), number(Known::kBytesReserved));
  const std::int64_t capacity = sum(used, number(Known::kBytesAvailable)), lifetime = number(Known::kPeakBytes);
  const bool is_first = allocator.events++ == 0;
  if (event.name == "MemoryAllocation") {
    ++allocator.allocations;
    allocator.allocated_bytes = sum(allocator.allocated_bytes, number(Known::kAllocationBytes));
  } else {
    ++allocator.deallocations;
  }
  if (is_first || used > allocator.peak_bytes ||
      (used == allocator.peak_bytes && event.span.start_ps < allocator.peak_ps)) {
    allocator.peak_bytes = used;
    allocator.peak_ps = event.span.start_ps;
  }
  allocator.lifetime_peak_bytes = is_first ? lifetime : std::max(allocator.lifetime_peak_bytes, lifetime);
  allocator.capacity_bytes = is_first ? capacity : std::max(allocator.capacity_bytes, capacity);
  AllocatorEvent& made = allocator_events_[place->second].emplace_back();
  made.at_ns = floor_ns(event.span.start_ps) + shift_ns_;
  made.allocated_bytes = number(Known::kBytesAllocated);
  made.reserved_bytes = number(Known::kBytesReserved);
  made.is_allocation = event.name == "MemoryAllocation";
  made.size_bytes = number(Known::kAllocationBytes);
  if (const auto address = stats_.integer(Known::kAddress)) made.address = static_cast<std::uint64_t>(*address);
  made.op = capture_.strings.add(stats_.text(Known::kOpName));
}

}  // namespace vizd::xplane

#include "formats/torch_memory/snapshot_sink.h"

#include <fmt/core.h>

#include <algorithm>
#include <new>
#include <optional>

#include "base/utf8.h"

namespace vizd::torch_memory {
namespace {

using pickle::Kind;
using pickle::Node;

constexpr std::uint64_t kMicrosecond_ns = 1000;
constexpr std::uint64_t kMostTime_us = static_cast<std::uint64_t>(INT64_MAX) / kMicrosecond_ns;

constexpr std::string_view kActionNames[] = {"alloc",        "free_requested", "free_completed", "segment_alloc",
                                             "segment_free", "segment_map",    "segment_unmap",  "snapshot",
                                             "oom",          "annotate"};

std::size_t place_of(Node node, std::size_t places) { return (node.at * 0x9E3779B1u >> 16) % places; }

ThingKind kind_of_keys(std::uint64_t keys) {
  const auto has = [&](Key key) { return (keys & bit(key)) != 0; };
  if (has(Key::kAction)) return ThingKind::kEntry;
  if (has(Key::kBlocks) || has(Key::kTotalSize)) return ThingKind::kSegment;
  if (has(Key::kState)) return ThingKind::kBlock;
  if (has(Key::kStage)) return ThingKind::kAnnotation;
  if (has(Key::kFilename)) return ThingKind::kFrame;
  return ThingKind::kLooseDict;
}

}  // namespace

SnapshotSink::SnapshotSink(std::span<const std::byte> bytes, Snapshot& into)
    : bytes_(bytes), out_(into), visits_(bytes.size()) {
  for (const std::string_view name : kActionNames) out_.actions.push_back(out_.strings.add(name));
  out_.streams.emplace_back();
  out_.words.emplace_back();
  // An entry takes at least so much of a pickle; room that is not touched costs nothing.
  constexpr std::size_t kLeastEntryBytes = 64;
  Entries& entries = out_.entries;
  const auto reserve = [&](auto&... columns) { (columns.reserve(bytes.size() / kLeastEntryBytes), ...); };
  reserve(entries.action, entries.flags, entries.address, entries.size_bytes, entries.time_ns, entries.stream);
  reserve(entries.pool, entries.stack, entries.words, is_wrong, things_);
}

bool SnapshotSink::may_visit(std::uint64_t items) {
  if (visits_.take(items)) return true;
  ++out_.skipped["rests of lists that the file repeats beyond its own size"];
  return false;
}

// --- values

std::string_view SnapshotSink::text(Node node) const {
  if (!node.is(Kind::kString)) return {};
  return {reinterpret_cast<const char*>(bytes_.data()) + node.at, node.count()};
}

std::optional<WholeNumber> SnapshotSink::whole(Node node) const {
  constexpr std::uint32_t kBytes = 8;
  if (node.is(Kind::kInt)) {
    const std::int64_t value = static_cast<std::int32_t>(node.at);
    return WholeNumber{static_cast<std::uint64_t>(value < 0 ? -value : value), value < 0};
  }
  if (!node.is(Kind::kLong)) return std::nullopt;
  const auto byte = [&](std::uint32_t i) { return std::to_integer<std::uint64_t>(bytes_[node.at + i]); };
  const std::uint32_t count = node.count();
  const bool is_negative = count > 0 && byte(count - 1) >= 0x80;
  const std::uint64_t fill = is_negative ? 0xFF : 0;
  std::uint64_t value = 0;
  for (std::uint32_t i = kBytes; i-- > 0;) value = value << 8 | (i < count ? byte(i) : fill);
  for (std::uint32_t i = kBytes; i < count; ++i) {
    if (byte(i) != fill) return std::nullopt;
  }
  if (is_negative && value == 0) return std::nullopt;  // -2^64
  return WholeNumber{is_negative ? ~value + 1 : value, is_negative};
}

std::optional<std::uint64_t> SnapshotSink::unsigned_of(Node node) const {
  const auto number = whole(node);
  return number && !number->is_negative ? std::optional(number->magnitude) : std::nullopt;
}

std::optional<std::int64_t> SnapshotSink::signed_of(Node node) const {
  const auto number = whole(node);
  if (!number || number->magnitude > INT64_MAX) return std::nullopt;
  const auto value = static_cast<std::int64_t>(number->magnitude);
  return number->is_negative ? -value : value;
}

std::uint32_t SnapshotSink::container_of(Node node) {
  return node.is(Kind::kList) || node.is(Kind::kDict) || node.is(Kind::kSet) ? node.at : kNoId;
}

const SnapshotSink::Pairs* SnapshotSink::loose_dict(std::uint32_t container) const {
  const Thing found = thing(container);
  return found.kind() == ThingKind::kLooseDict ? &loose_dicts_[found.number()] : nullptr;
}

Key SnapshotSink::key(Node node) {
  KnownKey& known = known_keys_[place_of(node, known_keys_.size())];
  if (known.node == node && node.is(Kind::kString)) return known.key;
  known = {node, key_of(text(node))};
  return known.key;
}

StringId SnapshotSink::string(Node node) { return out_.strings.add(text(node)); }

// The number of the next row of a table of that size.
std::uint32_t SnapshotSink::number_for(std::size_t size) const {
  if (size >= Thing::kMost) throw std::bad_alloc();  // a pickle of 4 GiB holds no more
  return static_cast<std::uint32_t>(size);
}

// --- lists and tuples

std::uint32_t SnapshotSink::tuple(std::span<const Node> items) {
  if (items.size() != 2) return kNoPlainPool;
  const auto first = signed_of(items[0]), second = signed_of(items[1]);
  if (!first || !second) return kNoPlainPool;
  return pool_number({*first, *second});
}

std::uint32_t SnapshotSink::pool_number(const Pool& pool) {
  if (last_pool_number_ != kNoId && pool == last_pool_) return last_pool_number_;
  const auto [place, is_new] = pool_index_.try_emplace(pool, static_cast<std::uint32_t>(out_.pools.size()));
  if (is_new) out_.pools.push_back(pool);
  last_pool_ = pool;
  last_pool_number_ = place->second;
  return place->second;
}

std::uint32_t SnapshotSink::container(Kind kind) {
  const std::uint32_t number = number_for(things_.size());
  things_.push_back(Thing::make(kind == Kind::kDict ? ThingKind::kNewDict : ThingKind::kNewList));
  return number;
}

void SnapshotSink::extend(Node container, std::span<const Node> items) {
  if (container.is(Kind::kDict)) return extend_dict(container.at, items);
  const ThingKind kind = things_[container.at].kind();
  for (const SequenceKind& of : {kFramesOfStacks, kLinesOfStacks}) {
    const bool begins = kind == ThingKind::kNewList && !items.empty() && is_item(items[0], of);
    if (begins || kind == of.kind || kind == of.long_kind) return fill_sequence(container.at, items, of);
  }
  add_to_list(container.at, items);
}

bool SnapshotSink::is_item(Node item, const SequenceKind& of) const {
  if (of.kind == ThingKind::kLines) return item.is(Kind::kString);
  return item.is(Kind::kDict) && things_[item.at].kind() == ThingKind::kFrame;
}

std::uint32_t SnapshotSink::number_of(Node item) {
  if (item.is(Kind::kDict)) return things_[item.at].number();
  const std::string_view line = text(item);
  if (line.size() > kMostLineBytes) ++out_.skipped["ends of lines of a forward stack beyond 4,096 bytes"];
  return static_cast<std::uint32_t>(out_.strings.add(cut_text(line, kMostLineBytes)));
}

void SnapshotSink::fill_sequence(std::uint32_t at, std::span<const Node> items, const SequenceKind& of) {
  scratch_.clear();
  for (const Node item : items) {
    if (!is_item(item, of)) {
      ++out_.skipped[fmt::format("what stands among the {} and is none", of.items)];
    } else if (scratch_.size() < kMostFrames) {
      scratch_.push_back(number_of(item));
    } else {
      ++out_.skipped[fmt::format("{} beyond 65,536", of.items)];
    }
  }
  const Thing before = things_[at];
  SequenceTable& table = out_.*of.table;
  if (before.kind() == ThingKind::kNewList) {
    things_[at] = Thing::make(of.kind, number_for(table.add(scratch_)));
    return;
  }
  if (before.kind() == of.kind) {
    things_[at] = Thing::make(of.long_kind, number_for(long_stacks_.size()));
    const auto numbers = table.get(before.number());
    long_stacks_.push_back({.numbers = {numbers.begin(), numbers.end()}});
  }
  LongStack& stack = long_stacks_[things_[at].number()];
  const std::size_t room = kMostFrames - stack.numbers.size();
  if (scratch_.size() > room) {
    out_.skipped[fmt::format("{} beyond 65,536", of.items)] += scratch_.size() - room;
    scratch_.resize(room);
  }
  stack.numbers.insert(stack.numbers.end(), scratch_.begin(), scratch_.end());
}

std::uint32_t SnapshotSink::sequence_of(Node node, const SequenceKind& of) {
  if (!node.is(Kind::kList)) return 0;
  const Thing found = things_[node.at];
  if (found.kind() == of.kind) return found.number();
  if (found.kind() != of.long_kind) return 0;
  LongStack& stack = long_stacks_[found.number()];
  if (stack.size != stack.numbers.size()) {
    if (!may_visit(stack.numbers.size())) return 0;
    stack.stack = (out_.*of.table).add(stack.numbers);
    stack.size = static_cast<std::uint32_t>(stack.numbers.size());
  }
  return stack.stack;
}

void SnapshotSink::add_to_list(std::uint32_t at, std::span<const Node> items) {
  for (const Node item : items) {
    const std::uint32_t container = container_of(item);
    if (container == kNoId) continue;  // texts and numbers say nothing in any list that is read
    if (things_[at].kind() != ThingKind::kList) {
      things_[at] = Thing::make(ThingKind::kList, number_for(lists_.size()));
      lists_.emplace_back();
    }
    List& list = lists_[things_[at].number()];
    const Thing of = things_[container];
    const bool is_row = of.kind() == ThingKind::kEntry || of.kind() == ThingKind::kBlock ||
                        of.kind() == ThingKind::kSegment || of.kind() == ThingKind::kAnnotation;
    is_row ? add_run(list, of.kind(), of.number()) : add_run(list, ThingKind::kList, container);
  }
}

void SnapshotSink::add_run(List& list, ThingKind kind, std::uint32_t begin) {
  if (list.last != kNoId && runs_[list.last].kind == kind && runs_[list.last].end == begin) {
    ++runs_[list.last].end;
    return;
  }
  const std::uint32_t run = number_for(runs_.size());
  runs_.push_back({kind, begin, begin + 1});
  (list.last == kNoId ? list.first : runs_[list.last].next) = run;
  list.last = run;
}

// --- dicts

void SnapshotSink::extend_dict(std::uint32_t at, std::span<const Node> pairs) {
  ThingKind kind = things_[at].kind();
  if (kind != ThingKind::kNewDict && kind != ThingKind::kLooseDict) return fill(things_[at], at, pairs);
  std::uint64_t keys = 0;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) keys |= bit(key(pairs[i]));
  kind = kind_of_keys(keys);
  if (kind == ThingKind::kLooseDict) {
    if (things_[at].kind() == ThingKind::kNewDict) {
      things_[at] = Thing::make(kind, number_for(loose_dicts_.size()));
      loose_dicts_.emplace_back();
    }
    Pairs& loose = loose_dicts_[things_[at].number()];
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) loose.emplace_back(pairs[i], pairs[i + 1]);
    return;
  }
  std::vector<Node> earlier;  // what came before the key that tells what it is
  if (things_[at].kind() == ThingKind::kLooseDict) {
    for (const auto& [name, value] : std::exchange(loose_dicts_[things_[at].number()], {})) {
      earlier.push_back(name);
      earlier.push_back(value);
    }
  }
  if (kind == ThingKind::kFrame) {
    things_[at] = Thing::make(kind, number_for(add_frame({})));
  } else if (kind == ThingKind::kEntry) {
    const std::uint32_t row = number_for(out_.entries.size());
    Entries& entries = out_.entries;
    entries.action.push_back(Action::kOther);
    entries.flags.push_back(0);
    entries.address.push_back(0);
    entries.size_bytes.push_back(0);
    entries.time_ns.push_back(kNoTime);
    entries.stream.push_back(0);
    entries.pool.push_back(kNoPool);
    entries.stack.push_back(0);
    entries.words.push_back(0);
    is_wrong.push_back(kLacksAction | kLacksSize);
    things_[at] = Thing::make(kind, row);
  } else if (kind == ThingKind::kBlock) {
    things_[at] = Thing::make(kind, number_for(raw_blocks.size()));
    raw_blocks.emplace_back();
  } else if (kind == ThingKind::kSegment) {
    things_[at] = Thing::make(kind, number_for(raw_segments.size()));
    raw_segments.emplace_back().segment.pool = pool_number({});  // of old versions, which have no others
  } else {
    things_[at] = Thing::make(kind, number_for(out_.annotations.size()));
    out_.annotations.emplace_back();
  }
  if (!earlier.empty()) fill(things_[at], at, earlier);
  fill(things_[at], at, pairs);
}

void SnapshotSink::fill(Thing thing, std::uint32_t at, std::span<const Node> pairs) {
  switch (thing.kind()) {
    case ThingKind::kEntry:
      return fill_entry(thing.number(), pairs);
    case ThingKind::kFrame:
      return fill_frame(thing.number(), at, pairs);
    case ThingKind::kBlock:
      return fill_block(raw_blocks[thing.number()], pairs);
    case ThingKind::kSegment:
      return fill_segment(raw_segments[thing.number()], pairs);
    default:
      return fill_annotation(out_.annotations[thing.number()], pairs);
  }
}

std::uint32_t SnapshotSink::add_frame(const Frame& frame) {
  std::uint32_t hash = mix_hash(static_cast<std::uint32_t>(frame.name), static_cast<std::uint32_t>(frame.file));
  hash = mix_hash(hash, frame.line);
  const auto found = frame_index_.find(hash, [&](std::uint32_t i) { return out_.frames[i] == frame; });
  if (found != HashIndex::kNone) return found;
  const auto number = static_cast<std::uint32_t>(out_.frames.size());
  out_.frames.push_back(frame);
  frame_index_.add(hash, number);
  return number;
}

void SnapshotSink::fill_frame(std::uint32_t number, std::uint32_t at, std::span<const Node> pairs) {
  Frame frame = out_.frames[number];
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const Node value = pairs[i + 1];
    switch (key(pairs[i])) {
      case Key::kName:
        frame.name = string(value);
        break;
      case Key::kFilename:
        frame.file = string(value);
        break;
      case Key::kLine: {
        const auto line = unsigned_of(value);
        frame.line = line && *line < kNoId ? static_cast<std::uint32_t>(*line) : 0;
        break;
      }
      case Key::kNotKept:
        break;
      default:
        ++other_keys[std::string(text(pairs[i]))];
    }
  }
  things_[at] = Thing::make(ThingKind::kFrame, number_for(add_frame(frame)));
}

std::int64_t SnapshotSink::time_of(Node value) {
  const auto time_us = unsigned_of(value);
  if (time_us && *time_us <= kMostTime_us) return static_cast<std::int64_t>(*time_us * kMicrosecond_ns);
  ++out_.skipped["times that no clock can have"];
  return kNoTime;
}

std::uint32_t SnapshotSink::stream_of(Node value, bool& is_wrong_too) {
  const auto number = whole(value);
  if (!number) {
    is_wrong_too = true;
    return 0;
  }
  const Stream stream{number->magnitude, number->is_negative};
  if (stream == out_.streams[last_stream_]) return last_stream_;
  const auto found = std::ranges::find(out_.streams, stream);
  last_stream_ = static_cast<std::uint32_t>(found - out_.streams.begin());
  if (found == out_.streams.end()) {
    constexpr std::size_t kMostStreams = 4096;  // looked for one after another
    if (out_.streams.size() == kMostStreams) {
      last_stream_ = 0;
      is_wrong_too = true;
    } else {
      out_.streams.push_back(stream);
    }
  }
  return last_stream_;
}

void SnapshotSink::set_action(std::uint32_t row, Node value) {
  if (!value.is(Kind::kString)) {
    is_wrong[row] |= kWrongAction;
    return;
  }
  is_wrong[row] &= static_cast<std::uint8_t>(~(kLacksAction | kWrongAction));
  KnownAction& known = known_actions_[place_of(value, known_actions_.size())];
  if (known.node != value) {
    const StringId name = string(value);
    const auto found = std::ranges::find(out_.actions, name);
    if (found == out_.actions.end() && out_.actions.size() == kMostActions) {
      is_wrong[row] |= kWrongAction;
      return;
    }
    known = {value, static_cast<std::uint8_t>(found - out_.actions.begin())};
    if (found == out_.actions.end()) out_.actions.push_back(name);
  }
  out_.entries.action[row] = static_cast<Action>(known.action);
}

std::uint32_t SnapshotSink::words_with(std::uint32_t number, Key key, Node value) {
  EntryWords words = out_.words[number];
  if (key == Key::kForwardFrames) {
    words.forward = sequence_of(value, kLinesOfStacks);
  } else if (key == Key::kCompileContext) {
    // A text of its own in each entry, and nearly always the same one.
    const std::string_view context = text(value);
    if (context != last_context_) {
      last_context_ = context;
      last_context_id_ = string(value);
    }
    words.compile_context = last_context_id_;
  } else {
    if (value != last_metadata_) {
      last_metadata_ = value;
      last_metadata_id_ = string(value);
    }
    (key == Key::kCategory ? words.category : words.user_metadata) = last_metadata_id_;
  }
  if (words == EntryWords{}) return 0;
  if (words == last_words_) return last_words_number_;
  last_words_ = words;
  std::uint32_t hash = words.forward;
  for (const StringId id : {words.compile_context, words.user_metadata, words.category})
    hash = mix_hash(hash, static_cast<std::uint32_t>(id));
  last_words_number_ = words_index_.find(hash, [&](std::uint32_t i) { return out_.words[i] == words; });
  if (last_words_number_ == HashIndex::kNone) {
    last_words_number_ = static_cast<std::uint32_t>(out_.words.size());
    out_.words.push_back(words);
    words_index_.add(hash, last_words_number_);
  }
  return last_words_number_;
}

// Long: one case a key.
void SnapshotSink::fill_entry(std::uint32_t row, std::span<const Node> pairs) {
  Entries& entries = out_.entries;
  std::uint8_t wrong = is_wrong[row];
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const Node value = pairs[i + 1];
    switch (const Key name = key(pairs[i])) {
      case Key::kAction:
        is_wrong[row] = wrong;
        set_action(row, value);
        wrong = is_wrong[row];
        break;
      case Key::kAddr:
      case Key::kDeviceFree:
        if (const auto address = unsigned_of(value)) {
          entries.address[row] = *address;
          entries.flags[row] |= Entries::kHasAddress;
        } else {
          wrong |= kWrongNumber;
        }
        break;
      case Key::kSize:
        if (const auto size_bytes = unsigned_of(value)) {
          entries.size_bytes[row] = *size_bytes;
          wrong &= static_cast<std::uint8_t>(~kLacksSize);
        } else {
          wrong |= kWrongNumber;
        }
        break;
      case Key::kStream: {
        bool is_no_number = false;
        entries.stream[row] = stream_of(value, is_no_number);
        if (is_no_number) wrong |= kWrongNumber;
        break;
      }
      case Key::kTimeUs:
        out_.has_times = true;
        entries.time_ns[row] = time_of(value);
        break;
      case Key::kPoolId:
        out_.has_pools = true;
        if (value.is(Kind::kTuple) && value.at != kNoPlainPool) {
          entries.pool[row] = value.at;
          entries.flags[row] |= Entries::kHasPool;
        }
        break;
      case Key::kFrames:
        entries.stack[row] = stack_of(value);
        break;
      case Key::kCompileContext:
      case Key::kUserMetadata:
      case Key::kCategory:
      case Key::kForwardFrames:
        entries.words[row] = words_with(entries.words[row], name, value);
        break;
      case Key::kNotKept:
        break;
      default:
        ++other_keys[std::string(text(pairs[i]))];
    }
  }
  is_wrong[row] = wrong;
}

void SnapshotSink::fill_block(RawBlock& block, std::span<const Node> pairs) {
  const auto take = [&](std::uint64_t& into, Key name, Node value) {
    const auto number = unsigned_of(value);
    into = number.value_or(0);
    if (number) block.keys |= bit(name);
  };
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const Node value = pairs[i + 1];
    switch (const Key name = key(pairs[i])) {
      case Key::kAddress:
        take(block.address, name, value);
        if ((block.keys & bit(name)) == 0) block.keys |= bit(Key::kOther);  // there, but no address
        break;
      case Key::kSize:
        take(block.size_bytes, name, value);
        break;
      case Key::kRequestedSize:
        take(block.requested_bytes, name, value);
        break;
      case Key::kState: {
        const std::string_view state = text(value);
        block.keys |= bit(name);
        block.state = state == "inactive"           ? BlockState::kInactive
                      : state == "active_allocated" ? BlockState::kActive
                                                    : BlockState::kPendingFree;
        break;
      }
      case Key::kFrames:
        block.stack = stack_of(value);
        break;
      case Key::kForwardFrames:
        block.words = words_with(block.words, name, value);
        break;
      case Key::kHistory:
        block.history = container_of(value);
        break;
      case Key::kNotKept:
        break;
      default:
        ++other_keys[std::string(text(pairs[i]))];
    }
  }
}

// Long: one case a key.
void SnapshotSink::fill_segment(RawSegment& raw, std::span<const Node> pairs) {
  Segment& segment = raw.segment;
  const auto take = [&](std::uint64_t& into, Key name, Node value) {
    const auto number = unsigned_of(value);
    into = number.value_or(0);
    if (number) raw.keys |= bit(name);
  };
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const Node value = pairs[i + 1];
    switch (const Key name = key(pairs[i])) {
      case Key::kDevice: {
        const auto device = signed_of(value);
        segment.device = device.value_or(-1);
        break;
      }
      case Key::kAddress:
        take(segment.address, name, value);
        break;
      case Key::kTotalSize:
        take(segment.size_bytes, name, value);
        break;
      case Key::kAllocatedSize:
        take(segment.allocated_bytes, name, value);
        break;
      case Key::kActiveSize:
        take(segment.active_bytes, name, value);
        break;
      case Key::kRequestedSize:
        take(segment.requested_bytes, name, value);
        break;
      case Key::kStream: {
        bool is_no_number = false;
        segment.stream = stream_of(value, is_no_number);
        break;
      }
      case Key::kSegmentType: {
        const std::string_view type = text(value);
        segment.type = type == "small"   ? SegmentSize::kSmall
                       : type == "large" ? SegmentSize::kLarge
                                         : SegmentSize::kUnknown;
        break;
      }
      case Key::kSegmentPoolId:
        if (value.is(Kind::kTuple) && value.at != kNoPlainPool) segment.pool = value.at;
        break;
      case Key::kIsExpandable:
        segment.is_expandable = (value.is(Kind::kBool) || value.is(Kind::kInt)) && value.at != 0;
        break;
      case Key::kFrames:
        segment.stack = stack_of(value);
        break;
      case Key::kBlocks:
        raw.blocks = container_of(value);
        break;
      case Key::kNotKept:
        break;
      default:
        ++other_keys[std::string(text(pairs[i]))];
    }
  }
}

void SnapshotSink::fill_annotation(Annotation& annotation, std::span<const Node> pairs) {
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const Node value = pairs[i + 1];
    switch (key(pairs[i])) {
      case Key::kStage: {
        const std::string_view stage = text(value);
        annotation.stage = stage == "START" ? Stage::kStart : stage == "END" ? Stage::kEnd : Stage::kOther;
        break;
      }
      case Key::kName:
        annotation.name = string(value);
        break;
      case Key::kDevice:
        annotation.device = signed_of(value);
        break;
      case Key::kTimeUs:
        annotation.time_ns = time_of(value);
        break;
      case Key::kNotKept:
        break;
      default:
        ++other_keys[std::string(text(pairs[i]))];
    }
  }
}

}  // namespace vizd::torch_memory

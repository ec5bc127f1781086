// SnapshotSink: takes a snapshot's pickle from the machine and makes rows of its dicts as soon as these are filled: no
// tree of values is ever there. A stack is interned while its list is read, so that lists of the same frames cost a
// number each. Any keys in any order, lists and dicts that are filled in several steps, that are shared, or that hold
// themselves are taken; what they make no sense of is left for assemble() to count. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash_index.h"
#include "formats/pickle/sink.h"
#include "formats/pickle/visit_budget.h"
#include "formats/torch_memory/keys.h"
#include "formats/torch_memory/snapshot.h"

namespace vizd::torch_memory {

inline constexpr std::uint32_t kMostFrames = 65'536;  // of a stack
inline constexpr std::size_t kMostLineBytes = 4096;   // of a line of a forward stack
inline constexpr std::size_t kMostActions = 200;      // by name

// A whole number of any sign that 64 bits hold.
struct WholeNumber {
  std::uint64_t magnitude = 0;
  bool is_negative = false;
};

// What a list or dict turned out to be. Its number is a row, a place or nothing.
enum class ThingKind : std::uint8_t {
  kNewDict,
  kNewList,
  kLooseDict,   // of keys that tell nothing; number: a place in loose_dicts
  kFrame,       // in Snapshot::frames
  kEntry,       // in Snapshot::entries
  kBlock,       // in raw_blocks
  kSegment,     // in raw_segments
  kAnnotation,  // in Snapshot::annotations
  kStack,       // in Snapshot::stacks
  kLongStack,   // a list of frames that is filled in several steps; in long_stacks
  kLines,       // a list of texts, in Snapshot::forward_stacks
  kLongLines,   // one that is filled in several steps; in long_stacks
  kList,        // of anything else; in lists
};

struct Thing {
  static constexpr std::uint32_t kMost = (1u << 28) - 1;

  std::uint32_t bits = 0;

  static constexpr Thing make(ThingKind kind, std::uint32_t number = 0) {
    return {number << 4 | static_cast<std::uint32_t>(kind)};
  }
  ThingKind kind() const { return static_cast<ThingKind>(bits & 15); }
  std::uint32_t number() const { return bits >> 4; }
};

// Things of a list one after another: rows of one kind, or lists and loose dicts (kList) by their containers' numbers.
struct Run {
  ThingKind kind{};
  std::uint32_t begin = 0, end = 0;
  std::uint32_t next = kNoId;
};

// Why an entry makes no sense.
inline constexpr std::uint8_t kLacksAction = 1, kWrongAction = 2, kLacksSize = 4, kWrongNumber = 8;

struct RawBlock {
  std::uint64_t address = 0, size_bytes = 0, requested_bytes = 0;
  std::uint64_t keys = 0;  // those that it has with values that make sense
  std::uint32_t stack = 0, words = 0;
  std::uint32_t history = kNoId;  // a container
  BlockState state = BlockState::kInactive;
};

struct RawSegment {
  Segment segment;
  std::uint64_t keys = 0;
  std::uint32_t blocks = kNoId;  // a container
};

class SnapshotSink final : public pickle::Sink {
 public:
  using Node = pickle::Node;
  using Pairs = std::vector<std::pair<Node, Node>>;

  SnapshotSink(std::span<const std::byte> bytes, Snapshot& into);

  std::uint32_t tuple(std::span<const Node> items) override;
  std::uint32_t container(pickle::Kind kind) override;
  void extend(Node container, std::span<const Node> items) override;

  // What came of the pickle, for assemble().

  std::string_view text(Node node) const;
  // None for what is no whole number, or does not fit.
  std::optional<WholeNumber> whole(Node node) const;
  std::optional<std::uint64_t> unsigned_of(Node node) const;
  std::optional<std::int64_t> signed_of(Node node) const;
  // The container's number in things; kNoId of what is none.
  static std::uint32_t container_of(Node node);
  // The number of a list of frames; 0 for anything else.
  std::uint32_t stack_of(Node node) { return sequence_of(node, kFramesOfStacks); }
  const Pairs* loose_dict(std::uint32_t container) const;
  // Calls f(kind, begin, end) for each run of a list's things, in order, as far as the budget goes.
  template <typename F>
  void for_each_run(std::uint32_t container, F&& f) {
    if (container >= things_.size() || things_[container].kind() != ThingKind::kList) return;
    for (std::uint32_t at = lists_[things_[container].number()].first; at != kNoId; at = runs_[at].next) {
      if (!may_visit(runs_[at].end - runs_[at].begin)) return;
      f(runs_[at].kind, runs_[at].begin, runs_[at].end);
    }
  }
  Thing thing(std::uint32_t container) const {
    return container < things_.size() ? things_[container] : Thing::make(ThingKind::kList);
  }

  std::vector<RawBlock> raw_blocks;
  std::vector<RawSegment> raw_segments;
  LargeVector<std::uint8_t> is_wrong;  // by row of the entries: why it makes no sense; 0: it does
  std::map<std::string, std::uint64_t> other_keys;

 private:
  static constexpr std::uint32_t kNoPlainPool = kNoId - 1;  // a tuple that is no pool

  struct List {
    std::uint32_t first = kNoId, last = kNoId;
  };
  // A list whose items are numbers of one table.
  struct LongStack {
    std::vector<std::uint32_t> numbers;
    std::uint32_t stack = 0, size = kNoId;  // interned when it had so many
  };
  struct SequenceKind {
    ThingKind kind, long_kind;  // filled in one step; in several
    SequenceTable Snapshot::*table;
    std::string_view items;
  };
  static constexpr SequenceKind kFramesOfStacks{ThingKind::kStack, ThingKind::kLongStack, &Snapshot::stacks,
                                                "frames of a stack"};
  static constexpr SequenceKind kLinesOfStacks{ThingKind::kLines, ThingKind::kLongLines, &Snapshot::forward_stacks,
                                               "lines of a forward stack"};

  // Counts what is left out where not.
  bool may_visit(std::uint64_t items);
  Key key(Node node);
  std::uint32_t pool_number(const Pool& pool);
  StringId string(Node node);
  std::uint32_t number_for(std::size_t size) const;
  void extend_dict(std::uint32_t at, std::span<const Node> pairs);
  void fill_sequence(std::uint32_t at, std::span<const Node> items, const SequenceKind& of);
  std::uint32_t sequence_of(Node node, const SequenceKind& of);
  bool is_item(Node item, const SequenceKind& of) const;
  // The item's number in the table that the sequences refer to.
  std::uint32_t number_of(Node item);
  void add_to_list(std::uint32_t at, std::span<const Node> items);
  void add_run(List& list, ThingKind kind, std::uint32_t begin);
  void fill(Thing thing, std::uint32_t at, std::span<const Node> pairs);
  void fill_frame(std::uint32_t number, std::uint32_t at, std::span<const Node> pairs);
  void fill_entry(std::uint32_t row, std::span<const Node> pairs);
  void fill_block(RawBlock& block, std::span<const Node> pairs);
  void fill_segment(RawSegment& raw, std::span<const Node> pairs);
  void fill_annotation(Annotation& annotation, std::span<const Node> pairs);
  void set_action(std::uint32_t row, Node value);
  // The number of those words with what this key says too.
  std::uint32_t words_with(std::uint32_t words, Key key, Node value);
  std::int64_t time_of(Node value);
  std::uint32_t stream_of(Node value, bool& is_wrong);
  std::uint32_t add_frame(const Frame& frame);

  std::span<const std::byte> bytes_;
  Snapshot& out_;
  pickle::VisitBudget visits_;
  LargeVector<Thing> things_;
  std::vector<List> lists_;
  LargeVector<Run> runs_;
  std::vector<Pairs> loose_dicts_;
  std::vector<LongStack> long_stacks_;
  HashIndex frame_index_;
  HashIndex words_index_;
  std::map<Pool, std::uint32_t> pool_index_;
  std::vector<std::uint32_t> scratch_;

  // What was looked up last, by where the text lies: keys and constants are one text each.
  struct KnownKey {
    Node node{};
    Key key = Key::kOther;
  };
  std::array<KnownKey, 256> known_keys_{};
  struct KnownAction {
    Node node{};
    std::uint8_t action = 0;
  };
  std::array<KnownAction, 16> known_actions_{};
  std::uint32_t last_stream_ = 0;
  Pool last_pool_;
  std::uint32_t last_pool_number_ = kNoId;
  EntryWords last_words_;
  std::uint32_t last_words_number_ = 0;
  Node last_metadata_{};
  StringId last_metadata_id_{};
  std::string_view last_context_;
  StringId last_context_id_{};
};

}  // namespace vizd::torch_memory

#include "formats/tinygrad/reading/op_reader.h"

#include <fmt/core.h>

#include <algorithm>

#include "formats/tinygrad/printing/op_metadata.h"

namespace vizd::tinygrad {
namespace {

using pickle::Kind;
using pickle::Node;

// States of an entry that are no op.
constexpr OpId kAbsent{kNoId};
constexpr OpId kPending{kNoId - 1};
constexpr OpId kOpen{kNoId - 2};  // its sources are being made
constexpr OpId kBad{kNoId - 3};

bool is_op(OpId id) { return index(id) < index(kBad); }

}  // namespace

// kAbsent where no record has that number.
OpId OpReader::state_of(Node number) const {
  return number.is(Kind::kInt) && number.at < ops_.size() ? ops_[number.at] : kAbsent;
}

std::optional<OpId> OpReader::find(Node number) const {
  const OpId op = state_of(number);
  return is_op(op) ? std::optional(op) : std::nullopt;
}

// Whether the record can be taken down under its number; counted where it is none.
bool OpReader::enter(Node number, Node fields) {
  const bool good = number.is(Kind::kInt) && number.at < number_limit_ && fields.is(Kind::kTuple) &&
                    fields.count() >= 5 && tree_.tuple(fields)[2].is(Kind::kTuple);
  if (!good || state_of(number) != kAbsent) {
    ++capture_.skipped[good ? "op with the number of another" : "op that is not (op, dtype, sources, arg, tag)"];
    return false;
  }
  if (number.at >= ops_.size()) ops_.resize(number.at + 1, kAbsent);
  ops_[number.at] = kPending;
  return true;
}

// Makes the op of a record if its sources are there already; false where it must wait for them.
bool OpReader::add(Node number, Node fields) {
  if (!enter(number, fields)) return true;
  const Needs needs = needs_of(fields);
  const bool ready = std::ranges::all_of(needs.sources, [&](Node n) { return find(n).has_value(); }) &&
                     (!needs.ast || find(*needs.ast));
  if (ready) {
    ops_[number.at] = make_op(fields, needs);
  } else {
    waiting_.emplace(number.at, fields);
  }
  return ready;
}

Result<void> OpReader::read_all(Node uop_fields, const std::string& file) {
  const auto& dict = tree_.container(uop_fields);
  ops_.assign(dict.size / 2, kAbsent);
  waiting_.clear();
  // tinygrad counts ops up from 0 and records all of them: far larger numbers are damage, not to be paid for in memory.
  number_limit_ = std::size_t{dict.size} * 4 + 1024;
  capture_.ops.reserve(capture_.ops.size() + ops_.size());
  bool all_made = true;
  tree_.for_each_run(dict, [&](std::span<const Node> run) {  // sources come first in tinygrad's files
    constexpr std::size_t kAhead = 16;
    for (std::size_t i = 0; i + 1 < run.size(); i += 2) {
      if (i + kAhead < run.size()) tree_.prefetch(run[i + kAhead + 1]);
      all_made = add(run[i], run[i + 1]) && all_made;
    }
  });
  bool good = true;
  if (!all_made) {  // other files, in whatever order
    tree_.for_each_pair(dict, [&](Node number, Node) {
      if (good && state_of(number) == kPending) good = make(number.at);
    });
  }
  add_op_metadata(capture_.values, metadata_);
  if (good) return {};
  return Error{ErrorKind::kBadInput,
               fmt::format("op {} leads back to itself; the file is damaged", frames_.back().number), file};
}

// Which ops must be there before this one: its sources, then the syntax tree of a KERNEL.
OpReader::Needs OpReader::needs_of(Node record) const {
  const auto fields = tree_.tuple(record);
  Needs needs{tree_.tuple(fields[2]), std::nullopt};
  if (fields[3].is(Kind::kObject) && values_.is_kernel(fields[3])) {
    const auto ast = tree_.attribute(tree_.object(fields[3]), "ast");
    if (ast && ast->is(Kind::kInt)) needs.ast = ast;
  }
  return needs;
}

// Makes an op and what it needs; false where it needs itself, which is then the last frame.
bool OpReader::make(std::uint32_t number) {
  frames_.assign(1, {number});
  ops_[number] = kOpen;
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    const Node record = waiting_.at(frame.number);
    const Needs needs = needs_of(record);
    while (frame.next < needs.size() && is_op(state_of(needs[frame.next]))) ++frame.next;
    const Node needed = frame.next < needs.size() ? needs[frame.next] : Node();
    const OpId state = state_of(needed);
    if (frame.next == needs.size()) {
      ops_[frame.number] = make_op(record, needs);
      frames_.pop_back();
    } else if (state == kAbsent || state == kBad) {
      ++capture_.skipped["op above one that is missing or could not be read"];
      ops_[frame.number] = kBad;
      frames_.pop_back();
    } else if (state == kOpen) {
      return false;
    } else {
      ops_[needed.at] = kOpen;
      frames_.push_back({needed.at});
    }
  }
  return true;
}

OpId OpReader::make_op(Node record, const Needs& needs) {
  const auto fields = tree_.tuple(record);
  const auto refused = [&]() {
    ++capture_.skipped[fmt::format("op that could not be read: {}", values_.problem())];
    return kBad;
  };
  constexpr ValueId kNoValue = ValueReader::kNoValue;
  const std::uint16_t kind = values_.read_op_kind(fields[0]);
  if (kind == ValueReader::kNoKind) return refused();
  const ValueId dtype = values_.read_or_none(fields[1]);
  if (dtype == kNoValue) return refused();
  const ValueId arg = needs.ast ? values_.read_kernel(fields[3], ops_[needs.ast->at]).value_or(kNoValue)
                                : values_.read_or_none(fields[3]);
  if (arg == kNoValue) return refused();
  const ValueId tag = values_.read_or_none(fields[4]);
  if (tag == kNoValue) return refused();
  sources_.clear();
  for (const Node source : needs.sources) sources_.push_back(ops_[source.at]);
  const OpId op = capture_.ops.add(kind, dtype, sources_, arg, tag);
  if (fields.size() > 5) note_metadata(op, fields[5]);
  return op;
}

void OpReader::note_metadata(OpId op, Node metadata) {
  if (!has_metadata_read_.insert(op).second) return;
  const ValueId told = values_.read_or_none(metadata);
  if (told == ValueReader::kNoValue) {
    ++capture_.skipped[fmt::format("metadata of an op that could not be read: {}", values_.problem())];
  } else if (told != kNoneValue) {
    metadata_.emplace_back(op, told);
  }
}

}  // namespace vizd::tinygrad

#include "formats/tinygrad/reading/op_reader.h"

#include <fmt/core.h>

#include <algorithm>

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

const OpReader::Entry* OpReader::entry_of(Node number) const {
  const bool known = number.is(Kind::kInt) && number.at < entries_.size() && entries_[number.at].op != kAbsent;
  return known ? &entries_[number.at] : nullptr;
}

std::optional<OpId> OpReader::find(Node number) const {
  const Entry* entry = entry_of(number);
  return entry != nullptr && is_op(entry->op) ? std::optional(entry->op) : std::nullopt;
}

void OpReader::skip(Entry& entry, std::string_view reason) {
  ++capture_.skipped[std::string(reason)];
  entry.op = kBad;
}

// Takes a record down under its number; null, and counted, where it is none.
OpReader::Entry* OpReader::enter(Node number, Node fields) {
  const bool good = number.is(Kind::kInt) && number.at < number_limit_ && fields.is(Kind::kTuple) &&
                    fields.count() >= 5 && tree_.tuple(fields)[2].is(Kind::kTuple);
  if (!good || entry_of(number) != nullptr) {
    ++capture_.skipped[good ? "op with the number of another" : "op that is not (op, dtype, sources, arg, tag)"];
    return nullptr;
  }
  if (number.at >= entries_.size()) entries_.resize(number.at + 1, Entry{{}, kAbsent});
  entries_[number.at] = {fields, kPending};
  return &entries_[number.at];
}

// Makes the op of a record if its sources are there already; false where it must wait for them.
bool OpReader::add(Node number, Node fields) {
  Entry* entry = enter(number, fields);
  if (entry == nullptr) return true;
  const Needs needs = needs_of(*entry);
  const bool ready = std::ranges::all_of(needs.sources, [&](Node n) { return find(n).has_value(); }) &&
                     (!needs.ast || find(*needs.ast));
  if (ready) entry->op = make_op(*entry, needs);
  return ready;
}

Result<void> OpReader::read_all(Node uop_fields, const std::string& file) {
  const auto& dict = tree_.container(uop_fields);
  entries_.assign(dict.size / 2, Entry{{}, kAbsent});
  // tinygrad counts ops up from 0 and records all of them: far larger numbers are damage, not to be paid for in memory.
  number_limit_ = std::size_t{dict.size} * 4 + 1024;
  capture_.ops.reserve(capture_.ops.size() + entries_.size());
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
      const Entry* entry = entry_of(number);
      if (good && entry != nullptr && entry->op == kPending) good = make(number.at);
    });
  }
  if (good) return {};
  return Error{ErrorKind::kBadInput,
               fmt::format("op {} leads back to itself; the file is damaged", frames_.back().number), file};
}

// Which ops must be there before this one: its sources, then the syntax tree of a KERNEL.
OpReader::Needs OpReader::needs_of(const Entry& entry) const {
  const auto fields = tree_.tuple(entry.fields);
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
  entries_[number].op = kOpen;
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    Entry& entry = entries_[frame.number];
    const Needs needs = needs_of(entry);
    const Entry* unmade = nullptr;
    Node number_needed;
    for (; unmade == nullptr && frame.next < needs.size(); frame.next += unmade == nullptr) {
      number_needed = needs[frame.next];
      unmade = entry_of(number_needed);
      if (unmade == nullptr || unmade->op == kBad) break;
      if (is_op(unmade->op)) unmade = nullptr;
    }
    if (frame.next == needs.size()) {
      entry.op = make_op(entry, needs);
      frames_.pop_back();
    } else if (unmade == nullptr || unmade->op == kBad) {
      skip(entry, "op above one that is missing or could not be read");
      frames_.pop_back();
    } else if (unmade->op == kOpen) {
      return false;
    } else {
      entries_[number_needed.at].op = kOpen;
      frames_.push_back({number_needed.at});
    }
  }
  return true;
}

OpId OpReader::make_op(const Entry& entry, const Needs& needs) {
  const auto fields = tree_.tuple(entry.fields);
  const auto refused = [&]() {
    ++capture_.skipped[fmt::format("op that could not be read: {}", values_.problem())];
    return kBad;
  };
  constexpr ValueId kNoValue = ValueReader::kNoValue;
  const std::uint16_t kind = values_.read_op_kind(fields[0]);
  if (kind == ValueReader::kNoKind) return refused();
  const ValueId dtype = values_.read_or_none(fields[1]);
  if (dtype == kNoValue) return refused();
  const ValueId arg = needs.ast ? values_.read_kernel(fields[3], entries_[needs.ast->at].op).value_or(kNoValue)
                                : values_.read_or_none(fields[3]);
  if (arg == kNoValue) return refused();
  const ValueId tag = values_.read_or_none(fields[4]);
  if (tag == kNoValue) return refused();
  sources_.clear();
  for (const Node source : needs.sources) sources_.push_back(entries_[source.at].op);
  return capture_.ops.add(kind, dtype, sources_, arg, tag);
}

}  // namespace vizd::tinygrad

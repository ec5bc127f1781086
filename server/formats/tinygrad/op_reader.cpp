#include "formats/tinygrad/op_reader.h"

#include <fmt/core.h>

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

void OpReader::collect(Node uop_fields) {
  const auto& dict = tree_.container(uop_fields);
  // tinygrad counts ops up from 0 and records all of them: far larger numbers are damage, not to be paid for in memory.
  const std::size_t limit = std::size_t{dict.size} * 4 + 1024;
  entries_.assign(dict.size / 2, Entry{{}, kAbsent});
  tree_.for_each_pair(dict, [&](Node number, Node fields) {
    const bool good = number.is(Kind::kInt) && number.at < limit && fields.is(Kind::kTuple) && fields.count() >= 5 &&
                      tree_.tuple(fields)[2].is(Kind::kTuple);
    if (!good) {
      ++capture_.skipped["op that is no (op, dtype, sources, arg, tag)"];
      return;
    }
    if (number.at >= entries_.size()) entries_.resize(number.at + 1, Entry{{}, kAbsent});
    entries_[number.at] = {fields, kPending};
  });
}

Result<void> OpReader::read_all(Node uop_fields, const std::string& file) {
  collect(uop_fields);
  capture_.ops.reserve(capture_.ops.size() + entries_.size());
  bool good = true;
  tree_.for_each_pair(tree_.container(uop_fields), [&](Node number, Node) {
    const Entry* entry = entry_of(number);
    if (good && entry != nullptr && entry->op == kPending) good = make(number.at);
  });
  if (good) return {};
  return Error{ErrorKind::kBadInput,
               fmt::format("op {} leads back to itself; the file is damaged", frames_.back().number), file};
}

// The i-th op that must be there before this one: its sources, then the syntax tree of a KERNEL.
std::optional<Node> OpReader::dependency(const Entry& entry, std::uint32_t i) const {
  const auto fields = tree_.tuple(entry.fields);
  if (i < fields[2].count()) return tree_.tuple(fields[2])[i];
  if (i == fields[2].count() && values_.is_kernel(fields[3])) {
    const auto ast = tree_.attribute(tree_.object(fields[3]), "ast");
    if (ast && ast->is(Kind::kInt)) return ast;
  }
  return std::nullopt;
}

// Makes an op and what it needs; false where it needs itself, which is then the last frame.
bool OpReader::make(std::uint32_t number) {
  frames_.assign(1, {number});
  entries_[number].op = kOpen;
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    Entry& entry = entries_[frame.number];
    const auto needed = dependency(entry, frame.next);
    if (!needed) {
      entry.op = make_op(entry);
      frames_.pop_back();
      continue;
    }
    const Entry* source = entry_of(*needed);
    if (source == nullptr || source->op == kBad) {
      skip(entry, "op above one that is missing or could not be read");
      frames_.pop_back();
    } else if (source->op == kOpen) {
      return false;
    } else if (source->op == kPending) {
      entries_[needed->at].op = kOpen;
      frames_.push_back({needed->at});
    } else {
      ++frame.next;
    }
  }
  return true;
}

OpId OpReader::make_op(const Entry& entry) {
  const auto fields = tree_.tuple(entry.fields);
  const auto refused = [&]() {
    ++capture_.skipped[fmt::format("op that could not be read: {}", values_.problem())];
    return kBad;
  };
  const auto kind = values_.read_op_kind(fields[0]);
  if (!kind) return refused();
  const auto dtype = values_.read(fields[1]);
  if (!dtype) return refused();
  sources_.clear();
  for (const Node source : tree_.tuple(fields[2])) sources_.push_back(entries_[source.at].op);
  const auto ast = dependency(entry, fields[2].count());
  const auto arg = ast ? values_.read_kernel(fields[3], entries_[ast->at].op) : values_.read(fields[3]);
  if (!arg) return refused();
  const auto tag = values_.read(fields[4]);
  if (!tag) return refused();
  return capture_.ops.add(*kind, *dtype, sources_, *arg, *tag);
}

}  // namespace vizd::tinygrad

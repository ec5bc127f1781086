#include "formats/tinygrad/v2026_08/told_ops.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>

#include "formats/tinygrad/v2026_08/op_numbering.h"
#include "formats/tinygrad/v2026_08/ops.h"

namespace vizd::tinygrad_2026_08 {
namespace {

using pickle::Kind;
using pickle::Node;

constexpr std::uint32_t kMany = 1'000'000;

// What ops of a kind look like. arguments: the letters of argument_letter() that they may have.
// types: v void, b bool, x any other. source: what their last source is (r: a loop) or their first (b: a bool, v:
// void), where there are two or, of those with one at the most, one.
struct Look {
  std::string_view name, arguments;
  std::uint32_t least = 0, most = kMany;  // sources
  std::string_view types = "vbx";
  char first = 0;
};

// clang-format off
constexpr Look kLooks[] = {
    {"SPECIAL", "S", 1, 1, "x"}, {"BUFFER", "P", 0, 2, "bx"}, {"REWRITE_ERROR", "S", 0, kMany, "v"}, {"PARAM", "P", 0, 4},
    {"FUNCTION", "CN", 1}, {"CALL", "C", 1}, {"PROGRAM", "GN", 1, 5, "v"}, {"LINEAR", "N", 0, kMany, "v"},
    {"SOURCE", "S", 0, 0, "v"}, {"BINARY", "B", 0, 0, "bx"}, {"SINK", "KN", 0, kMany, "v"}, {"AFTER", "N", 1},
    {"GROUP", "N", 0, kMany, "v"}, {"STACK", "N"}, {"TUPLE", "N", 0, kMany, "v"}, {"GETTUPLE", "I", 1, 1},
    {"GETADDR", "N", 1, 2, "x"}, {"INDEX", "N", 1, kMany, "bx"}, {"SHRINK", "N", 3, 3, "bx"}, {"LOAD", "N", 1, 4, "bx"},
    {"STORE", "N", 2, 4, "v"}, {"WMMA", "T", 3, 3, "x"}, {"CAST", "D", 1, 1, "bx"}, {"BITCAST", "D", 1, 1, "bx"},
    {"EXP2", "N", 1, 1, "x", 's'}, {"LOG2", "N", 1, 1, "x", 's'}, {"SIN", "N", 1, 1, "x", 's'}, {"SQRT", "N", 1, 1, "x", 's'},
    {"RECIPROCAL", "N", 1, 1, "x", 's'}, {"NEG", "N", 1, 1, "bx", 's'}, {"TRUNC", "N", 1, 1, "x", 's'}, {"ADD", "N", 2, 2, "bx", 's'},
    {"MUL", "N", 2, 2, "bx", 's'}, {"SHL", "N", 2, 2, "x", 's'}, {"SHR", "N", 2, 2, "x", 's'}, {"CDIV", "N", 2, 2, "bx", 's'},
    {"MAX", "N", 2, 2, "bx", 's'}, {"CMOD", "N", 2, 2, "bx", 's'}, {"CMPLT", "N", 2, 2, "bx"}, {"CMPNE", "N", 2, 2, "bx"},
    {"CMPEQ", "N", 2, 2, "bx"}, {"XOR", "N", 2, 2, "bx", 's'}, {"OR", "N", 2, 2, "bx", 's'}, {"AND", "N", 2, 2, "bx", 's'},
    {"THREEFRY", "N", 2, 2, "x", 's'}, {"SUB", "N", 2, 2, "bx", 's'}, {"FDIV", "N", 2, 2, "x", 's'}, {"POW", "N", 2, 2, "bx", 's'},
    {"FLOORDIV", "N", 2, 2, "bx", 's'}, {"FLOORMOD", "N", 2, 2, "bx", 's'}, {"WHERE", "N", 3, 3, "bx", 'b'}, {"MULACC", "N", 3, 3, "bx", 's'},
    {"BARRIER", "N", 0, kMany, "v"}, {"RANGE", "R", 1, kMany, "x"}, {"IF", "N", 1, 3, "v", 'b'},
    {"END", "N", 1, kMany, "v"}, {"ENDIF", "N", 1, 1, "v", 'v'}, {"CONST", "IFX", 0, 0, "bx"}, {"CUSTOM", "S"},
    {"CUSTOMI", "S"}, {"CONTIGUOUS", "NT", 1, kMany, "bx"}, {"CONTIGUOUS_BACKWARD", "N", 1, 1, "bx"},
    {"DETACH", "N", 1, 1, "bx"}, {"STAGE", "Z", 1, kMany, "bx"}, {"COPY", "STN", 1, 2, "bx"}, {"MSELECT", "I", 1, 1, "bx"},
    {"MSTACK", "N", 1, kMany, "bx"}, {"RESHAPE", "N", 2, 2}, {"PERMUTE", "T", 1, 1, "bx"}, {"EXPAND", "N", 2, 2},
    {"PAD", "N", 3, 3, "bx"}, {"FLIP", "T", 1, 1, "bx"}, {"REDUCE", "T", 1, kMany, "bx"}, {"ALLREDUCE", "T", 1, 2, "bx"},
};
// clang-format on

// An op of the capture as far as the table looks at it.
struct Record {
  std::uint32_t op = 0;
  char argument = 'N', type = 'x';
  std::span<const Node> sources;
};

char argument_letter(const pickle::Tree& tree, Node argument) {
  switch (argument.kind()) {
    case Kind::kNone:
      return 'N';
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kLong:
      return 'I';
    case Kind::kFloat:
      return 'F';
    case Kind::kString:
      return 'S';
    case Kind::kBytes:
      return 'B';
    case Kind::kTuple: {
      const auto items = tree.tuple(argument);
      const bool is_loop = !items.empty() && tree.is_object_of(items.back(), "tinygrad.uop.ops", "AxisType");
      return is_loop ? 'R' : 'T';
    }
    default:
      break;
  }
  constexpr std::pair<std::string_view, char> kClasses[] = {
      {"ParamArg", 'P'},   {"KernelInfo", 'K'},    {"CallInfo", 'C'}, {"ProgramInfo", 'G'},
      {"ConstFloat", 'F'}, {"BufferizeOpts", 'Z'}, {"DType", 'D'}};
  if (!argument.is(Kind::kObject) || !tree.object(argument).callable.is(Kind::kClass)) return 'X';
  const std::string_view name = tree.class_name(tree.object(argument).callable).name;
  const auto found = std::ranges::find(kClasses, name, &std::pair<std::string_view, char>::first);
  return found == std::end(kClasses) ? 'X' : found->second;
}

char type_letter(const pickle::Tree& tree, Node dtype) {
  if (!dtype.is(Kind::kObject)) return 'x';
  const auto args = tree.tuple(tree.object(dtype).args);
  const std::string_view name = args.size() > 2 && args[2].is(Kind::kString) ? tree.text(args[2]) : std::string_view();
  return name == "void" ? 'v' : name == "bool" ? 'b' : 'x';
}

std::optional<Record> record_of(const pickle::Tree& tree, Node fields) {
  if (!fields.is(Kind::kTuple) || fields.count() < 5) return std::nullopt;
  const auto parts = tree.tuple(fields);
  if (!parts[2].is(Kind::kTuple) || !tree.is_object_of(parts[0], "tinygrad.uop", "Ops")) return std::nullopt;
  const auto args = tree.tuple(tree.object(parts[0]).args);
  const auto number = args.size() == 1 ? tree.integer(args[0]) : std::nullopt;
  constexpr std::int64_t kMostOps = 400;
  if (!number || *number < 1 || *number > kMostOps) return std::nullopt;
  return Record{static_cast<std::uint32_t>(*number), argument_letter(tree, parts[3]), type_letter(tree, parts[1]),
                tree.tuple(parts[2])};
}

// Which ops of the table each number of a capture may be.
class Candidates {
 public:
  explicit Candidates(const pickle::Tree& tree) {
    if (!tree.root.is(Kind::kObject)) return;
    const Node ops = tree.attribute(tree.object(tree.root), "uop_fields").value_or(Node());
    if (!ops.is(Kind::kDict)) return;
    for (const Look& look : kLooks)
      looks_[static_cast<std::size_t>(std::ranges::find(kOpNames, look.name) - kOpNames.begin())] = &look;
    tree.for_each_pair(tree.container(ops), [&](Node number, Node fields) {
      const auto record = record_of(tree, fields);
      if (record && number.is(Kind::kInt)) records_.emplace(number.at, *record);
    });
    for (const auto& [number, record] : records_) {
      if (record.op >= may_be_.size()) may_be_.resize(record.op + 1);
      std::vector<bool>& candidates = may_be_[record.op];
      if (candidates.empty()) candidates.resize(kOpNames.size(), true);
      for (std::size_t i = 0; i < kOpNames.size(); ++i) candidates[i] = candidates[i] && looks_like(record, i);
    }
    keep_single_ones();
  }

  std::size_t count() const { return may_be_.empty() ? 0 : may_be_.size() - 1; }
  bool is_there(std::size_t number) const { return !may_be_[number].empty(); }
  // op: a place in kOpNames.
  bool fits(std::size_t number, std::size_t op) const { return !is_there(number) || may_be_[number][op]; }

 private:
  const Record* source_of(const Record& record, std::size_t place) const {
    const auto found = records_.find(record.sources[place].at);
    return found == records_.end() ? nullptr : &found->second;
  }

  // An op that one number can only be is no other number's.
  void keep_single_ones() {
    for (std::size_t number = 1; number <= count(); ++number) {
      if (!is_there(number) || std::ranges::count(may_be_[number], true) != 1) continue;
      const auto op = static_cast<std::size_t>(std::ranges::find(may_be_[number], true) - may_be_[number].begin());
      for (std::size_t other = 1; other <= count(); ++other)
        if (other != number && is_there(other)) may_be_[other][op] = false;
    }
  }

  // What has no value, and a loop for its last source.
  bool ends_loops(const Record& record) const {
    const Record* const last = record.sources.size() < 2 ? nullptr : source_of(record, record.sources.size() - 1);
    return record.type == 'v' && record.argument == 'N' && last != nullptr && last->argument == 'R';
  }

  // op: a place in kOpNames.
  bool looks_like(const Record& record, std::size_t op) const {
    if (ends_loops(record)) return kOpNames[op] == "END";
    const Look* const look = looks_[op];
    if (look == nullptr) return true;  // one that looks like anything
    const auto count = record.sources.size();
    if (look->arguments.find(record.argument) == std::string_view::npos) return false;
    if (count < look->least || count > look->most) return false;
    if (look->types.find(record.type) == std::string_view::npos) return false;
    const Record* const first = look->first == 0 || count == 0 ? nullptr : source_of(record, 0);
    return first == nullptr || first->type == (look->first == 's' ? record.type : look->first);
  }

  std::array<const Look*, kOpNames.size()> looks_{};  // null of an op that looks like anything
  std::unordered_map<std::uint32_t, Record> records_;
  std::vector<std::vector<bool>> may_be_;  // by the capture's number; empty of one that no record has
};

// The ways to lay a capture's numbers beside the ops of a release, in order: a number is an op that it may be, or one
// that was added; an op has no number where it was taken away. Of all ways those of the fewest changes count.
class Alignment {
 public:
  Alignment(const Candidates& candidates, std::span<const std::size_t> ops) : candidates_(candidates), ops_(ops) {
    const std::size_t numbers = candidates.count();
    before_.assign((numbers + 1) * width(), kNever);
    after_.assign((numbers + 1) * width(), kNever);
    for (std::size_t i = 0; i <= numbers; ++i) {
      for (std::size_t j = 0; j <= ops_.size(); ++j) {
        std::uint32_t& cost = at(before_, i, j);
        if (i == 0 && j == 0) cost = 0;
        if (j > 0) cost = std::min(cost, at(before_, i, j - 1) + kChange);
        if (i > 0) cost = std::min(cost, at(before_, i - 1, j) + added(i));
        if (i > 0 && j > 0 && fits(i, j)) cost = std::min(cost, at(before_, i - 1, j - 1));
      }
    }
    for (std::size_t i = numbers + 1; i-- > 0;) {
      for (std::size_t j = ops_.size() + 1; j-- > 0;) {
        std::uint32_t& cost = at(after_, i, j);
        if (i == numbers) cost = 0;  // what comes behind the last number was not recorded
        if (j < ops_.size()) cost = std::min(cost, at(after_, i, j + 1) + kChange);
        if (i < numbers) cost = std::min(cost, at(after_, i + 1, j) + added(i + 1));
        if (i < numbers && j < ops_.size() && fits(i + 1, j + 1)) cost = std::min(cost, at(after_, i + 1, j + 1));
      }
    }
  }

  std::uint32_t cost() const { return after_[0]; }

  // The op that a number is in all of the ways, as a place in kOpNames.
  std::optional<std::size_t> op(std::size_t number) const {
    std::optional<std::size_t> found;
    if (number == 0 || number > candidates_.count()) return found;
    for (std::size_t j = 0; j <= ops_.size(); ++j) {
      if (at(before_, number - 1, j) + added(number) + at(after_, number, j) == cost()) return std::nullopt;
      const bool may_be = j > 0 && fits(number, j) && at(before_, number - 1, j - 1) + at(after_, number, j) == cost();
      if (may_be && found) return std::nullopt;
      if (may_be) found = ops_[j - 1];
    }
    return found;
  }

 private:
  static constexpr std::uint32_t kChange = 2, kRecordedChange = 5;
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max() / 4;

  std::size_t width() const { return ops_.size() + 1; }
  std::uint32_t& at(std::vector<std::uint32_t>& costs, std::size_t i, std::size_t j) const {
    return costs[i * width() + j];
  }
  std::uint32_t at(const std::vector<std::uint32_t>& costs, std::size_t i, std::size_t j) const {
    return costs[i * width() + j];
  }
  bool fits(std::size_t number, std::size_t j) const { return candidates_.fits(number, ops_[j - 1]); }
  // An op that the capture has is more likely a known one than one that was added.
  std::uint32_t added(std::size_t number) const { return candidates_.is_there(number) ? kRecordedChange : kChange; }

  const Candidates& candidates_;
  std::span<const std::size_t> ops_;
  std::vector<std::uint32_t> before_, after_;  // costs of what stands before and after a place in both
};

}  // namespace

std::vector<std::string_view> told_ops(const pickle::Tree& tree) {
  constexpr std::uint32_t kFarthest = 16;  // eight changes
  const Candidates candidates(tree);
  if (candidates.count() == 0) return {};
  std::vector<std::size_t> later, release;  // of 2026-08, and of 0.14.0, which has no WAIT
  for (std::size_t i = 0; i < kOpNames.size(); ++i) {
    later.push_back(i);
    if (kOpNames[i] != "WAIT") release.push_back(i);
  }
  const Alignment of_later(candidates, later), of_release(candidates, release);
  const Alignment& nearest = of_release.cost() <= of_later.cost() ? of_release : of_later;
  const auto constant = const_number(tree);
  const auto op_of_constant = constant ? nearest.op(static_cast<std::size_t>(*constant)) : std::nullopt;
  if (nearest.cost() > kFarthest || !op_of_constant || kOpNames[*op_of_constant] != "CONST") return {};
  std::vector<std::string_view> names;
  for (std::size_t number = 1; number <= candidates.count(); ++number) {
    const auto op = candidates.is_there(number) ? nearest.op(number) : std::nullopt;
    names.push_back(op ? kOpNames[*op] : std::string_view());
  }
  return names;
}

}  // namespace vizd::tinygrad_2026_08

#include "formats/tinygrad/reading/value_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace vizd::tinygrad {
namespace {

using pickle::Kind;
using pickle::Node;

// States of a kept value that are no value.
constexpr ValueId kUnread = ValueReader::kNoValue;
constexpr ValueId kReading{kNoId - 1};
constexpr ValueId kRefused{kNoId - 2};

// A kind that has not been looked for.
constexpr std::uint16_t kUnreadKind = 0;

}  // namespace

ValueReader::ValueReader(const pickle::Tree& tree, const Version& version, Capture& capture)
    : tree_(tree),
      version_(version),
      capture_(capture),
      objects_(tree.objects.size(), kUnread),
      op_kinds_(tree.objects.size()),
      told_names_(version.tell_ops == nullptr ? std::vector<std::string_view>() : version.tell_ops(tree)),
      enums_(version.enums.begin(), version.enums.end()) {
  if (version.tell_ops != nullptr) {
    enums_[0].names = told_names_;
    if (told_names_.empty())
      for (EnumTable& members : enums_) members.names = {};
  }
  classes_.reserve(tree.classes.size());
  for (const pickle::ClassName& name : tree.classes) classes_.push_back(describe(name));
  unnamed_class_.type_name = "object";
}

ValueReader::ClassInfo ValueReader::describe(const pickle::ClassName& name) {
  ClassInfo info;
  info.type_name = fmt::format("{}.{}", name.module, name.name);
  const auto is_of_class = [&](const ClassRow& row) { return is_named(info.type_name, row.type_name); };
  const auto members = std::ranges::find(enums_, info.type_name, &EnumTable::type_name);
  if (members != enums_.end()) {
    info.kind = ClassKind::kEnum;
    info.members = &*members;
  } else if (info.type_name == "builtins.getattr" || info.type_name == "__builtin__.getattr") {
    info.kind = ClassKind::kGetattr;
  } else if (const auto row = std::ranges::find_if(version_.classes, is_of_class); row != version_.classes.end()) {
    info.kind = row->kind;
    for (const std::string_view argument : row->argument_names) {
      info.argument_names.push_back(capture_.values.string(argument));
    }
  }
  return info;
}

const ValueReader::ClassInfo& ValueReader::class_of(Node object) const {
  const Node callable = tree_.object(object).callable;
  return callable.is(Kind::kClass) ? classes_[callable.at] : unnamed_class_;
}

bool ValueReader::is_object_of(Node node, ClassKind kind) const {
  return node.is(Kind::kObject) && class_of(node).kind == kind;
}

std::nullopt_t ValueReader::fail(std::string_view problem) {
  problem_ = problem;
  return std::nullopt;
}

std::uint64_t ValueReader::cache_key(Node node) {
  return std::uint64_t{node.at} << 8 | static_cast<std::uint8_t>(node.kind());
}

ValueId ValueReader::cached(Node node) const {
  if (node.is(Kind::kObject)) return objects_[node.at];
  const std::uint64_t key = cache_key(node);
  const auto hash = mix_hash(static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key));
  const std::uint32_t found = kept_index_.find(hash, [&](std::uint32_t i) { return kept_[i].key == key; });
  return found == HashIndex::kNone ? kUnread : kept_[found].value;
}

void ValueReader::keep(Node node, ValueId value) {
  if (node.is(Kind::kObject)) {
    objects_[node.at] = value;
    return;
  }
  const std::uint64_t key = cache_key(node);
  const auto hash = mix_hash(static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key));
  const std::uint32_t found = kept_index_.find(hash, [&](std::uint32_t i) { return kept_[i].key == key; });
  if (found != HashIndex::kNone) {
    kept_[found].value = value;
    return;
  }
  kept_index_.add(hash, static_cast<std::uint32_t>(kept_.size()));
  kept_.push_back({key, value});
}

StringId ValueReader::read_text(Node node) {
  return node.is(Kind::kString) ? capture_.strings.add(tree_.text(node)) : StringId{};
}

ValueId ValueReader::read_or_none(Node node) {
  if (const ValueId leaf = read_leaf(node); leaf != kNoValue) return leaf;
  if (const ValueId flat = read_flat_tuple(node); flat != kNoValue) return flat;
  const ValueId known = cached(node);
  if (known == kRefused) {
    fail("a value that holds what cannot be read");
    return kNoValue;
  }
  return known == kUnread ? walk(node).value_or(kNoValue) : known;
}

// Values without parts; kNoValue for all others.
ValueId ValueReader::read_leaf(Node node) {
  switch (node.kind()) {
    case Kind::kNone:
      return kNoneValue;
    case Kind::kBool:
      return capture_.values.boolean(node.at != 0);
    case Kind::kInt:
      return capture_.values.integer(static_cast<std::int32_t>(node.at));
    case Kind::kLong: {
      const auto value = tree_.integer(node);
      return value ? capture_.values.integer(*value) : capture_.values.big_integer(tree_.long_digits(node));
    }
    case Kind::kFloat:
      return capture_.values.real(*tree_.real(node));
    case Kind::kString:
      return capture_.values.string(tree_.text(node));
    case Kind::kBytes:
      return capture_.values.bytes(tree_.text(node));
    case Kind::kTuple:
      // An empty tuple lies where the next one begins, so that its place does not tell it apart.
      if (node.count() != 0) return kNoValue;
      return capture_.values.sequence(ValueKind::kTuple, {});
    case Kind::kClass:
      return capture_.values.object(classes_[node.at].type_name, {});
    default:
      return kNoValue;
  }
}

// A short tuple of values without parts, as most arguments are: cheaper to make again than to remember. Not with a
// float in it, since a shared NaN must stay one value.
ValueId ValueReader::read_flat_tuple(Node node) {
  std::array<ValueId, 4> items;
  if (!node.is(Kind::kTuple) || node.count() > items.size()) return kNoValue;
  const auto parts = tree_.tuple(node);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    items[i] = parts[i].is(Kind::kFloat) ? kNoValue : read_leaf(parts[i]);
    if (items[i] == kNoValue) return kNoValue;
  }
  return capture_.values.sequence(ValueKind::kTuple, std::span(items).first(parts.size()));
}

std::optional<ValueId> ValueReader::walk(Node root) {
  frames_.clear();
  parts_.clear();
  results_.clear();
  bool good = enter(root, 0);
  while (good && !frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.next_part == frame.end_part) {
      const auto value = finish(frame);
      good = value.has_value();
      if (!good) break;
      keep(frame.node, *value);
      results_.resize(frame.first_result);
      results_.push_back(*value);
      parts_.resize(frame.first_part);
      frames_.pop_back();
      continue;
    }
    const Node part = parts_[frame.next_part++];
    ValueId simple = read_leaf(part);
    if (simple == kNoValue) simple = read_flat_tuple(part);
    if (simple != kNoValue) {
      results_.push_back(simple);
      continue;
    }
    const ValueId known = cached(part);
    if (known == kUnread) {
      good = enter(part, frame.depth + 1);
    } else if (known == kReading) {
      fail("a value that contains itself");
      good = false;
    } else if (known == kRefused) {
      fail("a value that holds what cannot be read");
      good = false;
    } else {
      results_.push_back(known);
    }
  }
  if (good) return results_.back();
  for (const Frame& frame : frames_) keep(frame.node, kRefused);  // so that a second try costs nothing
  return std::nullopt;
}

// Begins a node with parts; one that has none of interest ends at once, when its frame comes up.
bool ValueReader::enter(Node node, std::uint32_t depth) {
  if (is_uop(node)) depth = 0;
  Frame frame{.node = node, .depth = depth, .first_part = parts_.size(), .first_result = results_.size()};
  frame.next_part = frame.first_part;
  list_parts(node);
  frame.end_part = parts_.size();
  frames_.push_back(frame);
  keep(node, kReading);
  if (depth > kMaxDepth) fail("a value nested too deeply");
  return depth <= kMaxDepth;
}

// Appends what must be read before node: for an object its arguments, then pairs of field name (or none) and value.
void ValueReader::list_parts(Node node) {
  const auto append = [&](Node part) { parts_.push_back(part); };
  const auto append_pair = [&](Node key, Node value) {
    parts_.push_back(key);
    parts_.push_back(value);
  };
  const auto append_fields = [&](Node dict) {
    if (dict.is(Kind::kDict)) tree_.for_each_pair(tree_.container(dict), append_pair);
  };
  if (node.is(Kind::kTuple)) {
    for (const Node item : tree_.tuple(node)) append(item);
  } else if (!node.is(Kind::kObject)) {
    tree_.for_each(tree_.container(node), append);
  } else if (const ClassInfo& info = class_of(node); info.kind == ClassKind::kUOp) {
    const auto args = tree_.tuple(tree_.object(node).args);
    for (const std::size_t i : {1u, 3u, 4u}) append(i < args.size() ? args[i] : Node());  // dtype, arg, tag
    if (args.size() > 2 && args[2].is(Kind::kTuple)) {
      for (const Node source : tree_.tuple(args[2])) append(source);
    }
  } else if (info.kind != ClassKind::kEnum && info.kind != ClassKind::kGetattr) {
    const pickle::Object& object = tree_.object(node);
    for (const Node argument : tree_.tuple(object.args)) append(argument);
    append_fields(object.kwargs);
    if (object.state.is(Kind::kTuple)) {  // of a class with slots: (fields or None, slots)
      for (const Node part : tree_.tuple(object.state)) append_fields(part);
    } else if (object.state.is(Kind::kDict)) {
      append_fields(object.state);
    } else if (!object.state.is(Kind::kNone)) {
      append_pair(Node(), object.state);
    }
    if (object.container != pickle::Container::kNoChunk) {
      tree_.for_each(tree_.containers[object.container], [&](Node item) { append_pair(Node(), item); });
    }
  }
}

std::optional<ValueId> ValueReader::finish(const Frame& frame) {
  const auto results = std::span<const ValueId>(results_).subspan(frame.first_result);
  switch (frame.node.kind()) {
    case Kind::kTuple:
      return capture_.values.sequence(ValueKind::kTuple, results);
    case Kind::kList:
      return capture_.values.sequence(ValueKind::kList, results);
    case Kind::kSet:
      return capture_.values.sequence(ValueKind::kSet, results);
    case Kind::kDict:
      return capture_.values.sequence(ValueKind::kDict, results);
    default:
      break;
  }
  const ClassInfo& info = class_of(frame.node);
  if (info.kind == ClassKind::kUOp) return finish_uop(frame);
  if (info.kind == ClassKind::kEnum || info.kind == ClassKind::kGetattr) return read_member(frame.node);
  return finish_object(frame);
}

// Ops(63) or getattr(Ops, "ADD").
std::optional<ValueId> ValueReader::read_member(Node node) {
  const ClassInfo* info = &class_of(node);
  const auto args = tree_.tuple(tree_.object(node).args);
  std::optional<std::int64_t> number;
  if (info->kind == ClassKind::kEnum) {
    number = args.size() == 1 ? tree_.integer(args[0]) : std::nullopt;
  } else {
    const bool is_member = args.size() == 2 && args[0].is(Kind::kClass) && args[1].is(Kind::kString);
    info = is_member ? &classes_[args[0].at] : info;
    if (info->kind != ClassKind::kEnum) {  // an attribute of something else
      if (is_member) return read_unknown_member(*info, std::nullopt, tree_.text(args[1]));
      return capture_.values.object("builtins.getattr", {});
    }
    number = info->members->number(tree_.text(args[1]));
  }
  const bool is_named = info == &class_of(node) ? false : true;
  const auto name = !number    ? std::nullopt
                    : is_named ? std::optional(tree_.text(args[1]))
                               : info->members->name(*number);
  if (name && !is_named) number = info->members->number(*name);
  if (name && number) return capture_.values.member(info->type_name, *name, *number);
  const std::string_view said = is_named ? tree_.text(args[1]) : name.value_or(std::string_view());
  if (!info->members->is_open || (said.empty() && !number)) {
    return fail("a member of an enumeration that this version of tinygrad does not have");
  }
  return read_unknown_member(*info, number, said);
}

// A member that the version's table lacks: by the number that the capture has, or numbered as they are met.
std::optional<ValueId> ValueReader::read_unknown_member(const ClassInfo& info, std::optional<std::int64_t> number,
                                                        std::string_view name) {
  constexpr std::int64_t kRoom = EnumTable::kUnknownLimit - EnumTable::kFirstUnknown;
  const std::string shown = number ? fmt::format("{}", *number) : std::string(name);
  const auto met = static_cast<std::int64_t>(unknown_members_.size());
  const auto [entry, is_new] = unknown_members_.try_emplace(info.type_name + " " + shown, number.value_or(met));
  if (entry->second < 0 || entry->second >= kRoom) return fail("a member of an enumeration beyond its numbers");
  return capture_.values.member(info.type_name, shown, EnumTable::kFirstUnknown + entry->second);
}

// Leaves of an object's fields the one of that name, where there is one.
void ValueReader::keep_field(std::vector<ValueId>& items, std::string_view name) const {
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const bool is_it = capture_.values.kind(items[i]) == ValueKind::kString && capture_.values.text(items[i]) == name;
    if (!is_it) continue;
    items = {items[i], items[i + 1]};
    return;
  }
}

ValueId ValueReader::finish_object(const Frame& frame) {
  const ClassInfo& info = class_of(frame.node);
  const std::size_t argument_count = tree_.object(frame.node).args.count();
  std::vector<ValueId> items;
  items.reserve(results_.size() - frame.first_result + argument_count + 2);
  for (std::size_t i = 0; i < argument_count; ++i) {
    items.push_back(i < info.argument_names.size() ? info.argument_names[i] : kNoneValue);
    items.push_back(results_[frame.first_result + i]);
  }
  const auto fields = results_.begin() + static_cast<std::ptrdiff_t>(frame.first_result + argument_count);
  items.insert(items.end(), fields, results_.end());
  if (info.kind == ClassKind::kFloat && argument_count > 0) {  // its bits say all, and NaN equals NaN
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(2 * argument_count));
  }
  if (info.kind == ClassKind::kInstruction) keep_field(items, "_raw");
  if (info.kind == ClassKind::kUnique) {  // equal to nothing but itself: no __eq__, or eq=False
    items.push_back(kNoneValue);
    items.push_back(capture_.values.integer(frame.node.at));
  }
  return capture_.values.object(info.type_name, items);
}

std::optional<ValueId> ValueReader::finish_uop(const Frame& frame) {
  const auto args = tree_.tuple(tree_.object(frame.node).args);
  const std::uint16_t kind = args.size() < 3 ? kNoKind : read_op_kind(args[0]);
  if (kind == kNoKind) return fail("an op of no known kind");
  const auto results = std::span<const ValueId>(results_).subspan(frame.first_result);
  std::vector<OpId> sources;
  for (const ValueId source : results.subspan(3)) {
    if (capture_.values.kind(source) != ValueKind::kOp) return fail("an op whose source is no op");
    sources.push_back(capture_.values.as_op(source));
  }
  return capture_.values.op(capture_.ops.add(kind, results[0], sources, results[1], results[2]));
}

std::uint16_t ValueReader::read_op_kind(Node node) {
  if (!node.is(Kind::kObject)) {
    fail("an op of no known kind");
    return kNoKind;
  }
  std::uint16_t& kind = op_kinds_[node.at];
  if (kind == kUnreadKind) {
    const ClassInfo& info = class_of(node);
    const bool is_member = info.kind == ClassKind::kEnum || info.kind == ClassKind::kGetattr;
    const auto member = is_member ? read_member(node) : std::nullopt;
    const auto& values = capture_.values;
    const bool is_op =
        member && values.kind(*member) == ValueKind::kEnum && values.type_name(*member) == version_.enums[0].type_name;
    kind = is_op ? static_cast<std::uint16_t>(values.as_int(*member)) : kNoKind;
  }
  if (kind == kNoKind) fail("an op of no known kind");
  return kind;
}

std::optional<ValueId> ValueReader::read_kernel(Node node, OpId ast) {
  const auto whole = read(node);
  if (!whole) return std::nullopt;
  const auto known = capture_.values.items(*whole);
  std::vector<ValueId> items(known.begin(), known.end());
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const bool is_ast = capture_.values.kind(items[i]) == ValueKind::kString && capture_.values.text(items[i]) == "ast";
    if (is_ast) items[i + 1] = capture_.values.op(ast);
  }
  return capture_.values.object(class_of(node).type_name, items);
}

}  // namespace vizd::tinygrad

#include "formats/tinygrad/v2025_09/shapes.h"

#include <algorithm>

namespace vizd::tinygrad_2025_09 {
namespace {

bool is_plain(const Size& size) { return !size.is_symbolic; }

}  // namespace

std::uint32_t Shapes::intern_size(const Size& size) {
  const auto bits = static_cast<std::uint64_t>(size.is_symbolic ? static_cast<Wide>(index(size.expr)) : size.value);
  const auto hash = mix_hash(mix_hash(size.is_symbolic ? 1 : 0, static_cast<std::uint32_t>(bits)),
                             static_cast<std::uint32_t>(bits >> 32));
  const auto found = size_index_.find(hash, [&](std::uint32_t i) { return size_table_[i] == size; });
  if (found != HashIndex::kNone) return found;
  const auto id = static_cast<std::uint32_t>(size_table_.size());
  size_table_.push_back(size);
  size_index_.add(hash, id);
  return id;
}

ShapeId Shapes::intern(std::span<const Size> sizes) {
  std::vector<std::uint32_t> ids;
  for (const Size& size : sizes) ids.push_back(intern_size(size));
  return static_cast<ShapeId>(shapes_.add(ids) + static_cast<std::uint32_t>(ShapeId::kFirst));
}

std::vector<Size> Shapes::get(ShapeId shape) const {
  std::vector<Size> sizes;
  const auto id = static_cast<std::uint32_t>(shape) - static_cast<std::uint32_t>(ShapeId::kFirst);
  for (const std::uint32_t size : shapes_.get(id)) sizes.push_back(size_table_[size]);
  return sizes;
}

// View.create
ShapeId Shapes::from_shape(std::span<const Size> sizes) {
  const bool all_ints = std::ranges::all_of(sizes, is_plain);
  bool good = true;
  for (const Size& size : sizes) good = good && sizes_.is_at_least_zero(size);
  const bool raised = sizes_.take_failure();
  if (!good || raised) return ShapeId::kRaises;
  // A shape with a 0 is taken as it is.
  if (all_ints || std::ranges::any_of(sizes, [](const Size& size) { return size.is(0); })) return intern(sizes);
  std::vector<Size> simple;
  for (const Size& size : sizes) simple.push_back(sizes_.simplify(size));
  return sizes_.take_failure() ? ShapeId::kRaises : intern(simple);
}

ShapeId Shapes::from_shape(ShapeId shape) {
  if (!is_shape(shape)) return shape;
  if (const auto found = canonical_.find(shape); found != canonical_.end()) return found->second;
  const ShapeId canonical = from_shape(get(shape));
  canonical_.emplace(shape, canonical);
  return canonical;
}

std::optional<std::vector<Size>> Shapes::read_tuple(ValueId tuple) {
  const ValueTable& values = graph_.values();
  if (values.kind(tuple) != ValueKind::kTuple && values.kind(tuple) != ValueKind::kList) return std::nullopt;
  std::vector<Size> sizes;
  for (const ValueId item : values.items(tuple)) {
    const auto size = sizes_.from_value(item);
    if (!size) return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

std::optional<std::vector<std::pair<Size, Size>>> Shapes::read_pairs(ValueId tuple) {
  const ValueTable& values = graph_.values();
  if (values.kind(tuple) != ValueKind::kTuple) return std::nullopt;
  std::vector<std::pair<Size, Size>> pairs;
  for (const ValueId item : values.items(tuple)) {
    const auto pair = read_tuple(item);
    if (!pair || pair->size() != 2) return std::nullopt;
    pairs.emplace_back((*pair)[0], (*pair)[1]);
  }
  return pairs;
}

ShapeId Shapes::from_tuple(ValueId tuple) {
  const auto sizes = read_tuple(tuple);
  if (sizes_.take_failure() || !sizes) return ShapeId::kRaises;
  return from_shape(*sizes);
}

ShapeId Shapes::of_tracker(ValueId tracker) {
  if (const auto found = trackers_.find(tracker); found != trackers_.end()) return found->second;
  const ValueTable& values = graph_.values();
  const auto views = values.items(values.field(tracker, "views"));
  ShapeId shape = ShapeId::kNone;
  if (!views.empty()) {
    const auto sizes = read_tuple(values.field(views.back(), "shape"));
    const bool raised = sizes_.take_failure();
    shape = raised || !sizes ? ShapeId::kRaises : intern(*sizes);
  }
  trackers_.emplace(tracker, shape);
  return shape;
}

ShapeId Shapes::moved(Ops op, ShapeId shape, ValueId arg) {
  if (!is_shape(shape)) return ShapeId::kRaises;
  const auto hash = mix_hash(mix_hash(static_cast<std::uint32_t>(op), static_cast<std::uint32_t>(shape)),
                             static_cast<std::uint32_t>(arg));
  const auto found = moved_index_.find(
      hash, [&](std::uint32_t i) { return moved_[i].op == op && moved_[i].shape == shape && moved_[i].arg == arg; });
  if (found != HashIndex::kNone) return moved_[found].result;
  ShapeId result = find_moved(op, shape, arg);
  if (sizes_.take_failure()) result = ShapeId::kRaises;
  moved_index_.add(hash, static_cast<std::uint32_t>(moved_.size()));
  moved_.push_back({op, shape, arg, result});
  return result;
}

ShapeId Shapes::find_moved(Ops op, ShapeId shape, ValueId arg) {
  switch (op) {
    case Ops::kReshape:
      return reshape(shape, arg);
    case Ops::kPermute:
      return permute(get(shape), arg);
    case Ops::kExpand:
      return expand(get(shape), arg);
    case Ops::kPad:
      return pad(shape, arg);
    case Ops::kShrink:
      return shrink(get(shape), arg);
    case Ops::kFlip:
      return from_shape(shape);
    default:
      return ShapeId::kRaises;
  }
}

// View.reshape, and View.create where it cannot be done in one view: the shape is the same either way.
ShapeId Shapes::reshape(ShapeId shape, ValueId arg) {
  const auto sizes = read_tuple(arg);
  if (!sizes) return ShapeId::kRaises;
  const std::vector<Size> old = get(shape);
  if (old == *sizes) return shape;
  for (const Size& size : *sizes) {
    if (!sizes_.require_at_least_zero(size)) return ShapeId::kRaises;
  }
  if (sizes_.differ(sizes_.product(old), sizes_.product(*sizes))) return ShapeId::kRaises;
  return sizes_.take_failure() ? ShapeId::kRaises : from_shape(*sizes);
}

ShapeId Shapes::permute(std::span<const Size> shape, ValueId arg) {
  const auto axes = read_tuple(arg);
  if (!axes || axes->size() != shape.size()) return ShapeId::kRaises;
  std::vector<Size> sizes;
  std::vector<bool> used(shape.size());
  for (const Size& axis : *axes) {
    if (axis.is_symbolic || axis.value < 0 || axis.value >= static_cast<Wide>(shape.size())) return ShapeId::kRaises;
    const auto i = static_cast<std::size_t>(axis.value);
    if (used[i]) return ShapeId::kRaises;
    used[i] = true;
    sizes.push_back(shape[i]);
  }
  return from_shape(sizes);
}

ShapeId Shapes::expand(std::span<const Size> shape, ValueId arg) {
  const auto sizes = read_tuple(arg);
  if (!sizes || sizes->size() != shape.size()) return ShapeId::kRaises;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != (*sizes)[i] && !shape[i].is(1)) return ShapeId::kRaises;
  }
  return from_shape(*sizes);
}

ShapeId Shapes::pad(ShapeId shape, ValueId arg) {
  const auto pairs = read_pairs(arg);
  const std::vector<Size> old = get(shape);
  if (!pairs || pairs->size() != old.size()) return ShapeId::kRaises;
  bool pads = false;
  for (const auto& [before, after] : *pairs) {
    if (is_plain(before) && is_plain(after) && (before.value < 0 || after.value < 0)) return ShapeId::kRaises;
    pads = pads || sizes_.differ(before, Size::of(0)) || sizes_.differ(after, Size::of(0));
  }
  if (!pads) return shape;
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const auto& [before, after] = (*pairs)[i];
    sizes.push_back(sizes_.subtract(sizes_.add(old[i], after), sizes_.negate(before)));
  }
  return sizes_.take_failure() ? ShapeId::kRaises : from_shape(sizes);
}

ShapeId Shapes::shrink(std::span<const Size> shape, ValueId arg) {
  const auto pairs = read_pairs(arg);
  if (!pairs || pairs->size() != shape.size()) return ShapeId::kRaises;
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto& [begin, end] = (*pairs)[i];
    const bool all_ints = is_plain(begin) && is_plain(end) && is_plain(shape[i]);
    if (all_ints && !(0 <= begin.value && begin.value <= end.value && end.value <= shape[i].value)) {
      return ShapeId::kRaises;
    }
    sizes.push_back(sizes_.subtract(end, begin));
  }
  return sizes_.take_failure() ? ShapeId::kRaises : from_shape(sizes);
}

std::optional<Wide> Shapes::element_count(ShapeId shape) {
  if (!is_shape(shape)) return std::nullopt;
  Wide count = 1;
  for (const Size& size : get(shape)) count = python::wide_mul(count, sizes_.greatest(size));
  return sizes_.take_failure() ? std::nullopt : std::optional(count);
}

const std::optional<std::string>& Shapes::text(ShapeId shape) {
  const auto [entry, is_new] = texts_.try_emplace(shape);
  if (!is_new) return entry->second;
  std::string text = "(";
  bool good = is_shape(shape);
  if (good) {
    for (const Size& size : get(shape)) {
      const auto part = sizes_.text(size);
      good = good && part;
      if (part) text += (text.size() == 1 ? "" : ",") + *part;
    }
  }
  if (good && !sizes_.take_failure()) entry->second = text + ")";
  return entry->second;
}

}  // namespace vizd::tinygrad_2025_09

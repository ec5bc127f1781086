#include "rewrite/context_keys.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "base/content_hash.h"

namespace vizd {
namespace {

enum class Numbers { kTold, kLeftOut };  // those that a recording gives to its buffers as it meets them

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Ops that are nothing but such a number, and fields of arguments that hold one.
constexpr std::array<std::string_view, 2> kNumberOps = {"UNIQUE", "LUNIQUE"};
constexpr std::string_view kNumberField = "slot";
// Fields that say which of a recording's things an op is, or leads to: never part of its content.
constexpr std::array<std::string_view, 2> kPlaceFields = {"identity", "context"};

// A number without a name only makes an object unlike all others.
bool is_content(const ValueTable& values, ValueId name, ValueId value, Numbers numbers) {
  if (values.kind(name) != ValueKind::kString) return values.kind(value) != ValueKind::kInt;
  const std::string_view field = values.text(name);
  return !is_one_of(kPlaceFields, field) && (numbers == Numbers::kTold || field != kNumberField);
}

// Hashes all values, by id: a value's items come before it.
std::vector<std::uint64_t> hash_values(const ValueTable& values, Numbers numbers) {
  std::vector<std::uint64_t> hashes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ValueId id = to_id<ValueId>(i);
    const ValueKind kind = values.kind(id);
    const auto items = values.items(id);
    ContentHash made;
    made.add(static_cast<std::uint64_t>(kind));
    switch (kind) {
      case ValueKind::kNone:
      case ValueKind::kOp:  // of another graph: its place in the capture says nothing
        break;
      case ValueKind::kBool:
      case ValueKind::kInt:
        made.add(static_cast<std::uint64_t>(values.as_int(id)));
        break;
      case ValueKind::kFloat: {
        const double real = values.as_real(id);
        made.add(std::span<const double>(&real, 1));
        break;
      }
      case ValueKind::kString:
      case ValueKind::kBytes:
      case ValueKind::kBigInt:
      case ValueKind::kEnum:
        made.add(values.text(id));
        break;
      case ValueKind::kSet: {
        std::uint64_t all = 0;  // in any order
        for (const ValueId item : items) all += hashes[index(item)];
        made.add(all);
        break;
      }
      case ValueKind::kObject:
        made.add(values.type_name(id));
        for (std::size_t field = 0; field + 1 < items.size(); field += 2) {
          if (!is_content(values, items[field], items[field + 1], numbers)) continue;
          made.add(hashes[index(items[field])]);
          made.add(hashes[index(items[field + 1])]);
        }
        break;
      default:
        for (const ValueId item : items) made.add(hashes[index(item)]);
    }
    hashes[i] = made.value();
  }
  return hashes;
}

// Hashes all ops, by id: an op's sources come before it.
std::vector<std::uint64_t> hash_ops(const Capture& capture, Numbers numbers) {
  const std::vector<std::uint64_t> values = hash_values(capture.values, numbers);
  const std::uint64_t nothing = content_hash_of("");
  struct Kind {
    std::uint64_t hash = 0;
    bool is_known = false, is_number = false;
  };
  std::vector<Kind> kinds;
  // By name where there is one: a recording may number the kinds as it meets them.
  const auto kind_of = [&](std::uint16_t number) {
    if (number >= kinds.size()) kinds.resize(std::size_t{number} + 1);
    Kind& kind = kinds[number];
    if (kind.is_known) return kind;
    const std::string_view name = capture.dialect == nullptr ? "" : capture.dialect->kind_name(number);
    kind = {.hash = capture.dialect == nullptr ? number : content_hash_of(name),
            .is_known = true,
            .is_number = numbers == Numbers::kLeftOut && is_one_of(kNumberOps, name)};
    return kind;
  };
  std::vector<std::uint64_t> hashes(capture.ops.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const Op op = capture.ops.op(to_id<OpId>(i));
    const Kind kind = kind_of(op.kind);
    ContentHash made;
    made.add(kind.hash);
    made.add(values[index(op.dtype)]);
    made.add(kind.is_number ? nothing : values[index(op.arg)]);
    made.add(values[index(op.tag)]);
    for (const OpId source : op.src) made.add(hashes[index(source)]);
    hashes[i] = made.value();
  }
  return hashes;
}

}  // namespace

ContentKeys content_keys(const Capture& capture) {
  const Rewrites& rewrites = capture.rewrites;
  ContentKeys keys{.contexts = std::vector<std::uint32_t>(rewrites.contexts.size()),
                   .passes = std::vector<std::uint16_t>(rewrites.passes.size())};
  for (const Numbers numbers : {Numbers::kTold, Numbers::kLeftOut}) {
    const bool makes_programs = numbers == Numbers::kTold;
    const auto is_meant = [&](const Context& context) {
      return context.pass_count > 0 && (index(context.program) != kNoId) == makes_programs;
    };
    if (std::ranges::none_of(rewrites.contexts, is_meant)) continue;
    const std::vector<std::uint64_t> hashes = hash_ops(capture, numbers);
    for (std::size_t c = 0; c < rewrites.contexts.size(); ++c) {
      const Context& context = rewrites.contexts[c];
      if (!is_meant(context)) continue;
      const std::uint64_t hash = hashes[index(rewrites.passes[context.first_pass].sink)];
      keys.contexts[c] = std::max<std::uint32_t>(static_cast<std::uint32_t>(hash ^ hash >> 32), 1);
      for (std::uint32_t p = context.first_pass; p < context.first_pass + context.pass_count; ++p) {
        const std::uint64_t of_pass = hashes[index(rewrites.passes[p].sink)];
        keys.passes[p] = static_cast<std::uint16_t>(of_pass ^ of_pass >> 32);
      }
    }
  }
  return keys;
}

}  // namespace vizd

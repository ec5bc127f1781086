#include "disasm/amd/instruction_tables.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <string>

#include "base/assert.h"

namespace vizd::amd {
namespace {

constexpr std::string_view kPieces[] = {
#include "disasm/amd/instruction_tables.inc"
};

std::uint32_t number_of(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  VIZD_ASSERT(problem == std::errc() && end == text.data() + text.size());
  return number;
}

// Cuts off and returns what stands before the separator: all where it is not there.
std::string_view cut(std::string_view& rest, char separator) {
  const std::size_t at = rest.find(separator);
  const std::string_view first = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return first;
}

struct FamilyTables {
  std::unordered_map<std::string_view, Operations> operations;
  std::deque<InstructionFormat> formats;  // variants and others too
  std::vector<const InstructionFormat*> ordered;
};

// The tables as the text has them: sections that begin with a word of their own, and what belongs to each below it.
class Tables {
 public:
  Tables() {
    for (std::string_view piece : kPieces) {
      while (!piece.empty()) read_line(cut(piece, '\n'));
    }
    for (FamilyTables& family : families_) link_variants(family);
  }

  const FamilyTables& of(Family family) const { return families_[static_cast<std::size_t>(family)]; }
  const std::unordered_map<std::uint32_t, std::string_view>& names() const { return names_; }
  const std::unordered_map<std::uint32_t, std::string_view>& pairs() const { return pairs_; }

 private:
  void read_line(std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = cut(rest, ' ');
    if (word == "architecture") {
      family_ = &families_[static_cast<std::size_t>(*family_named(rest))];
    } else if (word == "operations") {
      operations_ = &family_->operations[rest];
    } else if (word == "format" || word == "variant" || word == "other") {
      InstructionFormat& format = family_->formats.emplace_back();
      format.name = cut(rest, ' ');
      format.size_bytes = static_cast<std::uint8_t>(number_of(rest));
      if (word == "format") family_->ordered.push_back(&format);
    } else if (word == "registers" || word == "pairs") {
      registers_ = word == "pairs" ? &pairs_ : &names_;
    } else if (line.starts_with('|')) {
      cut(line, '|');
      while (!line.empty()) read_field(cut(line, '|'));
    } else if (registers_ != nullptr) {
      while (!line.empty()) {
        std::string_view entry = cut(line, ' ');
        const std::uint32_t number = number_of(cut(entry, ':'));
        registers_->emplace(number, entry);
      }
    } else {
      while (!line.empty()) read_operation(cut(line, ' '));
    }
  }

  void read_operation(std::string_view text) {
    Operation& operation = (*operations_)[number_of(cut(text, ':'))];
    operation.name = cut(text, ':');
    while (!text.empty()) {
      std::string_view size = cut(text, ',');
      const std::string_view operand = cut(size, '=');
      operation.sizes.push_back({operand, static_cast<std::uint8_t>(number_of(size))});
    }
  }

  void read_field(std::string_view text) {
    using FieldKind = InstructionField::Kind;
    InstructionField& field = family_->formats.back().fields.emplace_back();
    field.name = cut(text, ' ');
    field.hi = static_cast<std::uint8_t>(number_of(cut(text, ' ')));
    field.lo = static_cast<std::uint8_t>(number_of(cut(text, ' ')));
    const std::string_view kind = cut(text, ' ');
    const std::string_view first = cut(text, ' '), second = cut(text, ' ');
    if (kind == "fixed" || kind == "bits") {
      field.kind = kind == "fixed" ? FieldKind::kFixed : FieldKind::kBits;
      field.value = number_of(first);
    } else if (kind == "op") {
      field.kind = FieldKind::kOperation;
      field.operations = &family_->operations.at(first);
      if (second != "*") read_allowed(field, second);
    } else if (kind == "register") {
      field.kind = FieldKind::kRegister;
      field.base = number_of(first);
      field.value = number_of(second);
    } else if (kind == "aligned") {
      field.kind = FieldKind::kAligned;
      field.shift = static_cast<std::uint8_t>(number_of(first));
    } else {
      field.kind = FieldKind::kSecondRegister;
    }
  }

  static void read_allowed(InstructionField& field, std::string_view text) {
    field.allowed.resize(std::size_t{1} << (field.hi - field.lo + 1));
    while (!text.empty()) {
      std::string_view range = cut(text, ',');
      const std::uint32_t from = number_of(cut(range, '-'));
      const std::uint32_t to = range.empty() ? from : number_of(range);
      for (std::uint32_t n = from; n <= to; ++n) field.allowed[n] = true;
    }
  }

  static void link_variants(FamilyTables& family) {
    std::unordered_map<std::string, const InstructionFormat*> by_name;
    for (const InstructionFormat& format : family.formats) by_name.emplace(format.name, &format);
    for (InstructionFormat& format : family.formats) {
      constexpr std::string_view kVariants[] = {"_LIT", "_DPP8", "_DPP16", "_SDWA"};
      format.is_variant = std::ranges::any_of(
          kVariants, [&](std::string_view word) { return format.name.find(word) != std::string_view::npos; });
      const auto find = [&](std::string_view suffix) {
        const auto found = by_name.find(std::string(format.name) + std::string(suffix));
        return found == by_name.end() ? nullptr : found->second;
      };
      format.literal = find("_LIT");
      format.sdwa = find("_SDWA");
      format.dpp8 = find("_DPP8");
      format.dpp16 = find("_DPP16");
    }
  }

  std::array<FamilyTables, 3> families_;
  std::unordered_map<std::uint32_t, std::string_view> names_, pairs_;
  FamilyTables* family_ = nullptr;
  Operations* operations_ = nullptr;
  std::unordered_map<std::uint32_t, std::string_view>* registers_ = nullptr;
};

const Tables& tables() {
  static const Tables tables;
  return tables;
}

std::string_view name_in(const std::unordered_map<std::uint32_t, std::string_view>& names, std::uint32_t number) {
  const auto found = names.find(number);
  return found == names.end() ? std::string_view() : found->second;
}

}  // namespace

Family family_of(std::int64_t gfx_target_version) {
  const std::int64_t generation = gfx_target_version / 10'000;
  return generation == 11 ? Family::kRdna3 : generation == 12 ? Family::kRdna4 : Family::kCdna;
}

std::optional<Family> family_of_target(std::string_view target) {
  if (target.starts_with("gfx11")) return Family::kRdna3;
  if (target.starts_with("gfx12")) return Family::kRdna4;
  return target.starts_with("gfx9") ? std::optional(Family::kCdna) : std::nullopt;
}

std::optional<Family> family_named(std::string_view name) {
  if (name == "rdna3") return Family::kRdna3;
  if (name == "rdna4") return Family::kRdna4;
  return name == "cdna" ? std::optional(Family::kCdna) : std::nullopt;
}

const InstructionField* InstructionFormat::find(std::string_view field) const {
  const auto found = std::ranges::find(fields, field, &InstructionField::name);
  return found == fields.end() ? nullptr : &*found;
}

std::span<const InstructionFormat* const> formats_of(Family family) { return tables().of(family).ordered; }

const InstructionFormat* find_format(Family family, std::string_view name) {
  const auto& formats = tables().of(family).formats;
  const auto found = std::ranges::find(formats, name, &InstructionFormat::name);
  return found == formats.end() ? nullptr : &*found;
}

std::string_view register_name(std::uint32_t number) { return name_in(tables().names(), number); }

std::string_view register_pair_name(std::uint32_t number) { return name_in(tables().pairs(), number); }

}  // namespace vizd::amd

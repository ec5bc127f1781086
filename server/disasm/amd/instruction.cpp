#include "disasm/amd/instruction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/ascii_case.h"

namespace vizd::amd {
namespace {

using Kind = InstructionField::Kind;

// Registers that stand for other things than themselves.
constexpr std::uint32_t kNull = 124, kM0 = 125, kFirstConstant = 240, kLastConstant = 255;
constexpr std::uint32_t kSdwa = 249, kDpp16 = 250, kLiteral = 255;
constexpr std::uint32_t kFirstVector = 256;
std::uint64_t mask_of(const InstructionField& field) {
  const unsigned width = field.hi - field.lo + 1u;
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t word) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + word * kWordBytes, sizeof value);
  return value;
}

// As tinygrad's _matches: fields are compared within the word in which they begin.
bool matches(const InstructionFormat& format, std::span<const std::byte> bytes) {
  for (const InstructionField& field : format.fields) {
    const std::size_t word = field.lo / 32;
    if (bytes.size() < (word + 1) * kWordBytes) return false;
    const std::uint64_t value = word_at(bytes, word) >> field.lo % 32 & mask_of(field);
    if (field.kind == Kind::kFixed && value != field.value) return false;
    if (field.kind == Kind::kOperation && !field.allowed.empty() && !field.allowed[value]) return false;
  }
  const std::uint32_t first_operand = word_at(bytes, 0) & 0x1FF;
  if (format.name.ends_with("_SDWA_SDST") || format.name.ends_with("_SDWA")) return first_operand == kSdwa;
  if (format.name.ends_with("_DPP16")) return first_operand == kDpp16;
  return true;
}

std::string register_text(std::uint32_t number, std::uint32_t count) {
  const auto range = [&](std::string_view file, std::uint32_t first) {
    return count == 1 ? fmt::format("{}[{}]", file, first) : fmt::format("{}[{}:{}]", file, first, first + count - 1);
  };
  constexpr std::uint32_t kScalars = 106, kFirstTrap = 108, kLastTrap = 123;
  constexpr std::uint32_t kZero = 128, kMostInteger = 192, kLeastInteger = 208;
  if (number >= kFirstVector) return range("v", number - kFirstVector);
  if (number < kScalars) return range("s", number);
  if (count == 2 && !register_pair_name(number).empty()) return std::string(register_pair_name(number));
  if (const std::string_view name = register_name(number); !name.empty()) return std::string(name);
  if (number >= kFirstTrap && number <= kLastTrap) return range("ttmp", number - kFirstTrap);
  if (number >= kZero && number <= kMostInteger) return fmt::format("{}", number - kZero);
  if (number > kMostInteger && number <= kLeastInteger) return fmt::format("-{}", number - kMostInteger);
  return fmt::format("register {}", number);
}

bool has_word(std::string_view name, std::string_view word) { return name.find(word) != std::string_view::npos; }

}  // namespace

Instruction::Instruction(Family family, const InstructionFormat& format, std::span<const std::byte> bytes)
    : format_(&format), is_cdna_(family == Family::kCdna) {
  const std::size_t size = std::min<std::size_t>(bytes.size(), format.size_bytes);
  std::memcpy(&low_, bytes.data(), std::min(size, sizeof low_));
  if (size > sizeof low_) std::memcpy(&high_, bytes.data() + sizeof low_, std::min(size - sizeof low_, sizeof high_));
}

std::uint64_t Instruction::value(const InstructionField& field) const {
  const unsigned lo = field.lo;
  const std::uint64_t bits = lo >= 64 ? high_ >> (lo - 64) : lo == 0 ? low_ : low_ >> lo | high_ << (64 - lo);
  return bits & mask_of(field);
}

const Operation* Instruction::find_operation() const {
  const InstructionField* const field = format_->find("op");
  if (field == nullptr || field->operations == nullptr) return nullptr;
  const auto found = field->operations->find(static_cast<std::uint32_t>(value(*field)));
  return found == field->operations->end() ? nullptr : &found->second;
}

std::string_view Instruction::operation() const {
  const Operation* const found = find_operation();
  return found == nullptr ? std::string_view() : found->name;
}

// The format that the operands ask for, or null.
const InstructionFormat* Instruction::variant() const {
  if (format_->is_variant) return nullptr;
  for (const InstructionField& field : format_->fields) {
    if (field.name != "opx" && field.name != "opy") continue;
    const auto found = field.operations->find(static_cast<std::uint32_t>(value(field)));
    const std::string_view name = found == field.operations->end() ? std::string_view() : found->second.name;
    if (has_word(name, "FMAMK") || has_word(name, "FMAAK")) return format_->literal;
  }
  for (const InstructionField& field : format_->fields) {
    if (field.kind != Kind::kRegister) continue;
    const std::uint64_t number = value(field) + field.base;
    if (number == kLiteral) return format_->literal;
    if (number == kSdwa) return is_cdna_ ? format_->sdwa : format_->dpp8;
    if (number == kDpp16) return format_->dpp16;
  }
  return nullptr;
}

// How many registers the operation's operand is told to be; nothing where it is not told.
std::optional<std::uint32_t> Instruction::told_registers(std::string_view operand) const {
  const Operation* const operation = find_operation();
  if (operation == nullptr) return std::nullopt;
  const auto found = std::ranges::find(operation->sizes, operand, &OperandSize::operand);
  const bool is_told = found != operation->sizes.end();
  const std::string_view name = operation->name;
  // Masks of lanes, since tinygrad compiles for waves of 32.
  const bool is_mask = (operand == "src2" && (has_word(name, "CNDMASK") || has_word(name, "_CO_CI_"))) ||
                       (operand == "sdst" && has_word(format_->name, "VOP3SD")) ||
                       (operand == "vdst" && has_word(name, "CMP"));
  if (!is_cdna_ && is_mask) return 1;
  if (operand == "addr" && is_told && format_->name != "SCRATCH" && format_->name != "VSCRATCH") {
    if (const InstructionField* const saddr = format_->find("saddr")) {
      const std::uint64_t number = value(*saddr);
      return number == kNull || number == kM0 ? 2 : 1;
    }
  }
  const InstructionField *const offen = format_->find("offen"), *const idxen = format_->find("idxen");
  if (operand == "vaddr" && is_told && offen != nullptr && idxen != nullptr) {
    return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(value(*offen) + value(*idxen)));
  }
  if (has_word(name, "F8F6F4") && (operand == "src0" || operand == "src1")) {
    // Eight registers of 8-bit numbers, six of 6, four of 4.
    const InstructionField* const field = format_->find(operand == "src0" ? "cbsz" : "blgp");
    const std::uint64_t type = field != nullptr ? value(*field) : operand == "src0" ? low_ >> 8 & 7 : low_ >> 61 & 7;
    return type == 4 ? 4 : type == 2 || type == 3 ? 6 : 8;
  }
  return is_told ? std::optional<std::uint32_t>(found->registers) : std::nullopt;
}

std::uint32_t Instruction::registers_of(const InstructionField& field) const {
  if (field.kind == Kind::kRegister) {
    const std::uint64_t number = value(field) + field.base;
    if (number == kNull || number == kM0 || (number >= kFirstConstant && number <= kLastConstant)) return 1;
    // A vector operand of a variant goes by the name of the operand that it stands for.
    if (field.name.starts_with('v')) {
      if (const auto told = told_registers(field.name.substr(1))) return *told;
    }
  }
  return told_registers(field.name).value_or(1);
}

std::string Instruction::field_text(const InstructionField& field) const {
  const auto number = static_cast<std::uint32_t>(value(field));
  switch (field.kind) {
    case Kind::kOperation: {
      const auto found = field.operations->find(number);
      return found == field.operations->end() ? fmt::format("0x{:x}", number)
                                              : fmt::format("VOPDOp.{}", found->second.name);
    }
    case Kind::kSecondRegister: {
      const InstructionField* const first = format_->find("vdstx");
      const std::uint32_t odd = first == nullptr ? 0 : static_cast<std::uint32_t>(value(*first) & 1) ^ 1;
      return register_text(kFirstVector + (number << 1 | odd), 1);
    }
    case Kind::kAligned:
      return register_text(number << field.shift, registers_of(field));
    case Kind::kRegister:
      return register_text(number + field.base, registers_of(field));
    default:
      return fmt::format("{}", value(field));
  }
}

bool Instruction::is_default(const InstructionField& field) const {
  if (field.kind == Kind::kBits) return value(field) == field.value;
  return field.kind == Kind::kRegister && value(field) + field.base == field.value && registers_of(field) == 1;
}

std::string Instruction::text() const {
  std::size_t told = 0;  // fields up to the last that is not as it is where nothing is said
  const auto is_shown = [](const InstructionField& field) { return field.kind != Kind::kFixed && field.name != "op"; };
  for (std::size_t i = 0; i < format_->fields.size(); ++i) {
    if (is_shown(format_->fields[i]) && !is_default(format_->fields[i])) told = i + 1;
  }
  const InstructionField* const op = format_->find("op");
  std::string text = op == nullptr         ? std::string(format_->name)
                     : operation().empty() ? fmt::format("{}_0x{:x}", ascii_lower(format_->name), value(*op))
                                           : ascii_lower(operation());
  text += '(';
  bool is_first = true;
  for (std::size_t i = 0; i < told; ++i) {
    const InstructionField& field = format_->fields[i];
    if (!is_shown(field)) continue;
    if (!is_first) text += ", ";
    is_first = false;
    text += field_text(field);
  }
  return text + ')';
}

std::string Instruction::hex() const {
  std::string digits;
  for (std::uint32_t i = 0; i < size_bytes(); ++i) {
    const std::uint64_t half = i < sizeof low_ ? low_ : high_;
    digits += fmt::format("{:02x}", half >> 8 * (i % sizeof low_) & 0xFF);
  }
  return digits;
}

std::optional<std::uint16_t> Instruction::immediate() const {
  const InstructionField* const field = format_->find("simm16");
  return field == nullptr ? std::nullopt : std::optional(static_cast<std::uint16_t>(value(*field)));
}

std::optional<std::int64_t> Instruction::jump() const {
  const auto distance = immediate();
  if (!distance || !has_word(operation(), "BRANCH")) return std::nullopt;
  return std::int64_t{static_cast<std::int16_t>(*distance)} * kWordBytes;
}

bool Instruction::is_hidden_wait() const {
  const std::string_view name = operation();
  return name == "S_DELAY_ALU" || name == "S_WAIT_ALU" || name == "S_BARRIER_WAIT";
}

std::optional<Instruction> decode(Family family, std::span<const std::byte> bytes) {
  if (bytes.size() < kWordBytes) return std::nullopt;
  for (const InstructionFormat* const format : formats_of(family)) {
    if (!matches(*format, bytes)) continue;
    Instruction instruction(family, *format, bytes);
    if (const InstructionFormat* const variant = instruction.variant())
      instruction = Instruction(family, *variant, bytes);
    return instruction;
  }
  return std::nullopt;
}

}  // namespace vizd::amd

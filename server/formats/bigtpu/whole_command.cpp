#include "formats/bigtpu/whole_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace vizd::bigtpu {
namespace {

constexpr std::size_t kDmaHeadBytes = 16, kTiuHeadBytes = 16;
constexpr std::size_t kLongDmaBytes = 96, kLongTiuBytes = 128;

constexpr CommandField kTensorFields[] = {
    {"interrupt enabled", "", 0, 1},  {"strides enabled", "", 1, 1},      {"NCHW copy", "", 2, 1},
    {"short command", "", 3, 1},      {"fills with constant", "", 40, 1}, {"source data format", "", 41, 4},
    {"constant", "", 96, 32},         {"source stride n", "", 128, 32},   {"source stride c", "", 160, 32},
    {"source stride h", "", 192, 32}, {"source stride w", "", 224, 32},   {"target stride n", "", 256, 32},
    {"target stride c", "", 288, 32}, {"target stride h", "", 320, 32},   {"target stride w", "", 352, 32},
    {"source n", "", 384, 16},        {"source c", "", 400, 16},          {"source h", "", 416, 16},
    {"source w", "", 432, 16},        {"target n", "", 448, 16},          {"target c", "", 464, 16},
    {"target h", "", 480, 16},        {"target w", "", 496, 16},          {"source address", "", 512, 45},
    {"target address", "", 576, 45},  {"all-reduce code", "", 640, 16},
};
constexpr CommandField kAddressFields[] = {{"source address", "", 512, 45}, {"target address", "", 576, 45}};

constexpr CommandField kTiuFields[] = {
    {"short command", "", 0, 1},
    {"result data type", "", 72, 3},
    {"operand 0 data type", "", 75, 3},
    {"operand 1 data type", "", 78, 3},
    {"lanes", "", 192, 48},
    {"result n", "", 256, 16},
    {"result c", "", 272, 16},
    {"result h", "", 288, 16},
    {"result w", "", 304, 16},
    {"operand 0 n", "", 320, 16},
    {"operand 0 c", "", 336, 16},
    {"operand 0 h", "", 352, 16},
    {"operand 0 w", "", 368, 16},
    {"operand 1 n", "", 384, 16},
    {"operand 1 c", "", 400, 16},
    {"operand 1 h", "", 416, 16},
    {"operand 1 w", "", 432, 16},
    {"result address", "", 576, 32},
    {"operand 0 address", "", 608, 32},
    {"operand 1 address", "", 640, 32},
    {"operand 2 address", "", 672, 32},
};

std::string_view memory_at(std::uint64_t address) {
  constexpr std::size_t kTagBit = 40;
  constexpr std::uint64_t kLmem = 31, kL2 = 30;
  const std::uint64_t tag = address >> kTagBit & 31;
  return tag == kLmem ? "LMEM" : tag == kL2 ? "L2M" : "DDR";
}

WholeCommand read_dma(std::span<const std::byte> bytes) {
  WholeCommand command;
  command.type = static_cast<int>(bits_at(bytes, 32, 5));
  command.special = static_cast<int>(bits_at(bytes, 37, 3));
  command.waits_for = static_cast<std::int64_t>(bits_at(bytes, 64, 21));
  if (command.type == kDmaSystem) {
    command.is_decoded = true;
    return command;
  }
  // By type: those with the tensor's layout, and those that share the addresses with it.
  constexpr std::array kTensorTypes{0, 1, 3, 4, 9};
  constexpr std::array kAddressTypes{7, 8, 12, 13};
  const bool is_long = bytes.size() >= kLongDmaBytes;
  if (is_long && std::ranges::find(kTensorTypes, command.type) != kTensorTypes.end()) {
    command.fields = kTensorFields;
    command.is_decoded = true;
  } else if (is_long && std::ranges::find(kAddressTypes, command.type) != kAddressTypes.end()) {
    command.fields = kAddressFields;
  }
  constexpr std::array kOwnDataType{12, 13};
  if (std::ranges::find(kOwnDataType, command.type) == kOwnDataType.end())
    command.data_type = static_cast<unsigned>(bits_at(bytes, 41, 4));
  if (!command.fields.empty())
    command.direction = fmt::format("{}->{}", memory_at(bits_at(bytes, 512, 45)), memory_at(bits_at(bytes, 576, 45)));
  return command;
}

WholeCommand read_tiu(std::span<const std::byte> bytes) {
  constexpr int kTransfer = 12;  // whose head is laid out otherwise
  WholeCommand command;
  command.type = static_cast<int>(bits_at(bytes, 41, 4));
  command.special = static_cast<int>(bits_at(bytes, 45, 5));
  if (command.type != kTransfer) command.waits_for = static_cast<std::int64_t>(bits_at(bytes, 17, 23));
  const bool is_short = bits_at(bytes, 0, 1) != 0;
  if (!is_short && bytes.size() >= kLongTiuBytes) command.fields = kTiuFields;
  command.is_decoded = command.type == kTiuSystem;
  return command;
}

}  // namespace

std::uint64_t bits_at(std::span<const std::byte> bytes, std::size_t bit, std::size_t width) {
  std::uint64_t value = 0;
  const std::size_t first = bit / 8;
  for (std::size_t i = 0; i < 8 && first + i < bytes.size(); ++i)
    value |= std::to_integer<std::uint64_t>(bytes[first + i]) << (8 * i);
  return value >> (bit % 8) & ((std::uint64_t{1} << width) - 1);
}

std::optional<WholeCommand> read_whole_command(Engine engine, std::span<const std::byte> bytes) {
  if (engine == Engine::kCdma || bytes.size() < (engine == Engine::kTiu ? kTiuHeadBytes : kDmaHeadBytes))
    return std::nullopt;
  return engine == Engine::kTiu ? read_tiu(bytes) : read_dma(bytes);
}

}  // namespace vizd::bigtpu

// What the operation numbers of dispatch packets stand for. An operation of another SIMD than the traced one is
// OTHER_…; a number at the end of a name is the cycles that its execution takes.
#include <fmt/format.h>

#include <array>
#include <span>
#include <string>

#include "hardware/thread_trace/packet.h"

namespace vizd::thread_trace {
namespace {

struct Operation {
  std::uint8_t number;
  std::string_view name;
};

constexpr Operation kRdnaOperations[] = {
    {0x00, "SALU"},      {0x03, "JUMP"},         {0x04, "JUMP_NO"},       {0x05, "CALL"},      {0x09, "MESSAGE"},
    {0x0b, "VALUT_4"},   {0x0d, "VALUB_2"},      {0x0e, "VALUB_4"},       {0x0f, "VALUB_16"},  {0x12, "VINTERP"},
    {0x1c, "FLAT_RD_2"}, {0x1d, "FLAT_WR_3"},    {0x1e, "FLAT_WR_4"},     {0x1f, "FLAT_WR_5"}, {0x20, "FLAT_WR_6"},
    {0x29, "LDS_RD"},    {0x2a, "LDS_WR_1"},     {0x2b, "LDS_WR_2"},      {0x2c, "LDS_WR_3"},  {0x2d, "LDS_WR_4"},
    {0x2e, "LDS_WR_5"},  {0x72, "SALU_WR_EXEC"}, {0x73, "VALU1_WR_EXEC"},
};
constexpr Operation kRdna3Operations[] = {
    {0x01, "SMEM_RD"},    {0x13, "BARRIER"},    {0x21, "SGMEM_RD_1"}, {0x22, "SGMEM_RD_2"}, {0x24, "SGMEM_WR_2"},
    {0x25, "SGMEM_WR_3"}, {0x26, "SGMEM_WR_4"}, {0x27, "SGMEM_WR_5"}, {0x28, "SGMEM_WR_6"},
};
constexpr Operation kRdna4Operations[] = {
    {0x01, "SMEM"},           {0x02, "SMEM_WR"},      {0x07, "SALU_NO_EXEC"}, {0x0a, "VALU_1"},
    {0x0c, "VALUB_1"},        {0x13, "BARRIER_WAIT"}, {0x21, "VMEM_RD_1"},    {0x22, "VMEM_RD_2"},
    {0x23, "VMEM_WR_1"},      {0x24, "VMEM_WR_2"},    {0x25, "VMEM_WR_3"},    {0x26, "VMEM_WR_4"},
    {0x27, "VMEM_WR_5"},      {0x28, "VMEM_WR_6"},    {0x2f, "BUF_RD_1"},     {0x30, "BUF_RD_2"},
    {0x31, "BUF_WR_1"},       {0x32, "BUF_WR_2"},     {0x33, "BUF_WR_3"},     {0x34, "BUF_WR_4"},
    {0x35, "BUF_WR_5"},       {0x36, "BUF_WR_6"},     {0x6e, "LDS_DIR_LOAD"}, {0x6f, "LDS_PARAM_LOAD"},
    {0x74, "VALU_WR_EXEC_2"}, {0x77, "OTHER_LDS_6"},  {0x78, "OTHER_LDS_10"}, {0x7a, "BARRIER_SIGNAL"},
    {0x87, "DYN_VGPR"},       {0x8a, "BARRIER_JOIN"}, {0x8c, "WMMA_8"},       {0x8d, "WMMA_16"},
    {0x8e, "WMMA_32"},        {0x8f, "WMMA_64"},      {0x92, "VALU_DPFP"},    {0x98, "SALU_FLOAT_3"},
    {0x99, "VALU_SCL_TRANS"}, {0x9b, "SALU_2"},       {0x9c, "SALU_5"},
};
constexpr Operation kCdnaOperations[] = {
    {0, "SMEM_RD"},  {1, "SALU_32"},  {2, "VMEM_RD"},  {3, "VMEM_WR"},   {4, "FLAT_WR"},  {5, "VALU_32"},
    {6, "LDS"},      {7, "PC"},       {12, "JUMP"},    {13, "NEXT"},     {14, "FLAT_RD"}, {15, "OTHER_MSG"},
    {16, "SMEM_WR"}, {17, "SALU_64"}, {18, "VALU_64"}, {28, "VALU_MAI"},
};

// Numbers in a row, whose names count the cycles from least_cycles on.
struct OperationRange {
  std::string_view kind;
  unsigned first, last, least_cycles;
};
constexpr OperationRange kRdna3Others[] = {{"LDS", 0x50, 0x54, 1}, {"FLAT", 0x55, 0x59, 2}, {"VMEM", 0x5a, 0x66, 1}};
constexpr OperationRange kRdna4Others[] = {{"LDS", 0x50, 0x54, 1}, {"FLAT", 0x55, 0x59, 2}, {"VMEM", 0xbc, 0xdd, 1}};

struct Names {
  std::array<std::string, 256> name;
  std::array<bool, 256> is_known{};

  Names() {
    for (unsigned number = 0; number < 256; ++number) name[number] = fmt::format("0x{:02x}", number);
  }
  void add(unsigned number, std::string_view text) {
    name[number] = text;
    is_known[number] = true;
  }
  void add_all(std::span<const Operation> operations) {
    for (const Operation& operation : operations) add(operation.number, operation.name);
  }
  void add_ranges(std::span<const OperationRange> ranges) {
    for (const auto& [kind, first, last, least_cycles] : ranges) {
      for (unsigned n = first; n <= last; ++n) add(n, fmt::format("OTHER_{}_{}", kind, n - first + least_cycles));
    }
  }
};

const Names& names_of(Layout layout) {
  static const std::array<Names, 3> names = [] {
    std::array<Names, 3> made;
    made[0].add_all(kRdnaOperations);
    made[0].add_all(kRdna3Operations);
    made[0].add_ranges(kRdna3Others);
    made[1].add_all(kRdnaOperations);
    made[1].add_all(kRdna4Operations);
    made[1].add_ranges(kRdna4Others);
    made[2].add_all(kCdnaOperations);
    return made;
  }();
  return names[static_cast<std::size_t>(layout)];
}

}  // namespace

std::string_view operation_name(Layout layout, std::uint32_t operation) {
  return names_of(layout).name[operation & 255];
}

bool is_operation(Layout layout, std::uint32_t operation) { return names_of(layout).is_known[operation & 255]; }

std::string_view source_name(PacketKind kind, std::uint64_t source) {
  constexpr std::string_view kMemory[] = {"LDS", "LDS_ALT", "VMEM", "VMEM_ALT"};
  constexpr std::string_view kAlu[] = {"NONE", "SALU", "VALU", "VALU_SALU"};
  return kind == PacketKind::kMemoryExec ? kMemory[source & 3] : kAlu[source & 3];
}

}  // namespace vizd::thread_trace

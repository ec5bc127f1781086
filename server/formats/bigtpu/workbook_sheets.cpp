#include "formats/bigtpu/workbook_sheets.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>

#include "formats/bigtpu/stretches.h"

namespace vizd::bigtpu {
namespace {

using Look = Workbook::Look;
using Sheet = Workbook::Sheet;

// A column and the argument that fills it; "": vizd knows nothing that goes there.
struct SheetColumn {
  std::string_view name, argument = "";
};

constexpr SheetColumn kTiuColumns[] = {
    {"Data Type", "data type"},
    {"des_cmd_id_dep", "waits for command"},
    {"des_res0_n", "result n"},
    {"des_res0_c", "result c"},
    {"des_res0_h", "result h"},
    {"des_res0_w", "result w"},
    {"des_res0_n_str"},
    {"des_res0_c_str"},
    {"des_res0_h_str"},
    {"des_res0_w_str"},
    {"des_opd0_n", "operand 0 n"},
    {"des_opd0_c", "operand 0 c"},
    {"des_opd0_h", "operand 0 h"},
    {"des_opd0_w", "operand 0 w"},
    {"des_opd0_n_str"},
    {"des_opd0_c_str"},
    {"des_opd0_h_str"},
    {"des_opd0_w_str"},
    {"des_opd1_n", "operand 1 n"},
    {"des_opd1_c", "operand 1 c"},
    {"des_opd1_h", "operand 1 h"},
    {"des_opd1_w", "operand 1 w"},
    {"des_opd1_n_str"},
    {"des_opd1_c_str"},
    {"des_opd1_h_str"},
    {"des_opd1_w_str"},
    {"des_opd2_n_str"},
    {"des_res0_addr", "result address"},
    {"des_res1_addr"},
    {"des_opd0_addr", "operand 0 address"},
    {"des_opd1_addr", "operand 1 address"},
    {"des_opd2_addr", "operand 2 address"},
    {"des_opd3_addr"},
    {"des_tsk_typ", "command type"},
    {"des_tsk_eu_typ", "command function"},
    {"des_cmd_short"},
    {"des_opt_res0_prec", "result data type"},
    {"des_opt_opd0_prec", "operand 0 data type"},
    {"des_opt_opd1_prec", "operand 1 data type"},
    {"des_opt_opd2_prec"},
    {"des_short_opd0_str"},
    {"des_opt_opd0_const"},
    {"des_opt_opd1_const"},
    {"des_opt_opd2_const"},
    {"des_opt_opd3_const"},
    {"des_opt_opd4_const"},
    {"des_opt_opd5_const"},
    {"des_opt_res_add"},
    {"des_opt_res0_sign"},
    {"des_opt_opd0_sign"},
    {"des_opt_opd1_sign"},
    {"des_opt_opd2_sign"},
    {"des_opd0_rt_pad"},
    {"des_opd1_x_ins0"},
    {"des_opd0_up_pad"},
    {"des_opd0_lf_pad"},
    {"des_opt_left_tran"},
    {"des_pad_mode"},
    {"des_opd0_y_ins0"},
    {"des_opd1_y_ins0"},
    {"des_short_res0_str"},
    {"des_short_opd1_str"},
    {"des_sym_range"},
    {"des_opt_rq"},
    {"des_op_code"},
    {"des_opt_kernel_rotate"},
    {"des_res_op_x_str"},
    {"des_res_op_y_str"},
    {"des_opd0_x_ins0"},
    {"des_tsk_opd_num"},
    {"des_opd0_dn_pad"},
    {"des_intr_en"},
    {"des_opt_relu"},
    {"des_pwr_step"},
};

constexpr SheetColumn kDmaColumns[] = {
    {"Direction", "direction"},
    {"Data Type", "data type"},
    {"cmd_id_dep", "waits for command"},
    {"cmd_special_function", "command function"},
    {"src_start_addr", "source address"},
    {"dst_start_addr", "target address"},
    {"src_nsize", "source n"},
    {"src_csize", "source c"},
    {"src_hsize", "source h"},
    {"src_wsize", "source w"},
    {"dst_nsize", "target n"},
    {"dst_csize", "target c"},
    {"dst_hsize", "target h"},
    {"dst_wsize", "target w"},
    {"src_nstride", "source stride n"},
    {"src_cstride", "source stride c"},
    {"src_hstride", "source stride h"},
    {"src_wstride", "source stride w"},
    {"dst_nstride", "target stride n"},
    {"dst_cstride", "target stride c"},
    {"dst_hstride", "target stride h"},
    {"dst_wstride", "target stride w"},
    {"nchw_copy"},
    {"stride_enable"},
    {"src_data_format"},
    {"cmd_type", "command type"},
    {"index_csize"},
    {"index_hsize"},
    {"index_cstride"},
    {"index_hstride"},
    {"mask_start_addr_h8"},
    {"mask_start_addr_l32"},
    {"mask_data_format"},
    {"localmem_mask_h32"},
    {"localmem_mask_l32"},
    {"fill_constant_en"},
    {"constant_value", "constant"},
    {"index"},
    {"cmd_short"},
    {"intr_en"},
};

// bigTpuProfile's columns of every command before those.
constexpr std::string_view kCommandColumns[] = {"Engine Id", "Core Id",    "Global Idx",    "Cmd Id",
                                                "Layer Id",  "Layer Name", "Function Type", "Function Name"};
constexpr std::string_view kTiuOwnColumns[] = {"Alg Cycle",          "Asic Cycle", "Start Cycle", "End Cycle",
                                               "Avg Cycle Last 200", "Alg Ops",    "uArch Ops",   "uArch Rate"};
constexpr std::string_view kDmaOwnColumns[] = {"DMA data size(B)",   "Start Cycle", "End Cycle",
                                               "Asic Cycle",         "Stall Cycle", "DDR Bandwidth(GB/s)",
                                               "L2M Bandwidth(GB/s)"};
// And what vizd knows beside them.
constexpr SheetColumn kFurtherColumns[] = {{"Kernel Function", "function"}, {"Batch", "batch"}, {"Mode", "mode"}};

struct Moved {
  std::int64_t bytes = 0, cycles = 0;
};

struct LaneSums {
  std::int64_t cycles = 0, wait_cycles = 0, stall_cycles = 0, commands = 0;
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = std::numeric_limits<std::int64_t>::min();
  Moved ddr, l2;
  Stretches busy;
};

enum class Memory : std::uint8_t { kNone, kDdr, kL2 };

Memory memory_of(std::string_view direction) {
  if (direction.find("DDR") != std::string_view::npos) return Memory::kDdr;
  return direction.find("L2M") != std::string_view::npos ? Memory::kL2 : Memory::kNone;
}

LaneSums sums_of(const LaneCommands& commands) {
  LaneSums sums;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::int64_t start = commands.start_cycle(i), cycles = commands.cycles(i);
    sums.first = std::min(sums.first, start);
    sums.last = std::max(sums.last, start + cycles - 1);
    if (commands.is_wait(i)) sums.wait_cycles += cycles;
    if (!commands.is_working(i)) continue;
    ++sums.commands;
    sums.cycles += cycles;
    sums.stall_cycles += commands.integer(i, "GIF stall");
    sums.busy.push_back({start, start + cycles});
    const Memory memory = memory_of(commands.text(i, "direction"));
    if (memory == Memory::kNone) continue;
    Moved& moved = memory == Memory::kDdr ? sums.ddr : sums.l2;
    moved.bytes += commands.integer(i, "bytes");
    moved.cycles += cycles;
  }
  sums.busy = union_of(std::move(sums.busy));
  return sums;
}

double ratio(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string percent(std::int64_t part, std::int64_t whole) { return fmt::format("{:.2f}%", 100 * ratio(part, whole)); }

class SheetWriter {
 public:
  SheetWriter(const Capture& capture, std::span<const EngineLane> lanes, Workbook& book)
      : capture_(capture), book_(book) {
    for (const EngineLane& lane : lanes) {
      lanes_.push_back({lane, {capture, lane}, {}});
      lanes_.back().sums = sums_of(lanes_.back().commands);
      has_devices_ = has_devices_ || lane.device != lanes[0].device;
    }
  }

  void write_all() {
    write_engine_summary();
    for (const Engine engine : {Engine::kTiu, Engine::kGdma, Engine::kSdma, Engine::kCdma}) {
      for (const Lane& lane : lanes_) {
        if (lane.of.engine == engine) write_lane(lane);
      }
    }
  }

 private:
  struct Lane {
    EngineLane of;
    LaneCommands commands;
    LaneSums sums;
  };

  // What the lanes of one core, or those of a device's ports, say together.
  struct Core {
    std::string device;
    std::int64_t number = 0;
    const Lane* engines[4] = {};
  };

  double cycles_per_second(const Lane& lane) const {
    const double known = capture_.profile.tracks[lane.of.track].cycles_per_second;
    return known > 0 ? known : 1e9;
  }

  double gigabytes_per_second(const Moved& moved, double hertz) const {
    constexpr double kGiga = 1e9;
    return ratio(moved.bytes, moved.cycles) * hertz / kGiga;
  }

  void put_row(Sheet& sheet, std::uint32_t row, std::span<const std::string_view> texts, std::uint16_t& column) const {
    for (const std::string_view text : texts) sheet.put(row, column++, text, Look::kHeading);
  }

  std::vector<Core> cores() const {
    std::vector<Core> cores;
    for (const Lane& lane : lanes_) {
      if (lane.of.core < 0) continue;
      auto found = std::ranges::find_if(
          cores, [&](const Core& core) { return core.device == lane.of.device && core.number == lane.of.core; });
      if (found == cores.end()) {
        cores.push_back({lane.of.device, lane.of.core, {}});
        found = cores.end() - 1;
      }
      found->engines[static_cast<std::size_t>(lane.of.engine)] = &lane;
    }
    return cores;
  }

  void write_engine_summary() {
    constexpr std::string_view kHead[] = {"CoreId",           "TiuWorkingRatio", "Parallelism",    "Concurrency",
                                          "totalTime(us)",    "totalTiuCycle",   "totalAlgCycle",  "totalAlgOps",
                                          "totalUArchOps",    "uArchURate",      "totalGdmaCycle", "totalDdrDataSize",
                                          "totalL2DataSize",  "ddrAvgBandwidth", "l2AvgBandwidth", "totalSdmaCycle",
                                          "totalDdrDataSize", "ddrAvgBandwidth", "totalcdmaCycle", "totalDdrDataSize",
                                          "totalL2DataSize",  "ddrAvgBandwidth", "l2AvgBandwidth", "tiuWaitCycle",
                                          "gdmaWaitCycle",    "sdmaWaitCycle",   "overlapCycle",   "overlapRatio"};
    constexpr std::string_view kNotes[][2] = {
        {"Tiu Working Ratio", "totalTiuCycle / totalTime: the share of the time in which TIU worked."},
        {"Parallelism(%)",
         "(totalTiuCycle + totalGdmaCycle + totalSdmaCycle) / totalTime: a sum, which may be over 100 %."},
        {"Concurrency(%)", "(totalTiuCycle + totalGdmaCycle - totalTime) / min(totalTiuCycle, totalGdmaCycle)."},
        {"Overlap ratio",
         "overlapCycle / the cycles in which TIU worked: how much of the computing went on beside a "
         "transfer, by when each command ran."},
        {"Wait cycles", "How long the engine waited for messages of others."},
        {"Alg and uArch columns", "Empty: operations are not known of commands that are not decoded."}};
    Sheet sheet = book_.add_sheet("Engine Summary");
    std::string platform;
    for (const Fact& fact : capture_.facts) {
      const auto* const text = std::get_if<StringId>(&fact.value);
      if (capture_.strings.get(fact.name) == "chip" && text != nullptr) platform = capture_.strings.get(*text);
    }
    sheet.put(0, 0, "Platform: " + platform, Look::kHeading);
    std::uint32_t row = 4;
    std::uint16_t column = 0;
    put_row(sheet, row, kHead, column);
    for (const Core& core : cores()) put_core(sheet, ++row, core);
    row += 3;
    for (const auto& [name, text] : kNotes) {
      ++row;
      sheet.put(row, 0, name, Look::kHeading);
      sheet.put(row, 1, text);
    }
    sheet.set_width(0, 27, 16);
  }

  void put_core(Sheet& sheet, std::uint32_t row, const Core& core) const {
    static const LaneSums kNone;
    const auto sums = [&](Engine engine) -> const LaneSums& {
      const Lane* const lane = core.engines[static_cast<std::size_t>(engine)];
      return lane != nullptr ? lane->sums : kNone;
    };
    const LaneSums &tiu = sums(Engine::kTiu), &gdma = sums(Engine::kGdma), &sdma = sums(Engine::kSdma);
    std::int64_t last = 0;  // of all of the device
    double hertz = 1e9;
    for (const Lane& lane : lanes_) {
      if (lane.of.device != core.device) continue;
      last = std::max(last, lane.sums.last);
      hertz = cycles_per_second(lane);
    }
    Stretches moving = gdma.busy;
    moving.insert(moving.end(), sdma.busy.begin(), sdma.busy.end());
    const std::int64_t both = overlap(tiu.busy, union_of(std::move(moving)));
    const std::int64_t least = std::min(tiu.cycles, gdma.cycles);
    std::uint16_t column = 0;
    sheet.put(row, column++,
              has_devices_ ? fmt::format("{} core {}", core.device, core.number) : fmt::format("{}", core.number));
    sheet.put(row, column++, percent(tiu.cycles, last));
    sheet.put(row, column++, percent(tiu.cycles + gdma.cycles + sdma.cycles, last));
    sheet.put(row, column++, percent(tiu.cycles + gdma.cycles - last, least));
    sheet.put(row, column++, static_cast<double>(last) / hertz * 1e6);
    sheet.put(row, column++, tiu.cycles);
    column = static_cast<std::uint16_t>(column + 4);  // of operations nothing is known
    const auto put_moved = [&](const LaneSums& of, bool has_l2) {
      sheet.put(row, column++, of.cycles);
      sheet.put(row, column++, of.ddr.bytes);
      if (has_l2) sheet.put(row, column++, of.l2.bytes);
      sheet.put(row, column++, gigabytes_per_second(of.ddr, hertz));
      if (has_l2) sheet.put(row, column++, gigabytes_per_second(of.l2, hertz));
    };
    put_moved(gdma, true);
    put_moved(sdma, false);
    put_moved(ports_of(core), true);
    for (const LaneSums* const of : {&tiu, &gdma, &sdma}) sheet.put(row, column++, of->wait_cycles);
    sheet.put(row, column++, both);
    sheet.put(row, column++, percent(both, length(tiu.busy)));
  }

  // What the core gave the device's ports to do.
  LaneSums ports_of(const Core& core) const {
    LaneSums sums;
    for (const Lane& lane : lanes_) {
      if (lane.of.core >= 0 || lane.of.device != core.device) continue;
      for (std::size_t i = 0; i < lane.commands.size(); ++i) {
        const auto giver = lane.commands.value(i, "core");
        if (!giver || std::get<std::int64_t>(*giver) != core.number || !lane.commands.is_working(i)) continue;
        sums.cycles += lane.commands.cycles(i);
        sums.ddr.bytes += lane.commands.integer(i, "bytes");
        sums.ddr.cycles += lane.commands.cycles(i);
      }
    }
    return sums;
  }

  void write_lane(const Lane& lane) {
    const bool is_tiu = lane.of.engine == Engine::kTiu;
    const std::string name = fmt::format("{}{}_{}", has_devices_ ? lane.of.device + " " : "",
                                         engine_name(lane.of.engine), lane.of.core >= 0 ? lane.of.core : lane.of.port);
    for (std::size_t begin = 0; begin == 0 || begin < lane.commands.size();) {
      Sheet sheet = book_.add_sheet(name);
      std::uint32_t row = is_tiu ? put_tiu_head(sheet, lane) : put_dma_head(sheet, lane);
      put_columns(sheet, row++, is_tiu);
      sheet.freeze(row, 4);
      for (; begin < lane.commands.size() && row < Workbook::kMostRows; ++begin) put_command(sheet, row++, lane, begin);
      if (lane.commands.size() == 0) break;
    }
  }

  std::uint32_t put_tiu_head(Sheet& sheet, const Lane& lane) const {
    constexpr std::string_view kHead[] = {"Performance",   "totalTiuCycle", "totalAlgCycle",   "algTotalOps",
                                          "totalUArchOps", "uArchURate",    "waitMsgTotalTime"};
    std::uint16_t column = 0;
    put_row(sheet, 0, kHead, column);
    sheet.put(1, 0, "Summary", Look::kHeading);
    sheet.put(1, 1, lane.sums.cycles);
    sheet.put(1, 6, lane.sums.wait_cycles);
    return put_functions(sheet, lane) + 1;
  }

  // By type of command how many and how long; returns the row behind them.
  std::uint32_t put_functions(Sheet& sheet, const Lane& lane) const {
    struct Sum {
      std::string_view type;
      std::int64_t commands = 0, cycles = 0;
    };
    std::vector<Sum> sums;
    for (std::size_t i = 0; i < lane.commands.size(); ++i) {
      const std::string_view type = lane.commands.type(i);
      auto found = std::ranges::find(sums, type, &Sum::type);
      if (found == sums.end()) found = sums.insert(sums.end(), {type});
      ++found->commands;
      found->cycles += lane.commands.cycles(i);
    }
    constexpr std::string_view kHead[] = {"Statistics",    "Function Name",   "Instr Num",       "Alg Ops",
                                          "Alg Ops Ratio", "Alg Cycle",       "Alg Cycle Ratio", "uArch Ops",
                                          "uArch URate",   "uArch Ops Ratio", "Asic Cycle",      "Asic Cycle Ratio"};
    std::uint32_t row = 5;
    std::uint16_t column = 0;
    put_row(sheet, row, kHead, column);
    Sum all{"Overall"};
    for (const Sum& sum : sums) all.commands += sum.commands, all.cycles += sum.cycles;
    sums.push_back(all);
    for (const Sum& sum : sums) {
      ++row;
      sheet.put(row, 1, sum.type.empty() ? "(not known)" : sum.type);
      sheet.put(row, 2, sum.commands);
      sheet.put(row, 10, sum.cycles);
      sheet.put(row, 11, percent(sum.cycles, all.cycles));
    }
    return row + 1;
  }

  std::uint32_t put_dma_head(Sheet& sheet, const Lane& lane) const {
    constexpr std::string_view kHead[] = {"Performance",           "",
                                          "totalDmaCycle",         "workingCycle",
                                          "totalStallCycle",       "stallCycleRatio",
                                          "totalDdrDataSize(B)",   "totalL2DataSize(B)",
                                          "ddrAvgBandwidth(GB/s)", "l2AvgBandwidth(GB/s)",
                                          "waitMsgTotalTime"};
    std::uint16_t column = 0;
    put_row(sheet, 0, kHead, column);
    const LaneSums& sums = lane.sums;
    const double hertz = cycles_per_second(lane);
    sheet.put(1, 0, "Summary", Look::kHeading);
    sheet.put(1, 2, sums.cycles);
    sheet.put(1, 3, length(sums.busy));
    sheet.put(1, 4, sums.stall_cycles);
    sheet.put(1, 5, percent(sums.stall_cycles, sums.cycles));
    sheet.put(1, 6, sums.ddr.bytes);
    sheet.put(1, 7, sums.l2.bytes);
    sheet.put(1, 8, gigabytes_per_second(sums.ddr, hertz));
    sheet.put(1, 9, gigabytes_per_second(sums.l2, hertz));
    sheet.put(1, 10, sums.wait_cycles);
    sheet.put(4, 0, "Stall Cycle: how long TIU and DMA waited for each other at a bank.");
    return 5;
  }

  void put_columns(Sheet& sheet, std::uint32_t row, bool is_tiu) const {
    std::uint16_t column = 0;
    put_row(sheet, row, kCommandColumns, column);
    if (is_tiu) {
      put_row(sheet, row, kTiuOwnColumns, column);
      for (const SheetColumn& of : kTiuColumns) sheet.put(row, column++, of.name, Look::kHeading);
    } else {
      put_row(sheet, row, kDmaOwnColumns, column);
      for (const SheetColumn& of : kDmaColumns) sheet.put(row, column++, of.name, Look::kHeading);
    }
    for (const SheetColumn& of : kFurtherColumns) sheet.put(row, column++, of.name, Look::kHeading);
    sheet.set_width(0, column, 12);
  }

  void put_value(Sheet& sheet, std::uint32_t row, std::uint16_t column,
                 const std::optional<ArgumentValue>& value) const {
    if (!value) return;
    if (const auto* const integer = std::get_if<std::int64_t>(&*value)) sheet.put(row, column, *integer);
    if (const auto* const real = std::get_if<double>(&*value)) sheet.put(row, column, *real);
    if (const auto* const text = std::get_if<StringId>(&*value)) sheet.put(row, column, capture_.strings.get(*text));
  }

  void put_command(Sheet& sheet, std::uint32_t row, const Lane& lane, std::size_t i) const {
    const LaneCommands& commands = lane.commands;
    const bool is_tiu = lane.of.engine == Engine::kTiu;
    std::uint16_t column = 0;
    sheet.put(row, column++, std::int64_t{lane.of.number()});
    if (lane.of.core >= 0) {
      sheet.put(row, column++, lane.of.core);
    } else {
      put_value(sheet, row, column++, commands.value(i, "core"));
    }
    sheet.put(row, column++, static_cast<std::int64_t>(i));
    if (const auto id = commands.id(i)) sheet.put(row, column, *id);
    ++column;
    sheet.put(row, column++, "-");
    sheet.put(row, column++, "-");
    sheet.put(row, column++, commands.type(i));
    sheet.put(row, column++, commands.name(i));
    is_tiu ? put_tiu(sheet, row, column, commands, i) : put_dma(sheet, row, column, lane, i);
    for (const SheetColumn& of : kFurtherColumns) put_value(sheet, row, column++, commands.value(i, of.argument));
  }

  void put_tiu(Sheet& sheet, std::uint32_t row, std::uint16_t& column, const LaneCommands& commands,
               std::size_t i) const {
    constexpr std::size_t kAveraged = 200;
    const std::int64_t start = commands.start_cycle(i), cycles = commands.cycles(i);
    const std::size_t first = i + 1 < kAveraged ? 0 : i + 1 - kAveraged;
    ++column;  // the cycles that it would take by its operations
    sheet.put(row, column++, cycles);
    sheet.put(row, column++, start);
    sheet.put(row, column++, start + cycles - 1);
    sheet.put(row, column++, (start + cycles - commands.start_cycle(first)) / static_cast<std::int64_t>(i + 1 - first));
    column = static_cast<std::uint16_t>(column + 3);
    for (const SheetColumn& of : kTiuColumns) {
      if (!of.argument.empty()) put_value(sheet, row, column, commands.value(i, of.argument));
      ++column;
    }
  }

  void put_dma(Sheet& sheet, std::uint32_t row, std::uint16_t& column, const Lane& lane, std::size_t i) const {
    const LaneCommands& commands = lane.commands;
    const std::int64_t start = commands.start_cycle(i), cycles = commands.cycles(i);
    constexpr std::int64_t kFew = 1000;  // cycles, in which a transfer reaches no bandwidth
    const Memory memory = memory_of(commands.text(i, "direction"));
    const double peak = peak_of(lane, memory), rate = bandwidth_of(commands, i);
    const Look look = peak == 0 || memory == Memory::kNone ? Look::kPlain
                      : rate < peak / 2                    ? Look::kBad
                      : rate < peak * 3 / 4                ? Look::kPoor
                                                           : Look::kPlain;
    sheet.put(row, column++, commands.integer(i, "bytes"));
    sheet.put(row, column++, start);
    sheet.put(row, column++, start + cycles - 1);
    sheet.put(row, column++, cycles, look != Look::kPlain && cycles < kFew ? Look::kBad : Look::kPlain);
    sheet.put(row, column++, commands.integer(i, "GIF stall"));
    sheet.put(row, column++, memory == Memory::kDdr ? rate : 0.0, memory == Memory::kDdr ? look : Look::kPlain);
    sheet.put(row, column++, memory == Memory::kL2 ? rate : 0.0, memory == Memory::kL2 ? look : Look::kPlain);
    for (const SheetColumn& of : kDmaColumns) {
      if (!of.argument.empty()) put_value(sheet, row, column, commands.value(i, of.argument));
      ++column;
    }
  }

  // In GB/s.
  static double bandwidth_of(const LaneCommands& commands, std::size_t i) {
    const auto bandwidth = commands.value(i, "bandwidth");
    const auto* const bytes_per_s = bandwidth ? std::get_if<double>(&*bandwidth) : nullptr;
    return bytes_per_s == nullptr ? 0 : *bytes_per_s / 1e9;
  }

  double peak_of(const Lane& lane, Memory memory) const {
    if (lane.of.engine == Engine::kCdma) return 0;
    return memory == Memory::kL2 ? kAks.l2_gb_per_s : kAks.ddr_gb_per_s;  // both chips' are the same
  }

  const Capture& capture_;
  Workbook& book_;
  std::deque<Lane> lanes_;
  bool has_devices_ = false;
};

}  // namespace

void add_sheets(const Capture& capture, std::span<const EngineLane> lanes, Workbook& book) {
  SheetWriter(capture, lanes, book).write_all();
}

}  // namespace vizd::bigtpu

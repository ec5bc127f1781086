#include <fmt/core.h>

#include <algorithm>

#include "formats/bigtpu/stretches.h"
#include "reference/bigtpu/workbook_sheets.h"

namespace vizd::bigtpu {
namespace {

using Look = Workbook::Look;
using Sheet = Workbook::Sheet;
using Core = WorkbookLanes::Core;
using Lane = WorkbookLanes::Lane;

class EngineSummary {
 public:
  EngineSummary(const WorkbookLanes& of, Workbook& book) : of_(of), book_(book) {}

  void write() {
    constexpr std::string_view kHead[] = {"CoreId",           "TiuWorkingRatio", "Parallelism",    "Concurrency",
                                          "totalTime(us)",    "totalTiuCycle",   "totalAlgCycle",  "totalAlgOps",
                                          "totalUArchOps",    "uArchURate",      "totalGdmaCycle", "totalDdrDataSize",
                                          "totalL2DataSize",  "ddrAvgBandwidth", "l2AvgBandwidth", "totalSdmaCycle",
                                          "totalDdrDataSize", "ddrAvgBandwidth", "totalcdmaCycle", "totalDdrDataSize",
                                          "totalL2DataSize",  "ddrAvgBandwidth", "l2AvgBandwidth", "tiuWaitCycle",
                                          "gdmaWaitCycle",    "sdmaWaitCycle",   "overlapCycle",   "overlapRatio"};
    constexpr std::string_view kNotes[][2] = {
        {"Field", "Description"},
        {"Tiu Working Ratio", "totalTiuCycle / totalTime: the share of the time in which TIU worked."},
        {"Parallelism(%)",
         "(totalTiuCycle + totalGdmaCycle + totalSdmaCycle) / totalTime: a sum, which may be over 100 %."},
        {"Concurrency(%)", "(totalTiuCycle + totalGdmaCycle - totalTime) / min(totalTiuCycle, totalGdmaCycle)."},
        {"Overlap ratio",
         "overlapCycle / the cycles in which TIU worked: how much of the computing went on beside a "
         "transfer, by when each command ran."},
        {"Wait cycles", "How long the engine waited for messages of others."},
        {"Overall",
         "All cores together: cycles and bytes are added up, times are the longest, and a share is one of all cores' "
         "times, so that it never exceeds the largest core's."},
        {"Total Alg Cycle", "The cycles that the operations of TIU's commands need in theory."},
        {"Total Alg Ops", "The operations that the algorithm has."},
        {"Total uArch Ops", "The operations that the hardware does, with shapes rounded up to what it works on."},
        {"uArch Urate", "totalAlgOps / totalUArchOps: the nearer to 100 % the better."},
        {"Alg and uArch columns", "Empty: operations are not known of commands that are not decoded."}};
    Sheet sheet = book_.add_sheet("Engine Summary");
    sheet.put(0, 0, fmt::format("Platform: {}", of_.platform()), Look::kHeading);
    std::uint32_t row = 4;
    std::uint16_t column = 0;
    put_headings(sheet, row, kHead, column);
    const std::vector<Core> all = of_.cores();
    std::vector<CoreSums> sums;
    for (const Core& core : all) sums.push_back(sums_of_core(core));
    for (std::size_t i = 0; i < all.size(); ++i) put_core(sheet, ++row, name_of(all[i]), sums[i]);
    if (!sums.empty()) put_core(sheet, ++row, "Overall", together(sums));
    row += 2;  // where the original has it
    for (const auto& [name, text] : kNotes) {
      ++row;
      sheet.put(row, 0, name, Look::kHeading);
      sheet.put(row, 1, text);
    }
    sheet.set_width(0, 27, 16);
  }

 private:
  // The sums behind the cores' rows. total_cycles: of all the time of a core, or of several added up.
  struct CoreSums {
    LaneSums tiu, gdma, sdma, ports;
    std::int64_t total_cycles = 0, both_cycles = 0, tiu_busy_cycles = 0;
    double total_us = 0, hertz = 1e9;
  };

  std::string name_of(const Core& core) const {
    return of_.has_devices ? fmt::format("{} core {}", core.device, core.number) : fmt::format("{}", core.number);
  }

  CoreSums sums_of_core(const Core& core) const {
    const auto sums_of_engine = [&](Engine engine) {
      const Lane* const lane = core.engines[static_cast<std::size_t>(engine)];
      return lane != nullptr ? lane->sums : LaneSums{};
    };
    CoreSums sums{.tiu = sums_of_engine(Engine::kTiu),
                  .gdma = sums_of_engine(Engine::kGdma),
                  .sdma = sums_of_engine(Engine::kSdma),
                  .ports = ports_of(core)};
    for (const Lane& lane : of_.lanes) {
      if (lane.of.device != core.device) continue;
      sums.total_cycles = std::max(sums.total_cycles, lane.sums.last);
      sums.hertz = of_.cycles_per_second(lane);
    }
    sums.total_us = static_cast<double>(sums.total_cycles) / sums.hertz * 1e6;
    Stretches moving = sums.gdma.busy;
    moving.insert(moving.end(), sums.sdma.busy.begin(), sums.sdma.busy.end());
    sums.both_cycles = overlap(sums.tiu.busy, union_of(std::move(moving)));
    sums.tiu_busy_cycles = length(sums.tiu.busy);
    return sums;
  }

  static CoreSums together(std::span<const CoreSums> cores) {
    CoreSums all;
    for (const CoreSums& core : cores) {
      for (const auto engine : {&CoreSums::tiu, &CoreSums::gdma, &CoreSums::sdma, &CoreSums::ports})
        add(all.*engine, core.*engine);
      all.total_cycles += core.total_cycles;
      all.both_cycles += core.both_cycles;
      all.tiu_busy_cycles += core.tiu_busy_cycles;
      all.total_us = std::max(all.total_us, core.total_us);
      all.hertz = core.hertz;
    }
    return all;
  }

  void put_core(Sheet& sheet, std::uint32_t row, std::string_view name, const CoreSums& sums) const {
    const std::int64_t tiu = sums.tiu.cycles, gdma = sums.gdma.cycles, total = sums.total_cycles;
    std::uint16_t column = 0;
    sheet.put(row, column++, name);
    sheet.put(row, column++, share_text(tiu, total));
    sheet.put(row, column++, share_text(tiu + gdma + sums.sdma.cycles, total));
    sheet.put(row, column++, share_text(tiu + gdma - total, std::min(tiu, gdma)));
    sheet.put(row, column++, sums.total_us);
    sheet.put(row, column++, tiu);
    column = static_cast<std::uint16_t>(column + 4);  // of operations nothing is known
    const auto put_moved = [&](const LaneSums& of, bool has_l2) {
      sheet.put(row, column++, of.cycles);
      sheet.put(row, column++, of.ddr.bytes);
      if (has_l2) sheet.put(row, column++, of.l2.bytes);
      sheet.put(row, column++, gigabytes_per_second(of.ddr, sums.hertz));
      if (has_l2) sheet.put(row, column++, gigabytes_per_second(of.l2, sums.hertz));
    };
    put_moved(sums.gdma, true);
    put_moved(sums.sdma, false);
    put_moved(sums.ports, true);
    for (const LaneSums* const of : {&sums.tiu, &sums.gdma, &sums.sdma}) sheet.put(row, column++, of->wait_cycles);
    sheet.put(row, column++, sums.both_cycles);
    sheet.put(row, column++, share_text(sums.both_cycles, sums.tiu_busy_cycles));
  }

  // The work that the core gave to the device's ports.
  LaneSums ports_of(const Core& core) const {
    LaneSums sums;
    for (const Lane& lane : of_.lanes) {
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

  const WorkbookLanes& of_;
  Workbook& book_;
};

}  // namespace

void add_engine_summary(const WorkbookLanes& of, Workbook& book) { EngineSummary(of, book).write(); }

}  // namespace vizd::bigtpu

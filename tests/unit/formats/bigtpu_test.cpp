// Profiles of Sophgo's TPUs: the clock, blocks, dynamic items, pairing, claims, and what is made of a folder.
#include <fmt/core.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "formats/bigtpu/device.h"
#include "formats/bigtpu/engine_counters.h"
#include "formats/bigtpu/engine_lanes.h"
#include "formats/bigtpu/format.h"
#include "formats/bigtpu/summary.h"
#include "reference/bigtpu/original.h"
#include "reference/bigtpu/register_tables.h"
#include "reference/bigtpu/workbook_sheets.h"
#include "support/catch.h"
#include "support/named_sets.h"
#include "support/temporary_folder.h"
#include "support/zip_entry.h"

namespace vizd::bigtpu::bigtpu_test {
namespace {

using Strings = std::vector<std::string>;
using Words = std::vector<std::uint32_t>;

std::string bytes_of(const Words& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]};
}
std::span<const std::byte> view(const std::string& bytes) { return std::as_bytes(std::span(bytes)); }
std::string block(BlockType type, const std::string& content) {
  return bytes_of({static_cast<std::uint32_t>(type), static_cast<std::uint32_t>(content.size())}) + content;
}
std::string tiu(std::uint32_t start, std::uint32_t end, std::uint32_t id, std::uint32_t conflicts = 9) {
  return bytes_of({start, end, id, conflicts << 1});
}
std::string dma(std::uint32_t start, std::uint32_t end, std::uint32_t id, std::uint32_t written,
                std::uint32_t valid = 1) {
  return bytes_of({start, end, id, 0, 7, written, 0, 0, 0, 0, 0, 0, valid, 0, 0, 0});
}
std::uint32_t node(unsigned engine, unsigned type, unsigned special, unsigned extra = 0, unsigned kind = 1) {
  return kind | engine << 7 | type << 10 | special << 15 | extra << 20;
}

// A folder of one core with these TIU and GDMA records after the profiler's own, and these items.
struct OneCore {
  std::string file;
  ProfileFolder folder;

  OneCore(const std::string& tiu_records, const std::string& gdma_records, const Words& items = {}) {
    file = block(BlockType::kMonitorTiu, tiu(10, 20, 0, 1) + tiu(30, 40, 1, 1) + tiu_records) +
           block(BlockType::kMonitorGdma, dma(10, 20, 0, 0, 0) + dma(30, 40, 1, 0, 0) + gdma_records) +
           block(BlockType::kMonitorSdma, dma(10, 20, 0, 0, 0) + dma(30, 40, 1, 0, 0)) +
           block(BlockType::kDynamicData, bytes_of(items));
    folder.name = "test";
    folder.global = read_global_file(view(kGlobal));
    folder.chip = &kAks;
    folder.cores.push_back({"cdmlib0_0.profile", 0, read_blocks(view(file))});
  }

  inline static const std::string kGlobal = "arch=5\n";
};

std::string summary(const ProfileFolder& folder) {
  std::string text;
  Device device(folder);
  write_summary(device, 1000, folder.name, [&](std::string_view part) { text += part; });
  return text;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_CASE("bigtpu: the clock goes on where the counter wraps, and minds no disorder", "[bigtpu]") {
  Clock clock;
  const auto take = [&](std::int64_t start, std::int64_t end) {
    clock.take(start, end);
    return std::pair(start, end);
  };
  constexpr std::int64_t kWrap = std::int64_t{1} << 32;
  CHECK(take(kWrap - 100, kWrap - 50) == std::pair(kWrap - 100, kWrap - 50));
  CHECK(take(kWrap - 150, 20) == std::pair(kWrap - 150, kWrap + 20));  // out of order, and over the end
  CHECK(take(5, 10) == std::pair(kWrap + 5, kWrap + 10));
  CHECK(take(kWrap - 20, 1) == std::pair(kWrap - 20, kWrap + 1));  // late
  CHECK(take(30, 40) == std::pair(kWrap + 30, kWrap + 40));
}

TEST_CASE("bigtpu: a cut block holds what is there of it", "[bigtpu]") {
  const std::string whole =
      block(BlockType::kMonitorTiu, tiu(1, 2, 3) + tiu(4, 5, 6)) + block(BlockType::kSummary, "ab");
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const Blocks blocks = read_blocks(view(whole).first(size));
    CHECK(read_records(Engine::kTiu, blocks.first(BlockType::kMonitorTiu)).size() == (size < 24   ? 0U
                                                                                      : size < 40 ? 1U
                                                                                                  : 2U));
    CHECK((blocks.missing_bytes == 0) == (size < 8 || (size >= 40 && size < 48) || size == 50));
  }
  // A length beyond the file is no reason to take memory.
  const std::string huge = bytes_of({3, 0xFFFFFFF0U});
  CHECK(read_blocks(view(huge)).missing_bytes == 0xFFFFFFF0U);
}

TEST_CASE("bigtpu: commands are paired by sections of ids, whatever was lost between them", "[bigtpu]") {
  using Pairs = std::vector<std::uint32_t>;
  using Keys = std::vector<std::int64_t>;
  CHECK(align_sections(Keys{3, 5, 2}, Keys{3, 5, 2}) == Pairs{0, 1, 2});
  CHECK(align_sections(Keys{3, 5, 2}, Keys{3, 2}) == Pairs{0, kNoId, 1});
  CHECK(align_sections(Keys{5, 5}, Keys{5}) == Pairs{kNoId, 0});
  CHECK(align_sections(Keys{1, 2}, Keys{9, 1, 9, 2, 9}) == Pairs{1, 3});
  CHECK(align_sections(Keys{4}, Keys{}) == Pairs{kNoId});
}

TEST_CASE("bigtpu: items of one and of three words give the same commands", "[bigtpu]") {
  const auto commands = [](const Words& items) {
    DynamicDataReader reader(kAks, Reader::kVizd, {}, 0, false);
    const std::string bytes = bytes_of(items);
    REQUIRE(reader.read(view(bytes)));
    std::string text;
    for (const Command& command : reader.commands()[Engine::kTiu])
      text += fmt::format("{}:{}.{}/{} ", command.id, command.type, command.special, command.extra);
    for (const auto& [reason, count] : reader.skipped()) text += fmt::format("{} {}", count, reason);
    return text;
  };
  const auto wide = [](unsigned kind, unsigned type, unsigned special, unsigned extra) {
    return kind | type << 11 | special << 16 | extra << 22;
  };
  CHECK(commands({node(0, 2, 4, 1), node(0, 15, 9), node(0, 0, 0, 0, 12), node(0, 3, 2)}) ==
        "0:2.4/1 1:15.9/0 0:3.2/0 ");
  CHECK(commands({wide(1, 2, 4, 1), 0, 77, wide(1, 15, 9, 0), 1, 88}) == "0:2.4/1 1:15.9/0 ");
  CHECK(commands({node(7, 1, 1)}) == "1 commands of unknown engines");
  CHECK(commands({node(0, 1, 1, 0, 50), node(0, 2, 4)}) == "0:2.4/0 1 dynamic records of unknown type");
  CHECK(commands({0 | 400U << 7}) == "1 names of functions that are cut");
}

TEST_CASE("bigtpu: figures are of working records, and overlap is that of the times", "[bigtpu]") {
  const OneCore core(tiu(1000, 1099, 2) + tiu(1200, 1210, 3, 1), dma(1050, 1149, 2, 640) + dma(1300, 1399, 3, 0, 0));
  const std::string text = summary(core.folder);
  CHECK(holds(text, R"("total_cycles":399)"));
  CHECK(holds(text, R"("tiu_records":2,"tiu_working_records":1,"tiu_busy_cycles":100,"tiu_sum_cycles":100)"));
  CHECK(holds(text, R"("tiu_starts":[0,200])"));
  CHECK(holds(text, R"("gdma_bytes":640,"gdma_bytes_per_s":6.4e+09)"));
  CHECK(holds(text, R"("overlap_cycles":50,"active_cycles":150)"));
}

TEST_CASE("bigtpu: between its commands an engine waits for messages, or nobody knows why", "[bigtpu]") {
  // A wait of 11 cycles in the first gap of 100 cycles, and nothing in the second of 50.
  const OneCore core(tiu(1000, 1099, 2) + tiu(1150, 1160, 3, 1) + tiu(1200, 1299, 4) + tiu(1350, 1399, 5),
                     dma(1050, 1149, 2, 640),
                     {node(0, 15, 8), node(0, 15, 9), node(1, 6, 3), node(1, 6, 4), node(0, 2, 4), node(0, 15, 9),
                      node(0, 2, 4), node(0, 2, 4), node(1, 0, 0)});
  CHECK(holds(
      summary(core.folder),
      R"("tiu_gap_cycles":150,"tiu_gap_message_cycles":11,"tiu_gap_command_cycles":0,"tiu_gap_other_cycles":139)"));
}

TEST_CASE("bigtpu: the workbook has the sheets of the original for what is there", "[bigtpu]") {
  const OneCore core(tiu(1000, 1099, 2), dma(1050, 1149, 2, 640));
  Capture capture;
  REQUIRE(read_folders({core.folder}, std::nullopt, capture));
  const auto lanes = engine_lanes(capture);
  REQUIRE(lanes.size() == 2);
  CHECK(lanes[1].engine == Engine::kGdma);
  CHECK(lanes[1].core == 0);
  const LaneCommands commands(capture, lanes[1]);
  REQUIRE(commands.size() == 1);
  CHECK(commands.start_cycle(0) == 50);
  CHECK(commands.cycles(0) == 100);
  CHECK(commands.id(0) == 3);
  CHECK(commands.integer(0, "bytes") == 640);
  Workbook book;
  add_sheets(capture, lanes, book);
  std::string bytes;
  REQUIRE(book.finish([&](std::string_view part) { bytes += part; }));
  const auto sheet = [&](int number) { return unzipped(bytes, fmt::format("xl/worksheets/sheet{}.xml", number)); };
  CHECK(holds(sheet(1), "Overall"));
  CHECK(holds(sheet(1), "50.00%"));  // TIU worked for 100 cycles, a transfer ran for 50 of them
  for (const char* known : {"Detail Spec", "Cube OHOW Align", ">8533<"}) CHECK(holds(sheet(2), known));
  CHECK(holds(sheet(3), "totalDmaCycle"));
}

TEST_CASE("bigtpu: the workbook's sheets come core by core, with times and the glossary of the original", "[bigtpu]") {
  OneCore core(tiu(1000, 1099, 2), dma(1050, 1149, 2, 640));
  core.folder.cores.push_back(core.folder.cores[0]);
  core.folder.cores[1].number = 1;
  Capture capture;
  REQUIRE(read_folders({core.folder}, 500.0, capture));  // a cycle is two nanoseconds
  const auto lanes = engine_lanes(capture);
  REQUIRE(lanes.size() == 4);
  const LaneCommands commands(capture, lanes[1]);
  CHECK((commands.start_ns(0) == 100 && commands.last_ns(0) == 298));
  Workbook book;
  add_sheets(capture, lanes, book);
  std::string bytes;
  REQUIRE(book.finish([&](std::string_view part) { bytes += part; }));
  const std::string names = unzipped(bytes, "xl/workbook.xml");
  std::size_t at = 0;
  for (const char* name : {"Engine Summary", "TIU_0", "GDMA_0", "TIU_1", "GDMA_1"}) {
    const std::size_t found = names.find(fmt::format("name=\"{}\"", name));
    CHECK((found != std::string::npos && found > at));
    at = found;
  }
  const std::string tiu_sheet = unzipped(bytes, "xl/worksheets/sheet2.xml");
  for (const char* known : {"Avg Cycle Last 200", "Start Time(ns)", "End Time(ns)", "Start Cycle", "Description"})
    CHECK(holds(tiu_sheet, known));
  CHECK(holds(unzipped(bytes, "xl/worksheets/sheet1.xml"), "Total uArch Ops"));
}

TEST_CASE("bigtpu: how much TIU worked and what GDMA moved are counters over time", "[bigtpu]") {
  // Two transfers that overlap for 50 cycles, of 640 bytes in 100 cycles each.
  const OneCore core(tiu(1000, 1099, 2), dma(1050, 1149, 2, 640) + dma(1100, 1199, 3, 640));
  Capture capture;
  REQUIRE(read_folders({core.folder}, std::nullopt, capture));
  std::map<std::string, const Counter*> counters;
  for (const Track& track : capture.profile.tracks)
    for (const Counter& counter : track.counters) counters[std::string(capture.strings.get(counter.name))] = &counter;
  REQUIRE(counters.size() == 2);
  const Counter& moved = *counters.at("GDMA Bandwidth");
  REQUIRE(moved.at_ns.size() == 4);
  const double expected[] = {6.4, 12.8, 6.4, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(moved.at_ns[i] == 50 + static_cast<std::int64_t>(i) * 50);
    CHECK(moved.value[i] == Approx(expected[i]));
  }
  const Counter& worked = *counters.at("TIU Utilization");
  REQUIRE(worked.value.size() == 2);
  CHECK((worked.value[0] == 100 && worked.at_ns[1] == 100 && worked.value[1] == 0));
}

TEST_CASE("bigtpu: utilization is the share of each window that is worked in", "[bigtpu]") {
  CHECK((window_of(0) == 1 && window_of(2048) == 1 && window_of(1 << 20) == 512));
  Counter counter;
  add_utilization({{0, 256}, {512, 1024}}, 0, 1 << 20, counter);  // windows of 512
  REQUIRE(counter.value.size() == 3);
  CHECK((counter.value[0] == 50 && counter.value[1] == 100 && counter.value[2] == 0));
  CHECK((counter.at_ns[1] == 512 && counter.at_ns[2] == 1024));
}

TEST_CASE("bigtpu: each command's registers are a table with the names of the original's", "[bigtpu]") {
  OneCore core(tiu(1000, 1099, 2), dma(1050, 1149, 2, 640),
               {node(0, 15, 8), node(0, 15, 9), node(1, 6, 3), node(1, 6, 4), node(0, 2, 4), node(1, 0, 0)});
  Capture capture;
  REQUIRE(read_folders({core.folder}, std::nullopt, capture));
  const auto tables = register_tables(capture, engine_lanes(capture));
  REQUIRE(tables.size() == 3);
  CHECK((tables[0].name == "tiuRegInfo" && tables[0].rows.size() == 1));
  CHECK((tables[1].name == "tdmaRegInfo" && tables[1].rows.size() == 1));
  CHECK((tables[2].name == "cdmaRegInfo" && tables[2].rows.empty()));
  const auto cell = [&](const OwnTable& table, const char* column) {
    const auto found = std::ranges::find(table.columns, column);
    REQUIRE(found != table.columns.end());
    return table.rows[0][static_cast<std::size_t>(found - table.columns.begin())];
  };
  CHECK(cell(tables[0], "des_tsk_typ") == OwnCell(std::int64_t{2}));
  CHECK(cell(tables[0], "bank conflicts") == OwnCell(std::int64_t{9}));
  CHECK(cell(tables[1], "Direction") == OwnCell(std::string("DDR->DDR")));
  CHECK(cell(tables[1], "Cmd Id") == OwnCell(std::int64_t{3}));
  CHECK(cell(tables[1], "GIF stall") == OwnCell(std::int64_t{7}));
}

// The first words of a whole command: what it is, and which command of the other engine it waits for.
std::string whole_tiu(std::uint64_t type, std::uint64_t special, std::uint64_t waits_for) {
  const std::uint64_t head = 1 | waits_for << 17 | type << 41 | special << 45;
  return bytes_of({static_cast<std::uint32_t>(head), static_cast<std::uint32_t>(head >> 32), 0, 0});
}
std::string whole_dma(std::uint32_t type, std::uint32_t special, std::uint32_t waits_for) {
  return bytes_of({0, type | special << 5, waits_for, 0});
}
std::string extra(const std::string& command) {
  return bytes_of({0, 1, static_cast<std::uint32_t>(command.size())}) + command;
}

TEST_CASE("bigtpu: a command that names one of another engine waits for it", "[bigtpu]") {
  // The second command of TIU waits for the transfer, whose number is 3 and which ends 30 cycles before it.
  OneCore core(
      tiu(1000, 1099, 2) + tiu(1180, 1299, 3), dma(1050, 1149, 2, 640),
      {node(0, 15, 8), node(0, 15, 9), node(1, 6, 3), node(1, 6, 4), node(0, 2, 4), node(1, 0, 0), node(0, 2, 4)});
  const std::string system_tiu = extra(whole_tiu(15, 8, 0)), system_dma = extra(whole_dma(6, 3, 0));
  const std::string file =
      block(BlockType::kDynamicExtra, system_tiu + system_tiu + system_dma + system_dma + extra(whole_tiu(2, 4, 0)) +
                                          extra(whole_dma(0, 0, 0)) + extra(whole_tiu(2, 4, 3))) +
      core.file;
  core.folder.cores[0].blocks = read_blocks(view(file));
  CHECK(
      holds(summary(core.folder),
            R"("tiu_gap_cycles":80,"tiu_gap_message_cycles":0,"tiu_gap_command_cycles":80,"tiu_gap_other_cycles":0)"));

  Capture capture;
  REQUIRE(read_folders({core.folder}, std::nullopt, capture));
  const auto lanes = engine_lanes(capture);
  REQUIRE(lanes.size() == 2);
  REQUIRE(capture.profile.flows.size() == 1);
  const Flow& flow = capture.profile.flows[0];
  CHECK(flow.from_track == lanes[1].track);
  CHECK(flow.from_event == 0);
  CHECK(flow.to_track == lanes[0].track);
  CHECK(flow.to_event == 1);
}

TEST_CASE("bigtpu: how much is known of the commands is told", "[bigtpu]") {
  const auto facts_of = [](const ProfileFolder& folder) {
    Capture capture;
    REQUIRE(read_folders({folder}, std::nullopt, capture));
    std::map<std::string, std::int64_t> facts;
    for (const Fact& fact : capture.facts) {
      const auto* const count = std::get_if<std::int64_t>(&fact.value);
      if (count != nullptr) facts.emplace(capture.strings.get(fact.name), *count);
    }
    return facts;
  };
  const OneCore bare(tiu(1000, 1099, 2), dma(1050, 1149, 2, 640));
  auto facts = facts_of(bare.folder);
  CHECK(facts["commands"] == 2);
  CHECK(facts["commands of a kind not recorded"] == 2);

  OneCore whole(tiu(1000, 1099, 2), "", {node(0, 15, 8), node(0, 15, 9), node(0, 2, 4)});
  const std::string system = extra(whole_tiu(15, 8, 0));
  const std::string file = block(BlockType::kDynamicExtra, system + system + extra(whole_tiu(2, 4, 0))) + whole.file;
  whole.folder.cores[0].blocks = read_blocks(view(file));
  facts = facts_of(whole.folder);
  CHECK(facts["commands"] == 1);
  CHECK(facts["commands of a kind not recorded"] == 0);
  CHECK(facts["commands decoded in part, the rest as raw words"] == 1);
}

TEST_CASE("bigtpu: a command's fields are arguments with units", "[bigtpu]") {
  constexpr unsigned kDdrToLmemFp16 = 2 << 6 | 1;
  const OneCore core(
      tiu(1000, 1099, 2), dma(1050, 1149, 2, 640),
      {node(0, 15, 8), node(0, 15, 9), node(1, 6, 3), node(1, 6, 4), node(0, 2, 4, 1), node(1, 0, 0, kDdrToLmemFp16)});
  Capture capture;
  REQUIRE(read_folders({core.folder}, 500, capture));  // two nanoseconds a cycle
  Strings paths = track_paths(capture.profile.tracks, capture.strings);
  REQUIRE(paths.size() == 6);  // SDMA did nothing; two counters
  CHECK(paths[3] == "AKS test/Core 0/GDMA");
  const Track& gdma = capture.profile.tracks[3];
  CHECK(gdma.cycles_per_second == 500e6);
  const Event event = gdma.events[0];
  CHECK(capture.strings.get(event.name) == "tensorLd");
  CHECK(event.start_ns == 100);
  CHECK(event.dur_ns == 200);
  const auto argument = [&](std::string_view name) {
    const ArgumentColumn* column = find_argument(gdma.arguments, capture.strings.find(name));
    REQUIRE(column != nullptr);
    return column->of(0).value();
  };
  CHECK(argument("start cycle") == ArgumentValue(std::int64_t{50}));
  CHECK(argument("cycles") == ArgumentValue(std::int64_t{100}));
  CHECK(argument("bytes") == ArgumentValue(std::int64_t{640}));
  CHECK(argument("bandwidth") == ArgumentValue(640 / 200e-9));
  CHECK(argument("GIF stall") == ArgumentValue(std::int64_t{7}));
  CHECK(argument("direction") == ArgumentValue(capture.strings.find("DDR->LMEM")));
  CHECK(argument("data type") == ArgumentValue(capture.strings.find("FP16")));
}

TEST_CASE("bigtpu: beside the host's trace the commands are on its clock", "[bigtpu]") {
  // Commands from 0 to 149; the profiler was told to stop at 9,000,000 and was done 700 after the last command.
  const OneCore core(tiu(1000, 1099, 2), dma(1050, 1149, 2, 640));
  const TemporaryFolder folder;
  const std::string global = "arch=5\ntail_offset_ns=700\n";
  const auto read_with = [&](std::string_view events, std::string_view global_file) {
    folder.write("cdmlib0_0.profile", core.file);
    folder.write("global.profile", global_file);
    folder.write("host.json", events.empty() ? "no trace" : fmt::format(R"({{"traceEvents":[{}]}})", events));
    const InputSet set = {.format = &kFormat,
                          .name = "test",
                          .files = {{std::string(kCoreRole), folder / "cdmlib0_0.profile"},
                                    {std::string(kGlobalRole), folder / "global.profile"}},
                          .settings = {{&kFormat, "host-trace", folder / "host.json"}}};
    auto capture = std::make_unique<Capture>();
    FileErrors errors(2);
    REQUIRE(read_set(set, errors, *capture) == !events.empty());
    return capture;
  };
  const auto start_of_tiu = [](const Capture& capture) {
    const auto lanes = engine_lanes(capture);
    REQUIRE(lanes.size() == 2);
    const LaneCommands commands(capture, lanes[0]);
    CHECK(commands.start_cycle(0) == 0);
    CHECK(commands.cycles(0) == 100);
    return capture.profile.tracks[lanes[0].track].events.start_ns(0);
  };
  const std::string operators =
      R"({"ph":"X","cat":"tpudnn","name":"matmul","pid":1,"tid":1,"ts":1000,"dur":500},)"
      R"({"ph":"X","cat":"tpudnn","name":"disable_profile","pid":1,"tid":1,"ts":8000,"dur":1000})";
  const auto known = read_with(operators, global);
  CHECK(start_of_tiu(*known) == 9'000'000 - 700 - 149);
  CHECK(known->profile.start_ns == 1'000'000);
  CHECK(known->profile.end_ns == 9'000'000);
  CHECK(known->format == "bigtpu");
  // Without the offset the first operator's end is taken, and without operators nothing is known.
  CHECK(start_of_tiu(*read_with(operators, "arch=5\n")) == 1'500'000);
  const auto unknown = read_with(R"({"ph":"X","name":"main","pid":1,"tid":1,"ts":2000,"dur":10})", global);
  CHECK(start_of_tiu(*unknown) == 2'000'000);
  // A global.profile says how many records each core left; this one ends before it does.
  REQUIRE(unknown->warnings.size() == 1);
  CHECK(holds(unknown->warnings[0], "lists no core's records"));
  REQUIRE(unknown->notes.size() == 1);
  CHECK(holds(unknown->notes[0], "does not say when the TPU ran"));
  read_with("", global);  // no trace: refused
}

TEST_CASE("bigtpu: the originals' errors are theirs, and vizd reads on", "[bigtpu]") {
  const OneCore core(tiu(1000, 1099, 2), dma(1050, 1149, 2, 640), {node(0, 0, 0, 0, 14)});
  const auto old = read_as_original(core.folder, Reader::kOriginal030, std::nullopt);
  REQUIRE(!old);
  CHECK(old.error().message == "14 is not a valid DynRecordType");
  CHECK(read_as_original(core.folder, Reader::kOriginal037, std::nullopt).has_value());
  CHECK(holds(summary(core.folder), R"("total_cycles":149)"));
}

TEST_CASE("bigtpu: 0.3.0 takes overlapping commands for a wrap of the clock", "[bigtpu]") {
  const OneCore core(tiu(1000, 1099, 2) + tiu(1090, 1199, 3), dma(1050, 1149, 2, 640));
  const auto total = [&](Reader reader) {
    const auto original = read_as_original(core.folder, reader, std::nullopt);
    REQUIRE(original);
    return original->tiu[0].back().end;
  };
  CHECK(total(Reader::kOriginal030) == 199 + 0xFFFFFFFFLL);
  CHECK(total(Reader::kOriginal037) == 199);
}

TEST_CASE("bigtpu: files belong to a profile by their names, and devices of one call are one capture", "[bigtpu]") {
  CHECK(role_of_name("global.profile") == kGlobalRole);
  CHECK(role_of_name("cdmlib0_3.profile") == kCoreRole);
  CHECK(role_of_name("cdmlib0_3.profile.gz") == kCoreRole);
  CHECK(role_of_name("cdma_10.profile") == kPortRole);
  CHECK(role_of_name("cdma.profile").empty());
  CHECK(role_of_name("iter0.profile").empty());
  std::vector<ListedFile> listing;
  for (const char* folder :
       {"p/cdm_profile_data_dev0-0", "p/cdm_profile_data_dev1-0", "p/cdm_profile_data_dev0-1", "p/other"}) {
    listing.push_back({std::string(folder) + "/global.profile", &kFormat});
    listing.push_back({std::string(folder) + "/cdmlib0_0.profile", nullptr});
  }
  Strings texts;
  for (const InputSet& set : claim(listing)) texts.push_back(fmt::format("{} {}", set.name, set.files.size()));
  CHECK(texts == Strings{"other 2", "call 0 4", "cdm_profile_data_dev0-1 2"});
}

TEST_CASE("bigtpu: files are known by their blocks and lines", "[bigtpu]") {
  const auto is_ours = [](const std::string& bytes) { return sniff({view(bytes)}); };
  CHECK(is_ours("arch=5\ntpu_freq=1000\n"));
  CHECK(is_ours(block(BlockType::kMonitorTiu, tiu(1, 2, 3))));
  CHECK(is_ours(block(BlockType::kSummary, std::string(40, 'x')) + block(BlockType::kMonitorTiu, tiu(1, 2, 3))));
  CHECK_FALSE(is_ours(""));
  CHECK_FALSE(is_ours("arch: 5\nnothing = here\nand more\n"));
  CHECK_FALSE(is_ours("{\"traceEvents\": []}"));
  CHECK_FALSE(is_ours(std::string(100, '\0')));
}

}  // namespace
}  // namespace vizd::bigtpu::bigtpu_test

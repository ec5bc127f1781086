// wave, instruction, hardware_counter and pc_sample: what GPUs' own recorders tell of the runs of programs.
#include "analysis/recorded_rows.h"
#include "query/tables.h"

namespace vizd::sql {
namespace {

constexpr auto kRecorded = ColumnType::kInteger;
constexpr std::string_view kProgramId = "program.id of the program; null if the capture does not have it";

// By capture, asked for when the rows of a table of them are first counted, and shared by all.
class RecordedOf {
 public:
  explicit RecordedOf(Catalog& catalog) : catalog_(catalog), rows_(catalog.sources().size()) {}

  Result<const RecordedRows*> find(std::size_t source) {
    std::shared_ptr<const RecordedRows>& rows = rows_[source];
    if (rows) return rows.get();
    const auto& make = catalog_.sources()[source].recorded;
    auto made = make ? make(catalog_.budget()) : std::make_shared<const RecordedRows>();
    if (!made) return std::move(made).error();
    rows = *std::move(made);
    return rows.get();
  }
  // The rows of a capture whose rows were counted.
  const RecordedRows& at(std::size_t source) const { return *rows_[source]; }

 private:
  Catalog& catalog_;
  std::vector<std::shared_ptr<const RecordedRows>> rows_;
};
using SharedRecorded = std::shared_ptr<RecordedOf>;

template <typename Row>
class RecordedColumns {
 public:
  RecordedColumns(SharedRecorded recorded, std::vector<Row> RecordedRows::*list)
      : recorded_(std::move(recorded)), list_(list) {
    columns_.push_back(capture_id_column());
  }

  // The run that a row is of.
  RecordedColumns& of_runs(const Catalog* catalog) {
    add("run_place", kRecorded, "The run's place among the recorded runs, from 0",
        [](const Row& row, Cell& cell) { cell.integer(row.run); });
    const auto run_of = [recorded = recorded_, list = list_](const Place& p) -> const RecordedRows::Run& {
      const RecordedRows& all = recorded->at(p.source);
      return all.runs[(all.*list)[p.at].run];
    };
    columns_.push_back({{"run", kRecorded, "Its number in the capture"},
                        [run_of](const Place& p, Cell& cell) { cell.integer(run_of(p).number); }});
    columns_.push_back({{"kernel", ColumnType::kText, "The program's name"},
                        [run_of](const Place& p, Cell& cell) { cell.text(run_of(p).kernel); }});
    columns_.push_back({{"program_id", kRecorded, kProgramId}, [run_of, catalog](const Place& p, Cell& cell) {
                          write_id(catalog->programs(), p.source, run_of(p).program, cell);
                        }});
    return *this;
  }

  // write: of its place, all rows, the row.
  template <typename Write>
  void add_with_all(std::string_view name, ColumnType type, std::string_view about, Write write) {
    columns_.push_back({{name, type, about}, [recorded = recorded_, list = list_, write](const Place& p, Cell& cell) {
                          const RecordedRows& all = recorded->at(p.source);
                          write(p, all, (all.*list)[p.at], cell);
                        }});
  }

  template <typename Write>
  void add(std::string_view name, ColumnType type, std::string_view about, Write write) {
    columns_.push_back({{name, type, about}, [recorded = recorded_, list = list_, write](const Place& p, Cell& cell) {
                          write((recorded->at(p.source).*list)[p.at], cell);
                        }});
  }
  template <typename Number>
  void add_number(std::string_view name, Number Row::*member, std::string_view about) {
    add(name, kRecorded, about,
        [member](const Row& row, Cell& cell) { cell.integer(static_cast<std::int64_t>(row.*member)); });
  }

  std::unique_ptr<Table> table(std::string_view name, std::string_view about, const Catalog& catalog) && {
    return std::make_unique<RowTable>(
        RowTable::Description{.name = name,
                              .about = about,
                              .id_about = "The row's number",
                              .count = [recorded = recorded_, list = list_](std::size_t s) -> Result<std::uint64_t> {
                                const auto rows = recorded->find(s);
                                return rows ? Result<std::uint64_t>(((*rows)->*list).size()) : rows.error();
                              },
                              .is_slow_to_count = true,
                              .columns = std::move(columns_)},
        catalog.sources().size());
  }

 private:
  SharedRecorded recorded_;
  std::vector<Row> RecordedRows::*list_;
  std::vector<RowColumn> columns_;
};

std::unique_ptr<Table> wave_table(const SharedRecorded& recorded, const Catalog& catalog) {
  using Wave = RecordedRows::Wave;
  RecordedColumns<Wave> columns(recorded, &RecordedRows::waves);
  columns.of_runs(&catalog);
  columns.add_number("engine", &Wave::engine, "The shader engine, counted over all XCCs");
  columns.add_number("unit", &Wave::unit, "The compute unit; on RDNA the WGP with its array's bit above");
  columns.add_number("simd", &Wave::simd, "The SIMD");
  columns.add_number("slot", &Wave::slot, "The wave slot");
  columns.add_number("start_cycle", &Wave::start_cycle, "On the clock of its engine");
  columns.add_number("end_cycle", &Wave::end_cycle, "The same clock; if its end is missing, the last time known");
  columns.add("cycles", kRecorded, "From its beginning to its end",
              [](const Wave& wave, Cell& cell) { cell.integer(wave.end_cycle - wave.start_cycle); });
  columns.add("ended", kRecorded, "1 if the trace contains its end",
              [](const Wave& wave, Cell& cell) { cell.integer(wave.has_ended ? 1 : 0); });
  return std::move(columns).table("wave", "The waves of runs in thread traces of AMD GPUs.", catalog);
}

std::unique_ptr<Table> instruction_table(const SharedRecorded& recorded, const Catalog& catalog) {
  using Instruction = RecordedRows::Instruction;
  RecordedColumns<Instruction> columns(recorded, &RecordedRows::instructions);
  columns.of_runs(&catalog);
  columns.add_number("address", &Instruction::address, "Its program counter, as in the program's listing");
  columns.add("text", ColumnType::kText, "The instruction",
              [](const Instruction& row, Cell& cell) { cell.text(row.text); });
  columns.add_number("hits", &Instruction::hits, "How often waves issued it");
  columns.add_number("cycles", &Instruction::cycles, "The sum of all waves");
  columns.add_number("median_cycles", &Instruction::median_cycles, "Of a hit");
  columns.add_number("least_cycles", &Instruction::least_cycles, "Likewise");
  columns.add_number("most_cycles", &Instruction::most_cycles, "Likewise");
  columns.add_number("issue_cycles", &Instruction::issue_cycles, "The part until the wave's next issue");
  columns.add_number("wait_cycles", &Instruction::wait_cycles, "The part waiting for memory");
  columns.add_number("barrier_cycles", &Instruction::barrier_cycles, "The part at a barrier");
  columns.add_number("end_cycles", &Instruction::end_cycles, "The part at the wave's end");
  columns.add("execute_median_cycles", kRecorded, "From its dispatch until its unit executed it; null if not recorded",
              [](const Instruction& row, Cell& cell) {
                row.execute_median_cycles ? cell.integer(*row.execute_median_cycles) : cell.null();
              });
  return std::move(columns).table(
      "instruction", "The instructions that waves of RDNA issued, one row for each address of each run.", catalog);
}

std::unique_ptr<Table> hardware_counter_table(const SharedRecorded& recorded, const Catalog& catalog) {
  using Count = RecordedRows::Count;
  RecordedColumns<Count> columns(recorded, &RecordedRows::counts);
  columns.of_runs(&catalog);
  columns.add("name", ColumnType::kText, "The counter", [](const Count& row, Cell& cell) { cell.text(row.name); });
  columns.add_number("xcc", &Count::xcc, "Where it was counted: the XCC");
  columns.add_number("instance", &Count::instance, "The block's instance");
  columns.add_number("engine", &Count::engine, "The shader engine");
  columns.add_number("shader_array", &Count::array, "The shader array");
  columns.add_number("wgp", &Count::group, "The WGP; 0 if the block has none");
  columns.add_number("value", &Count::value, "What was counted");
  return std::move(columns).table("hardware_counter", "What AMD GPUs counted in each run, by place.", catalog);
}

std::unique_ptr<Table> pc_sample_table(const SharedRecorded& recorded, const Catalog& catalog) {
  using Sample = RecordedRows::Sample;
  RecordedColumns<Sample> columns(recorded, &RecordedRows::samples);
  columns.add("sampling", kRecorded, "Its place among those that were recorded, from 0",
              [](const Sample& row, Cell& cell) { cell.integer(row.sampling); });
  columns.add_with_all("kernel", ColumnType::kText, "The program's name",
                       [](const Place&, const RecordedRows& all, const Sample& row, Cell& cell) {
                         cell.text(all.samplings[row.sampling].kernel);
                       });
  columns.add_with_all("program_id", kRecorded, kProgramId,
                       [&catalog](const Place& p, const RecordedRows& all, const Sample& row, Cell& cell) {
                         write_id(catalog.programs(), p.source, all.samplings[row.sampling].program, cell);
                       });
  columns.add(
      "address", kRecorded,
      "The program counter, as in the program's listing; null if the capture does not say where the program was loaded",
      [](const Sample& row, Cell& cell) {
        row.address ? cell.integer(static_cast<std::int64_t>(*row.address)) : cell.null();
      });
  columns.add_number("gpu_address", &Sample::gpu_address, "The program counter, as the GPU has it");
  columns.add("stall", ColumnType::kText, "What the warp waited for; NONE if it did not wait",
              [](const Sample& row, Cell& cell) { cell.text(row.stall); });
  columns.add_number("samples", &Sample::samples, "How often a warp was sampled there with that reason");
  return std::move(columns).table(
      "pc_sample", "Samples of program counters that NVIDIA's GPUs took, one row for each address and stall.", catalog);
}

}  // namespace

void add_recorded_tables(TableList& tables, Catalog& catalog) {
  const auto recorded = std::make_shared<RecordedOf>(catalog);
  tables.push_back(wave_table(recorded, catalog));
  tables.push_back(instruction_table(recorded, catalog));
  tables.push_back(hardware_counter_table(recorded, catalog));
  tables.push_back(pc_sample_table(recorded, catalog));
}

}  // namespace vizd::sql

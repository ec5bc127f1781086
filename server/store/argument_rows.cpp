#include "store/argument_rows.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "model/arguments.h"
#include "query/slice_names.h"

namespace vizd::store {
namespace {

class ArgumentRows {
 public:
  explicit ArgumentRows(const sql::ArgsTable& args) : catalog_(args.catalog()) {
    for (std::size_t source = 0; source < catalog_.sources().size(); ++source)
      texts_.push_back(std::make_unique<sql::SliceNames>(catalog_.capture(source).strings));
    for (const sql::ArgumentRun& run : args.runs()) runs_.push_back(&run);
    std::ranges::stable_sort(runs_, {}, &sql::ArgumentRun::key);
  }

  bool write(RowBinaryWriter& row) {
    while (run_ < runs_.size() && begin_ == runs_[run_]->column->size()) {
      ++run_;
      begin_ = 0;
    }
    if (run_ == runs_.size()) return false;
    const sql::ArgumentRun& run = *runs_[run_];
    find_end(run);
    write_head(run, row);
    write_values(run, row);
    begin_ = end_;
    return true;
  }

 private:
  // Texts are cleaned once each.
  std::string_view text(const sql::ArgumentRun& run, std::size_t place) {
    return texts_[run.source]->text(run.column->text(place));
  }

  void find_end(const sql::ArgumentRun& run) {
    end_ = std::min(run.column->size(), begin_ + kMostRowValues);
    if (run.column->type != ArgumentType::kText) return;
    std::size_t bytes = 0;
    for (std::size_t i = begin_; i < end_; ++i) {
      bytes += text(run, i).size();
      if (bytes >= kMostRowTextBytes) end_ = i + 1;
    }
  }

  void write_head(const sql::ArgumentRun& run, RowBinaryWriter& row) const {
    const auto& strings = catalog_.capture(run.source).strings;
    row.integer(static_cast<std::int64_t>(catalog_.tracks().first(run.source) + run.track));
    row.text(sql::shown_text(run.key));
    row.text(sql::shown_text(run.name));
    if (const std::string_view unit = strings.get(run.column->unit); unit.empty()) {
      row.null();
    } else {
      row.present();
      row.text(sql::shown_text(unit));
    }
    row.text(sql::value_type(run, strings));
    row.integer(static_cast<std::int64_t>(run.first_id + begin_));
  }

  // Two of the three arrays of values are empty.
  void write_values(const sql::ArgumentRun& run, RowBinaryWriter& row) {
    const ArgumentColumn& column = *run.column;
    write_array(true, row, [&](std::size_t i) {
      row.integer(static_cast<std::int64_t>(catalog_.slice_number(run.source, run.track, column.event(i))));
    });
    write_array(column.type == ArgumentType::kInteger, row, [&](std::size_t i) { row.integer(column.integer(i)); });
    write_array(column.type == ArgumentType::kText, row, [&](std::size_t i) { row.text(text(run, i)); });
    write_array(column.type == ArgumentType::kReal, row, [&](std::size_t i) { row.real(column.real(i)); });
  }

  template <typename Write>
  void write_array(bool has_values, RowBinaryWriter& row, Write&& write) {
    row.array(has_values ? end_ - begin_ : 0);
    for (std::size_t i = begin_; has_values && i < end_; ++i) write(i);
  }

  const sql::Catalog& catalog_;
  std::vector<std::unique_ptr<sql::SliceNames>> texts_;  // by source
  std::vector<const sql::ArgumentRun*> runs_;
  std::size_t run_ = 0, begin_ = 0, end_ = 0;  // the next row: its run, and which of the run's values
};

}  // namespace

WriteRow rows_of_arguments(const sql::ArgsTable& args) {
  return
      [rows = std::make_shared<ArgumentRows>(args)](RowBinaryWriter& row) -> Result<bool> { return rows->write(row); };
}

}  // namespace vizd::store

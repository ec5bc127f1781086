#include "store/push.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <thread>

#include "store/argument_rows.h"
#include "store/blocks.h"
#include "store/pull.h"
#include "store/quote.h"
#include "store/removal.h"
#include "store/tile_rows.h"

namespace vizd::store {
namespace {

using Clock = std::chrono::steady_clock;

WriteRow rows_of_tiles(const Capture& capture) {
  return [tiles = tile_rows(capture), at = std::size_t{0}](RowBinaryWriter& row) mutable -> Result<bool> {
    if (at == tiles.size()) return false;
    const TileRow& tile = tiles[at++];
    row.integer(tile.track);
    row.unsigned8(static_cast<std::uint8_t>(tile.level));
    row.unsigned32(tile.place);
    row.integer(tile.ts);
    row.integer(tile.dur);
    row.unsigned64(tile.slices);
    row.integer(tile.busy_ns);
    return true;
  };
}

WriteRow rows_of_pieces(const PushInput& input) {
  std::string bytes;
  input.write_file([&](std::string_view part) { bytes += part; });
  return [bytes = std::move(bytes), at = std::size_t{0}](RowBinaryWriter& row) mutable -> Result<bool> {
    if (at >= bytes.size()) return false;
    row.unsigned32(static_cast<std::uint32_t>(at / kPieceBytes));
    row.text(std::string_view(bytes).substr(at, kPieceBytes));
    at += kPieceBytes;
    return true;
  };
}

std::uint32_t kept_until_s(std::chrono::seconds keep) {
  const std::int64_t until_s = std::time(nullptr) + keep.count();
  return keep.count() > 0 && until_s < std::int64_t{kKeptForEver} ? static_cast<std::uint32_t>(until_s) : kKeptForEver;
}

class Pushing {
  // Does the work, again and again while the store is not there. The work may be done twice.
  template <typename Work>
  auto patiently(Work&& work) {
    const Clock::time_point until = Clock::now() + options_.patience;
    for (std::chrono::milliseconds pause{100};; pause = std::min(2 * pause, std::chrono::milliseconds(2000))) {
      auto result = work();
      if (result.has_value() || result.error().kind != ErrorKind::kBusy || Clock::now() > until || store_.is_left())
        return result;
      progress_(report_.slices, result.error().text());
      std::this_thread::sleep_for(pause);
    }
  }

 public:
  Pushing(const Store& store, const PushInput& input, const PushOptions& options, const PushProgress& progress)
      : store_(store),
        input_(input),
        options_(options),
        progress_(progress),
        client_(store.connect(options.rank)),
        origin_{.job = options.job,
                .rank = options.rank,
                .bucket = bucket_of(options.rank, input.file_bytes),
                .keep_until_s = kept_until_s(options.keep)} {}

  Result<PushReport> run() {
    const auto record = patiently([&] { return earlier(); });
    if (!record) return record.error();
    if (record->is_done) {
      report_.was_there = true;
      return report_;
    }
    if (record->is_begun) {
      VIZD_TRY(patiently([&] { return wait_for_earlier_requests(); }));
      auto there = patiently([&] { return store_.block_rows(client_, options_.job, options_.rank); });
      if (!there) return there.error();
      there_ = *std::move(there);
    } else {
      VIZD_TRY(record_state("begun"));
    }
    VIZD_TRY(push_tables());
    VIZD_TRY(verify());
    VIZD_TRY(record_state("done"));
    return report_;
  }

 private:
  struct Record {
    bool is_begun = false, is_done = false;
  };

  std::string query_ids() const { return fmt::format("vizd-{}-{}-", input_.content, options_.rank); }

  // Looks up what the store knows of this rank from before; rows of another capture are dropped where that is allowed.
  Result<Record> earlier() {
    const auto pushed = ask_rows_of<std::string, std::uint8_t, std::uint64_t, std::uint64_t>(
        client_, fmt::format("SELECT content, max(state = 'done'), max(slices), max(stored_rows) FROM push WHERE {} "
                             "GROUP BY content",
                             is_of_rank(options_.job, options_.rank)));
    if (!pushed) return pushed.error();
    Record record;
    bool is_other = false;
    // What was removed by halves has a row without content, and is removed to its end.
    const bool is_half_removed =
        std::ranges::any_of(*pushed, [](const auto& row) { return std::get<std::string>(row).empty(); });
    for (const auto& [content, done, slices, stored_rows] : *pushed) {
      if (is_half_removed) break;
      const bool is_done = done != 0;
      if (content == input_.content) {
        record = {true, is_done};
        report_.slices = is_done ? slices : 0;
        report_.rows = report_.rows_before = is_done ? stored_rows : 0;
        continue;
      }
      is_other = true;
      // Nobody misses a push that was only begun.
      if (is_done && !options_.replaces)
        return Error{ErrorKind::kBadInput,
                     fmt::format("rank {} of job {} is another capture; give another --rank or --job, or --replace it",
                                 options_.rank, options_.job),
                     store_.address().text()};
    }
    const bool begins_anew = options_.replaces && record.is_begun && !record.is_done;
    if (!is_other && !begins_anew && !is_half_removed) return record;
    VIZD_TRY(remove_rank(store_, options_.job, options_.rank, Deletion::kAwaited));
    return Record();
  }

  // A push that was killed may have left requests behind that the store is still at work on.
  Result<void> wait_for_earlier_requests() {
    const auto running = client_.ask(
        fmt::format("SELECT count() FROM system.processes WHERE startsWith(query_id, {}) FORMAT TabSeparated",
                    sql_text(query_ids())));
    if (!running) return running.error();
    if (running->starts_with("0")) return {};
    return Error{ErrorKind::kBusy, "the store is still at work on an earlier push of this", store_.address().text()};
  }

  Result<void> push_tables() {
    sql::Catalog catalog({input_.source}, {});
    sql::Tables tables(catalog);
    for (const StoredTable& stored : stored_tables(tables)) {
      if (!stored.has_blocks()) continue;
      auto rows = rows_of_table(tables, stored);
      if (!rows) return rows.error();
      VIZD_TRY(push_table(stored, *std::move(rows)));
    }
    return {};
  }

  Result<WriteRow> rows_of_table(const sql::Tables& tables, const StoredTable& stored) {
    if (stored.name == "tile") return rows_of_tiles(*input_.source.capture);
    if (stored.name == "piece") return rows_of_pieces(input_);
    if (stored.name == "argument") return rows_of_arguments(*tables.args);
    for (const auto& table : tables.all) {
      if (table->name() == stored.name) return rows_of(*table, stored);
    }
    return Error{ErrorKind::kInternal, fmt::format("there is no table {}", stored.name), ""};
  }

  Result<void> push_table(const StoredTable& stored, WriteRow rows) {
    BlockMaker blocks(origin_, std::move(rows));
    const std::string sql = insertion_into(stored);
    for (;;) {
      auto block = blocks.next();
      if (!block) return block.error();
      if (!*block) return {};
      VIZD_TRY(push_block(stored, sql, **block));
      wanted_[{stored.name, (*block)->number}] = (*block)->rows;
      report_.rows += (*block)->rows;
      if (stored.name == "slice") report_.slices += (*block)->rows;
      progress_(report_.slices, "");
    }
  }

  Result<void> push_block(const StoredTable& stored, const std::string& sql, const Block& block) {
    if (const auto there = there_.find({stored.name, block.number}); there != there_.end()) {
      if (there->second != block.rows) return differing(stored.name, block.number, there->second, block.rows);
      report_.rows_before += block.rows;
      return {};
    }
    const std::string frame = framed(block.bytes);
    const std::string query_id = fmt::format("{}{}-{}", query_ids(), stored.name, block.number);
    bool may_be_there = false;
    return patiently([&]() -> Result<void> {
      if (may_be_there) {
        // The store left before it answered: it may have taken the block all the same.
        VIZD_TRY(wait_for_earlier_requests());
        const auto there = store_.block_rows(client_, options_.job, options_.rank);
        if (!there) return there.error();
        if (const auto found = there->find({stored.name, block.number}); found != there->end())
          return found->second == block.rows ? Result<void>()
                                             : differing(stored.name, block.number, found->second, block.rows);
      }
      may_be_there = true;
      VIZD_TRY(client_.insert(sql, frame, query_id));
      report_.sent_bytes += frame.size();
      return {};
    });
  }

  Error differing(const std::string& table, std::uint32_t block, std::uint64_t rows, std::uint64_t wanted) const {
    return {ErrorKind::kInternal,
            fmt::format("block {} of table {} has {} rows in the store and not {}: was it pushed twice at once? push "
                        "again with --replace",
                        block, table, rows, wanted),
            store_.address().text()};
  }

  // Counts what the store has of every block.
  Result<void> verify() {
    const auto there = patiently([&] { return store_.block_rows(client_, options_.job, options_.rank); });
    if (!there) return there.error();
    Store::BlockRows all = wanted_;
    for (const auto& [place, _] : *there) all.emplace(place, 0);
    for (const auto& [place, rows] : all) {
      const auto found = there->find(place);
      const std::uint64_t there_rows = found == there->end() ? 0 : found->second;
      if (there_rows != rows) return differing(place.first, place.second, there_rows, rows);
    }
    return {};
  }

  // One more row would do no harm: whoever reads the records takes them together.
  Result<void> record_state(std::string_view state) {
    const auto tables = stored_tables();
    const auto stored = std::ranges::find(tables, "push", &StoredTable::name);
    const Profile& profile = input_.source.capture->profile;
    std::string bytes;
    RowBinaryWriter row(bytes);
    write_origin(origin_, 0, row);
    for (const std::string_view text : {state, std::string_view(input_.content), std::string_view(input_.source.name),
                                        std::string_view(input_.format)})
      row.text(sql::shown_text(text));
    row.integer(profile.start_ns);
    row.integer(profile.end_ns);
    row.unsigned64(report_.slices);
    row.unsigned64(report_.rows);
    row.integer(std::time(nullptr));
    const std::string frame = framed(bytes);
    return patiently(
        [&] { return client_.insert(insertion_into(*stored), frame, fmt::format("{}record-{}", query_ids(), state)); });
  }

  const Store& store_;
  const PushInput& input_;
  const PushOptions& options_;
  const PushProgress& progress_;
  Client client_;
  const RowOrigin origin_;
  Store::BlockRows there_;   // from an earlier push
  Store::BlockRows wanted_;  // what this capture has
  PushReport report_;
};

}  // namespace

Result<PushReport> push(const Store& store, const PushInput& input, const PushOptions& options,
                        const PushProgress& progress) {
  return Pushing(store, input, options, progress).run();
}

}  // namespace vizd::store

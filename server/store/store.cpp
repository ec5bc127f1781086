#include "store/store.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/quote.h"

namespace vizd::store {
namespace {

// Where the table's rows lie on that server: whether it is Distributed there is for the server to say.
Result<std::string> place_of_rows(Client& client, const StoredTable& table) {
  const auto engines =
      ask_rows_of<std::string>(client, fmt::format("SELECT engine FROM system.tables WHERE database = {} AND name = {}",
                                                   sql_text(client.address().database), sql_text(table.name)));
  if (!engines) return engines.error();
  const bool is_distributed = !engines->empty() && std::get<0>(engines->front()) == "Distributed";
  return shard_name(table.name, is_distributed);
}

}  // namespace

std::string is_of_job(const std::string& job) { return fmt::format("job = {}", sql_text(job)); }
std::string is_of_rank(const std::string& job, std::uint32_t rank) {
  return fmt::format("{} AND rank = {}", is_of_job(job), rank);
}

Result<void> Store::create(const std::string& cluster) const {
  const std::vector<StoredTable> tables = stored_tables();
  std::string names;
  for (const StoredTable& table : tables) names += (names.empty() ? "" : ", ") + sql_text(table.name);
  for (const StoreAddress& address : addresses_) {
    Client client(address, credentials_, left_);
    const auto there = client.ask_server(
        fmt::format("SELECT countIf(name = 'push') AS has_tables, countIf(name IN ({})) = {} AS has_these FROM "
                    "system.tables WHERE database = {}",
                    names, tables.size(), sql_text(address.database)));
    if (!there) return there.error();
    if (there->starts_with("1\t1")) continue;
    if (there->starts_with("1"))
      return Error{ErrorKind::kBadInput, "the tables there are those of an older vizd; push into another database",
                   address.text()};
    VIZD_TRY(client.ask_server(fmt::format("CREATE DATABASE IF NOT EXISTS {}", sql_name(address.database))));
    for (const StoredTable& table : tables) {
      for (const std::string& statement : creation_of(table, address.database, cluster))
        VIZD_TRY(client.ask_server(statement));
    }
  }
  return {};
}

Result<Store::BlockRows> Store::block_rows(Client& client, const std::string& job, std::uint32_t rank) const {
  std::string sql;
  for (const StoredTable& table : stored_tables()) {
    if (!table.has_blocks()) continue;
    sql += fmt::format("{}SELECT {} AS name, block, count() AS row_count FROM {} WHERE {} GROUP BY block",
                       sql.empty() ? "" : "\nUNION ALL ", sql_text(table.name), sql_name(table.name),
                       is_of_rank(job, rank));
  }
  const auto blocks = ask_rows_of<std::string, std::uint32_t, std::uint64_t>(client, sql);
  if (!blocks) return blocks.error();
  BlockRows rows;
  for (const auto& [table, block, count] : *blocks) rows[{table, block}] = count;
  return rows;
}

Result<void> Store::drop(const std::string& job, std::uint32_t rank) const {
  std::vector<StoredTable> tables = stored_tables();
  for (const StoreAddress& address : addresses_) {
    Client client(address, credentials_, left_);
    // push comes last: what is half dropped is known to be there.
    for (const StoredTable& table : tables) {
      if (table.is_view()) continue;
      const auto name = place_of_rows(client, table);
      if (!name) return name.error();
      VIZD_TRY(client.ask(fmt::format("ALTER TABLE {} DROP PARTITION ({}, {})", sql_name(*name), sql_text(job), rank)));
    }
  }
  Client client = connect();
  const auto left = block_rows(client, job, rank);
  if (!left) return left.error();
  if (left->empty()) return {};
  return Error{ErrorKind::kBadInput,
               fmt::format("rank {} lies on servers that are not named; name each of the cluster by --store", rank),
               address().text()};
}

Result<std::vector<std::uint32_t>> Store::ranks(const std::string& job) const {
  Client client = connect();
  const auto rows = ask_rows_of<std::uint32_t>(
      client, fmt::format("SELECT DISTINCT rank FROM push WHERE {} ORDER BY rank", is_of_job(job)));
  if (!rows) return rows.error();
  std::vector<std::uint32_t> ranks;
  for (const auto& [rank] : *rows) ranks.push_back(rank);
  return ranks;
}

}  // namespace vizd::store

#include "store/store.h"

#include <fmt/format.h>

#include <charconv>

#include "store/quote.h"

namespace vizd::store {
namespace {

// So that tables of another version are refused by its number.
constexpr std::string_view kVersionView = "schema";

// Whether the tables are there. Errors: they are another version's.
Result<bool> has_tables(Client& client) {
  const std::string& database = client.address().database;
  const auto there = client.ask_server(
      fmt::format("SELECT countIf(name = 'push'), countIf(name = {}) FROM system.tables WHERE database = {}",
                  sql_text(kVersionView), sql_text(database)));
  if (!there) return there.error();
  if (!there->starts_with("1")) return false;
  std::string version = "4 or older";
  if (there->starts_with("1\t1")) {
    const auto told = client.ask(fmt::format("SELECT version FROM {} FORMAT TabSeparated", sql_name(kVersionView)));
    if (!told) return told.error();
    version = told->substr(0, told->find('\n'));
  }
  if (version == kSchemaVersion) return true;
  return Error{ErrorKind::kBadInput,
               fmt::format("the tables there are another vizd's: their version is {}, and this vizd's {}; push into "
                           "another database",
                           version, kSchemaVersion),
               client.address().text()};
}

}  // namespace

std::string is_of_job(const std::string& job) { return fmt::format("job = {}", sql_text(job)); }
std::string is_of_rank(const std::string& job, std::uint32_t rank) {
  return fmt::format("{} AND rank = {}", is_of_job(job), rank);
}
std::string is_of_listed_ranks(const std::string& job) {
  return fmt::format("{0} AND rank GLOBAL NOT IN (SELECT rank FROM push WHERE {0} AND state = 'removing')",
                     is_of_job(job));
}

Result<std::string> place_of_rows(Client& client, const StoredTable& table) {
  const auto engines =
      ask_rows_of<std::string>(client, fmt::format("SELECT engine FROM system.tables WHERE database = {} AND name = {}",
                                                   sql_text(client.address().database), sql_text(table.name)));
  if (!engines) return engines.error();
  const bool is_distributed = !engines->empty() && std::get<0>(engines->front()) == "Distributed";
  return shard_name(table.name, is_distributed);
}

Result<void> Store::create(const std::string& cluster) const {
  for (Client& client : connect_to_each()) {
    const std::string& database = client.address().database;
    const auto there = has_tables(client);
    if (!there) return there.error();
    if (*there) continue;
    const auto year = release_year(client);
    if (!year) return year.error();
    VIZD_TRY(client.ask_server(fmt::format("CREATE DATABASE IF NOT EXISTS {}", sql_name(database))));
    // Before push, which is the last table.
    VIZD_TRY(client.ask(fmt::format("CREATE VIEW IF NOT EXISTS {} AS SELECT {} AS version", sql_name(kVersionView),
                                    sql_text(kSchemaVersion))));
    for (const StoredTable& table : stored_tables()) {
      for (const std::string& statement : creation_of(table, database, cluster, skills_of_release(*year)))
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

Result<int> release_year(Client& client) {
  const auto version = client.ask_server("SELECT version()");
  if (!version) return version.error();
  int year = 0;
  std::from_chars(version->data(), version->data() + version->size(), year);
  return year;
}

std::vector<Client> Store::connect_to_each() const {
  std::vector<Client> clients;
  for (const StoreAddress& address : addresses_) clients.emplace_back(address, credentials_, left_);
  return clients;
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

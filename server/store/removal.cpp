#include "store/removal.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "base/parallel.h"
#include "store/quote.h"

namespace vizd::store {
namespace {

using Clock = std::chrono::steady_clock;

// From 24 on a row is deleted by a mark in its part, for sure; before, its part is written anew.
constexpr int kFirstYearWithMarks = 24;
constexpr std::chrono::minutes kDeletionTime{10};
constexpr std::chrono::milliseconds kDeletionLook{10};

struct Place {
  std::string table;  // as people name it
  std::string name;   // where its rows lie on this server
};
// The places on one server.
struct Places {
  std::vector<Place> all;      // the tables that have rows, push last
  bool is_of_cluster = false;  // other servers have rows too
};

Result<Places> places_of(Client& client) {
  const std::vector<StoredTable> tables = stored_tables();
  const auto push = place_of_rows(client, tables.back());
  if (!push) return push.error();
  const bool is_distributed = *push != tables.back().name;
  Places places{.all = {}, .is_of_cluster = is_distributed};
  for (const StoredTable& table : tables) {
    if (!table.is_view()) places.all.push_back({table.name, shard_name(table.name, is_distributed)});
  }
  return places;
}

Result<std::vector<std::uint64_t>> buckets_of(Client& client, const std::string& push, const std::string& job) {
  const auto rows = ask_rows_of<std::uint64_t>(
      client, fmt::format("SELECT DISTINCT bucket FROM {} WHERE {}", sql_name(push), is_of_job(job)));
  if (!rows) return rows.error();
  std::vector<std::uint64_t> buckets;
  for (const auto& [bucket] : *rows) buckets.push_back(bucket);
  return buckets;
}

Result<void> drop_bucket(Client& client, const std::vector<Place>& places, const std::string& job,
                         std::uint64_t bucket) {
  for (const Place& place : places)
    VIZD_TRY(
        client.ask(fmt::format("ALTER TABLE {} DROP PARTITION ({}, {})", sql_name(place.name), sql_text(job), bucket)));
  return {};
}

// Waits until what was begun to be deleted from the tables is.
Result<void> wait_for_deletion(Client& client, const std::string& names) {
  const Clock::time_point until = Clock::now() + kDeletionTime;
  for (;;) {
    const auto running = client.ask(
        fmt::format("SELECT count() FROM system.mutations WHERE database = {} AND table IN ({}) AND is_done = 0 "
                    "FORMAT TabSeparated",
                    sql_text(client.address().database), names));
    if (!running) return running.error();
    if (running->starts_with("0")) return {};
    if (Clock::now() > until)
      return Error{ErrorKind::kTooLarge, "the store is still deleting; ask again to see to its end",
                   client.address().text()};
    std::this_thread::sleep_for(kDeletionLook);
  }
}

// What does not depend on one another, over several connections: most of its time is that of the way there and back.
Result<void> ask_side_by_side(const Client& client, const std::vector<std::string>& statements) {
  constexpr std::size_t kConnections = 8;
  std::array<Result<void>, kConnections> ended;
  for_each_index(kConnections, kConnections, [&](std::size_t connection) {
    Client own = client.another();
    for (std::size_t i = connection; i < statements.size() && ended[connection]; i += kConnections) {
      if (auto asked = own.ask(statements[i]); !asked) ended[connection] = std::move(asked).error();
    }
  });
  for (const Result<void>& of : ended) VIZD_TRY(of);
  return {};
}

// The rows of a rank that shares a bucket with others.
Result<void> delete_rows(Client& client, const std::vector<Place>& places, const std::string& job, std::uint64_t bucket,
                         const std::string& of_rank, Deletion deletion) {
  if (places.empty()) return {};
  const auto year = release_year(client);
  if (!year) return year.error();
  std::string names;
  std::vector<std::string> statements;
  for (const Place& place : places) {
    const std::string name = sql_name(place.name);
    // The parts of other partitions are not so much as looked at.
    statements.push_back(*year >= kFirstYearWithMarks ? fmt::format("DELETE FROM {} IN PARTITION ({}, {}) WHERE {}",
                                                                    name, sql_text(job), bucket, of_rank)
                                                      : fmt::format("ALTER TABLE {} DELETE WHERE {}", name, of_rank));
    names += (names.empty() ? "" : ", ") + sql_text(place.name);
  }
  VIZD_TRY(ask_side_by_side(client, statements));
  return deletion == Deletion::kAwaited ? wait_for_deletion(client, names) : Result<void>();
}

// By bucket the tables in which the rank has rows, push last.
Result<std::map<std::uint64_t, std::vector<Place>>> places_with(Client& client, const std::vector<Place>& places,
                                                                const std::string& condition) {
  std::string sql;
  for (const Place& place : places)
    sql += fmt::format("{}SELECT DISTINCT {} AS name, bucket FROM {} WHERE {}", sql.empty() ? "" : "\nUNION ALL ",
                       sql_text(place.table), sql_name(place.name), condition);
  const auto found = ask_rows_of<std::string, std::uint64_t>(client, sql);
  if (!found) return found.error();
  std::map<std::uint64_t, std::vector<Place>> with;
  for (const Place& place : places) {
    for (const auto& [table, bucket] : *found) {
      if (table == place.table) with[bucket].push_back(place);
    }
  }
  return with;
}

// As few requests as may be, one after another: while the store deletes other rows, each takes its time.
Result<void> remove_from(Client& client, const std::vector<Place>& places, const std::string& job, std::uint32_t rank,
                         Deletion deletion) {
  const std::string of_rank = is_of_rank(job, rank), push = sql_name(places.back().name);
  VIZD_TRY(
      client.ask(fmt::format("INSERT INTO {0} (job, rank, bucket, keep_until, state, at_s) SELECT job, rank, "
                             "bucket, max(keep_until), 'removing', toInt64(toUnixTimestamp(now())) FROM {0} "
                             "WHERE {1} GROUP BY job, rank, bucket",
                             push, of_rank)));
  auto by_bucket = places_with(client, places, of_rank);
  if (!by_bucket) return by_bucket.error();
  for (auto& [bucket, with] : *by_bucket) {
    if (is_of_one_rank(bucket)) {
      VIZD_TRY(drop_bucket(client, places, job, bucket));
      continue;
    }
    std::erase_if(with, [](const Place& place) { return place.table == "push"; });
    VIZD_TRY(delete_rows(client, with, job, bucket, of_rank, deletion));
    // While rows may be there, so is the mark.
    if (deletion == Deletion::kAwaited) VIZD_TRY(delete_rows(client, {places.back()}, job, bucket, of_rank, deletion));
  }
  return {};
}

Error lies_elsewhere(const Store& store, const std::string& what) {
  return {ErrorKind::kBadInput,
          fmt::format("some of {} lies on servers that are not named; name each of the cluster by --store", what),
          store.address().text()};
}

}  // namespace

Result<void> remove_rank(const Store& store, const std::string& job, std::uint32_t rank, Deletion deletion) {
  bool is_of_cluster = false;
  for (Client& server : store.connect_to_each()) {
    const auto places = places_of(server);
    if (!places) return places.error();
    is_of_cluster |= places->is_of_cluster;
    VIZD_TRY(remove_from(server, places->all, job, rank, deletion));
  }
  Client client = store.connect();
  if (deletion == Deletion::kBegun) {
    if (!is_of_cluster) return {};
    const auto listed = ask_rows_of<std::uint32_t>(
        client,
        fmt::format("SELECT rank FROM push WHERE {} GROUP BY rank HAVING {}", is_of_rank(job, rank), kIsListed));
    if (!listed) return listed.error();
    return listed->empty() ? Result<void>() : lies_elsewhere(store, fmt::format("rank {}", rank));
  }
  const auto left = store.block_rows(client, job, rank);
  if (!left) return left.error();
  return left->empty() ? Result<void>() : lies_elsewhere(store, fmt::format("rank {}", rank));
}

Result<void> remove_job(const Store& store, const std::string& job) {
  for (Client& server : store.connect_to_each()) {
    const auto places = places_of(server);
    if (!places) return places.error();
    const auto buckets = buckets_of(server, places->all.back().name, job);
    if (!buckets) return buckets.error();
    for (const std::uint64_t bucket : *buckets) VIZD_TRY(drop_bucket(server, places->all, job, bucket));
  }
  const auto left = store.ranks(job);
  if (!left) return left.error();
  return left->empty() ? Result<void>() : lies_elsewhere(store, "it");
}

Result<std::vector<std::string>> remove_what_is_over(const Store& store) {
  Client client = store.connect();
  const auto over =
      ask_rows_of<std::string>(client, "SELECT job FROM push GROUP BY job HAVING max(keep_until) <= now()");
  if (!over) return over.error();
  std::vector<std::string> jobs;
  for (const auto& [job] : *over) {
    VIZD_TRY(remove_job(store, job));
    jobs.push_back(job);
  }
  return jobs;
}

}  // namespace vizd::store

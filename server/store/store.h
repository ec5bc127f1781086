// Store: the servers that hold the jobs, and what is asked of them as a whole: making the tables, what is there. Each
// call takes a connection of its own, so any thread may call, many at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/answer.h"
#include "store/schema.h"

namespace vizd::store {

class Store {
 public:
  // addresses: one server, or all of a cluster; the first is asked. At least one.
  Store(std::vector<StoreAddress> addresses, Credentials credentials)
      : addresses_(std::move(addresses)), credentials_(std::move(credentials)) {}

  const StoreAddress& address() const { return addresses_.front(); }
  // The same store, for somebody who may leave: what is asked of it ends then.
  Store for_as_long_as(std::stop_token left) const {
    Store store = *this;
    store.left_ = std::move(left);
    return store;
  }
  bool is_left() const { return left_.stop_requested(); }
  Client connect() const { return {addresses_.front(), credentials_, left_}; }
  // To one of them, so that many ranks share the work.
  Client connect(std::uint32_t rank) const { return {addresses_[rank % addresses_.size()], credentials_, left_}; }

  // Makes the database and the tables on every server where they are missing. cluster: as creation_of() has it.
  Result<void> create(const std::string& cluster) const;

  // The rows of a rank that are there, by table and block.
  using BlockRows = std::map<std::pair<std::string, std::uint32_t>, std::uint64_t>;
  Result<BlockRows> block_rows(Client& client, const std::string& job, std::uint32_t rank) const;

  // The servers, one by one.
  std::vector<Client> connect_to_each() const;

  // The ranks of which something is there.
  Result<std::vector<std::uint32_t>> ranks(const std::string& job) const;

 private:
  std::vector<StoreAddress> addresses_;
  Credentials credentials_;
  std::stop_token left_;
};

// Where the table's rows lie on that server: whether it is Distributed there is for the server to say.
Result<std::string> place_of_rows(Client& client, const StoredTable& table);

// The server's release: 18 of 18.16.
Result<int> release_year(Client& client);

// An aggregate over a rank's rows of push.
inline constexpr std::string_view kIsWhole = "max(state = 'done') > max(state = 'removing')";

// The same, of those that are listed: not of a rank that was removed, whose rows may be there for some seconds more.
inline constexpr std::string_view kIsListed = "max(state = 'removing') = 0";

// "job = 'NAME'", "job = 'NAME' AND rank = N"
std::string is_of_job(const std::string& job);
std::string is_of_rank(const std::string& job, std::uint32_t rank);
// Selects those of the job's rows whose ranks were not removed.
std::string is_of_listed_ranks(const std::string& job);

}  // namespace vizd::store

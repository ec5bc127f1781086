// Client: one connection to a store, over ClickHouse's HTTP interface. Every call has a bound of bytes and of time, and
// ends when nobody waits for it (http_connection.h). One thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/address.h"
#include "store/http_connection.h"

namespace vizd::store {

// The most that a query may take; no query can change it for itself.
struct Limits {
  std::chrono::seconds time{60};
  std::uint64_t rows = 0;  // at most so many come, the rest is left out; 0: all
  bool is_read_only = false;
  std::size_t answer_bytes = std::size_t{256} << 20;  // a longer answer is an error
};

// Errors of all calls: kBusy where the store cannot be reached, left in the middle or has no room now, so that trying
// again may help; kTooLarge where a limit ended it; kBadInput where the store said no, in its words. where: the store.
class Client {
 public:
  // left: requested once nobody waits for answers of this connection.
  Client(StoreAddress address, Credentials credentials, std::stop_token left = {});
  ~Client();
  Client(Client&&) noexcept;

  const StoreAddress& address() const { return address_; }
  // A connection of its own to the same server, for what is asked at the same time.
  Client another() const { return {address_, credentials_, left_}; }

  // Asks one query; its text is the answer. Sent once: what changes something is not to be done twice unasked.
  Result<std::string> ask(std::string_view sql, const Limits& limits);
  Result<std::string> ask(std::string_view sql) { return ask(sql, Limits{}); }
  // Without the database, which may not be there yet.
  Result<std::string> ask_server(std::string_view sql);

  // Inserts rows that are one frame (row_binary.h): all of them or none. Also kBusy where the id is at work already.
  Result<void> insert(std::string_view sql, std::string_view frame, std::string_view query_id);

 private:
  using Parameters = std::vector<std::pair<std::string_view, std::string>>;

  Result<std::string> send(const Parameters& parameters, std::string_view body, std::chrono::seconds time,
                           std::size_t most_bytes);

  StoreAddress address_;
  Credentials credentials_;
  std::stop_token left_;
  std::unique_ptr<HttpConnection> connection_;
};

}  // namespace vizd::store

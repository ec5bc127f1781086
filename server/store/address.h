// StoreAddress: where a store is, who asks it, and whom it has to be known by. The user and the password never stand in
// a URL: URLs end up in shells' histories, process lists and logs. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace vizd::store {

struct StoreAddress {
  std::string host;
  int port = 8123;
  std::string database;
  bool is_encrypted = false;  // https

  // "http://HOST:PORT/DATABASE", as people name it.
  std::string text() const;
};

// Takes "http://HOST[:PORT]/DATABASE", or https. Errors: it is none, or names a user.
Result<StoreAddress> parse_store_address(std::string_view url);

struct Credentials {
  std::string user, password;  // "": the store's default user
  std::string ca_file;         // of the authorities whose certificates are trusted; "": the system's
};

// The first line of the file is the user, the second the password. Where path is "", VIZD_STORE_USER and
// VIZD_STORE_PASSWORD of the environment. Errors: the file cannot be read, or others than its owner may read it.
Result<Credentials> find_credentials(const std::string& path);

}  // namespace vizd::store

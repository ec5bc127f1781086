#include "cli/command_line/store_arguments.h"

namespace vizd {

Argument StoreArguments::describe(CommandLine& line) {
  const Argument argument = line.option("--store URL", urls,
                                        "The store, http://HOST:8123/DATABASE, at ClickHouse's HTTP port; or https and "
                                        "its port; for a cluster repeat the option for each server");
  line.option("--store-user-file FILE [$VIZD_STORE_USER, $VIZD_STORE_PASSWORD]", user_file,
              "A file that only you may read, with the store's user, and the password in a second line");
  line.option("--store-ca FILE [the system's]", ca_file,
              "Certificates of the authorities that sign the certificate of a store with https");
  return argument;
}

Result<store::Store> StoreArguments::open() const {
  std::vector<store::StoreAddress> addresses;
  for (const std::string& url : urls) {
    auto address = store::parse_store_address(url);
    if (!address) return std::move(address).error();
    addresses.push_back(*std::move(address));
  }
  auto credentials = store::find_credentials(user_file);
  if (!credentials) return std::move(credentials).error();
  credentials->ca_file = ca_file;
  return store::Store(std::move(addresses), *std::move(credentials));
}

}  // namespace vizd

#include "store/address.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>

namespace vizd::store {
namespace {

constexpr std::size_t kLongestDatabase = 200;
constexpr int kHighestPort = 65535;
constexpr int kEncryptedPort = 8443;  // ClickHouse's own

Error bad_address(std::string message) {
  return {ErrorKind::kBadInput, std::move(message) + "; a store is named as http://HOST:8123/DATABASE", ""};
}

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// HOST, HOST:PORT or [ADDRESS]:PORT into the address.
bool read_host(std::string_view text, StoreAddress& address) {
  std::string_view port;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return false;
    address.host = text.substr(1, end - 1);
    port = text.substr(end + 1);
  } else {
    const auto colon = text.find(':');
    address.host = text.substr(0, colon);
    if (colon != std::string_view::npos) port = text.substr(colon);
  }
  const bool is_clean = std::ranges::all_of(address.host, [](char c) { return c > ' ' && c < '\x7F'; });
  if (address.host.empty() || !is_clean) return false;
  if (port.empty()) return true;
  const char* const end = port.data() + port.size();
  const auto [read_to, failed] = std::from_chars(port.data() + 1, end, address.port);
  return port[0] == ':' && failed == std::errc() && read_to == end && address.port > 0 && address.port <= kHighestPort;
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::string StoreAddress::text() const {
  const bool is_v6 = host.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}/{}", is_encrypted ? "https" : "http", is_v6 ? "[" : "", host, is_v6 ? "]" : "",
                     port, database);
}

Result<StoreAddress> parse_store_address(std::string_view url) {
  constexpr std::string_view kPlain = "http://", kEncrypted = "https://";
  // Nothing of what may be a password is said again.
  if (url.find('@') != std::string_view::npos)
    return bad_address(
        "a store's URL has no user and no password: give them as VIZD_STORE_USER and VIZD_STORE_PASSWORD or with "
        "--store-user-file");
  StoreAddress address;
  address.is_encrypted = url.starts_with(kEncrypted);
  if (!address.is_encrypted && !url.starts_with(kPlain))
    return bad_address(fmt::format("'{}' is no store", url.substr(0, 200)));
  if (address.is_encrypted) address.port = kEncryptedPort;
  const std::string_view rest = url.substr(address.is_encrypted ? kEncrypted.size() : kPlain.size());
  const auto slash = rest.find('/');
  if (!read_host(rest.substr(0, slash), address))
    return bad_address(fmt::format("'{}' names no host and port", url.substr(0, 200)));
  std::string_view database = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
  if (database.ends_with('/')) database.remove_suffix(1);
  if (!is_word(database) || database.size() > kLongestDatabase)
    return bad_address(fmt::format("'{}' names no database (letters, digits and _)", url.substr(0, 200)));
  address.database = database;
  return address;
}

Result<Credentials> find_credentials(const std::string& path) {
  if (path.empty()) return Credentials{environment("VIZD_STORE_USER"), environment("VIZD_STORE_PASSWORD"), ""};
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return Error{ErrorKind::kNotFound, "there is no such file; it holds the user, and the password in its second line",
                 path};
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return Error{ErrorKind::kForbidden, "others than you may read this password; run chmod 600 on it", path};
  std::ifstream file(path);
  Credentials credentials;
  std::getline(file, credentials.user);
  std::getline(file, credentials.password);
  for (std::string* const line : {&credentials.user, &credentials.password}) {
    if (line->ends_with('\r')) line->pop_back();
  }
  const auto is_clean = [](const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != '\x7F'; });
  };
  if (credentials.user.empty() || !is_clean(credentials.user) || !is_clean(credentials.password))
    return Error{ErrorKind::kBadInput, "its first line is to be the user, its second the password", path};
  return credentials;
}

}  // namespace vizd::store

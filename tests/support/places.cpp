#include "support/places.h"

namespace vizd {
namespace {

std::string below(std::string_view folder, std::string_view path) {
  std::string whole(folder);
  if (!path.empty()) whole.append("/").append(path);
  return whole;
}

}  // namespace

std::string test_data(std::string_view path) { return below(VIZD_TEST_DATA, path); }

std::string shared_data(std::string_view path) { return below(VIZD_SHARED, path); }

std::string vizd_binary() { return VIZD_BINARY; }

}  // namespace vizd

#include "reference/inspector/npy.h"

#include <string>

#include "support/catch.h"
#include "support/pickle_writer.h"

namespace vizd::inspector::npy_test {
namespace {

using namespace std::string_literals;

std::string npy(std::string_view head, std::string_view data) {
  std::string bytes = "\x93NUMPY\x01\x00"s;
  bytes += static_cast<char>(head.size());
  bytes += '\0';
  return bytes.append(head).append(data);
}

TEST_CASE("a .npy is read whatever the order of its bytes and elements") {
  const std::string plain =
      npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n", "\1\0\2\0\3\0\4\0\5\0\6\0"s);
  const auto read = read_npy(as_bytes(plain), "a.npy");
  REQUIRE(read);
  CHECK(read->shape == std::vector<std::int64_t>{2, 3});
  CHECK(elements(*read) == std::vector<double>{1, 2, 3, 4, 5, 6});

  const std::string turned =
      npy("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }\n", "\0\1\0\4\0\2\0\5\0\3\0\6"s);
  const auto other = read_npy(as_bytes(turned), "b.npy");
  REQUIRE(other);
  CHECK(elements(*other) == std::vector<double>{1, 2, 3, 4, 5, 6});

  const std::string scalar = npy("{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", "\1");
  CHECK(read_npy(as_bytes(scalar), "c.npy")->element(0) == 1);
}

TEST_CASE("a .npy that is cut or holds objects is an error that names it") {
  const std::string whole = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", "12345678");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto cut = read_npy(as_bytes(std::string_view(whole).substr(0, size)), "cut.npy");
    REQUIRE_FALSE(cut);
    CHECK(cut.error().where == "cut.npy");
  }
  CHECK_FALSE(
      read_npy(as_bytes(npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", "12345678")), "o.npy"));
  CHECK_FALSE(read_npy(as_bytes(npy("{'descr': '<f4', 'shape': (99999999999999999999,), }\n", "1234")), "s.npy"));
}

}  // namespace
}  // namespace vizd::inspector::npy_test

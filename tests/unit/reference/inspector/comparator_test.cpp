// A user's own measure of a gap: what it is given, and each way in which it can fail.
#include "reference/inspector/comparator.h"

#include <cstring>
#include <filesystem>

#include "reference/inspector/npy.h"
#include "support/catch.h"
#include "support/pickle_writer.h"
#include "support/temporary_folder.h"

namespace vizd::inspector::comparator_test {
namespace {

using namespace etdump;

Tensor floats(const std::vector<float>& numbers) {
  auto bytes = std::make_shared<std::vector<std::byte>>(numbers.size() * sizeof(float));
  std::memcpy(bytes->data(), numbers.data(), bytes->size());
  const std::span<const std::byte> all = *bytes;
  return {ScalarType::kFloat, {static_cast<std::int64_t>(numbers.size())}, all, false, std::move(bytes)};
}

struct Program {
  TemporaryFolder folder;
  Result<Comparator> made;
  Comparator& comparator;

  explicit Program(const std::string& shell, Comparator::Limits limits = {})
      : made(Comparator::make(folder / "own.sh", limits)), comparator(*made) {
    folder.write("own.sh", "#!/bin/sh\n" + shell);
    std::filesystem::permissions(folder / "own.sh", std::filesystem::perms::owner_all);
  }
  Result<double> gap() { return comparator.gap(floats({1, 2}), floats({1, 4})); }
  std::string error() {
    const auto failed = gap();
    REQUIRE_FALSE(failed);
    return failed.error().text();
  }
};

bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST_CASE("a comparator is given both values as .npy files and its number is the gap") {
  // The last four bytes of the files are the second numbers.
  Program program("cmp -s \"$1\" \"$2\" && exit 1; tail -c 4 \"$2\" | od -An -tf4");
  CHECK(program.gap().value() == 4);
  CHECK(program.comparator.name() == "own.sh");
}

TEST_CASE("a comparator that fails is said to, with what it said") {
  CHECK(holds(Program("echo first >&2; echo no model >&2; exit 3").error(), "ended with code 3: no model"));
  CHECK(holds(Program("kill -9 $$").error(), "ended by a signal"));
  CHECK(holds(Program("echo a lot").error(), "printed 'a lot', which is no number"));
  CHECK(holds(Program("true").error(), "printed '', which is no number"));
  auto missing = Comparator::make("/nowhere/own");
  REQUIRE(missing);
  CHECK(holds(missing->gap(floats({1}), floats({1})).error().text(), "cannot be started"));
}

TEST_CASE("a comparator that does not end is ended, and is not run for ever after") {
  using std::chrono::milliseconds;
  Program slow("sleep 60 & wait", {.pair = milliseconds(50), .all = milliseconds(50)});
  CHECK(holds(slow.error(), "was ended after 50 ms"));
  CHECK(holds(slow.error(), "is not run any more"));
}

TEST_CASE("a tensor is written as the .npy that is read") {
  const std::string file = write_npy(floats({1.5F, -2}));
  CHECK(file.size() % 64 == 8);
  const auto read = read_npy(as_bytes(file), "a.npy");
  REQUIRE(read);
  CHECK(read->shape == std::vector<std::int64_t>{2});
  CHECK(elements(*read) == std::vector<double>{1.5, -2});

  const std::byte bits[] = {std::byte{0xC0}, std::byte{0x3F}};  // 1.5 as bfloat16
  const std::string wide = write_npy({ScalarType::kBFloat16, {}, bits});
  const auto scalar = read_npy(as_bytes(wide), "b.npy");
  REQUIRE(scalar);
  CHECK((scalar->type == ScalarType::kDouble && scalar->element(0) == 1.5));
}

}  // namespace
}  // namespace vizd::inspector::comparator_test

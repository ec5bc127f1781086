// What a program is made of, told of a .pte and of an ETRecord alone.
#include "formats/etdump/program_contents.h"

#include <cstring>
#include <fstream>

#include "formats/etdump/format.h"
#include "formats/open_set.h"
#include "support/catch.h"
#include "support/etdump_writer.h"
#include "support/made_program.h"
#include "support/pickle_writer.h"
#include "support/temporary_folder.h"

namespace vizd::etdump::program_contents_test {
namespace {

// A member of a union: its kind, then itself.
FlatNode member(std::uint8_t kind, FlatNode value) { return FlatNode().number(0, kind).table(1, std::move(value)); }

// forward: a constant of four floats, which two calls of add read, and a delegate with a blob of five bytes.
std::string made_program_file() {
  const FlatNode constant = FlatNode().number(0, std::int8_t{6}).numbers(2, {4}).number(5, 1u);
  const FlatNode planned =
      FlatNode().number(0, std::int8_t{6}).numbers(2, {4}).number(5, 0u).table(6, FlatNode().number(0, 1u));
  const FlatNode add = member(1, FlatNode().number(0, std::int32_t{0}).numbers(1, {0}));
  const FlatNode call = member(2, FlatNode().number(0, std::int32_t{0}).numbers(1, {1}));
  const FlatNode plan = FlatNode()
                            .text(0, "forward")
                            .tables(2, {member(5, constant), member(5, planned)})
                            .numbers(3, {1})
                            .tables(5, {FlatNode().tables(2, {add, add, call})})
                            .tables(6, {FlatNode().text(0, "aten::add").text(1, "out")})
                            .tables(7, {FlatNode().text(0, "XnnpackBackend").table(1, FlatNode().number(1, 0u))})
                            .numbers(8, {0, 64});
  std::string file(8, '\0');
  std::memcpy(file.data() + 4, "ET12", 4);
  const FlatNode root = FlatNode().number(0, 0u).tables(1, {plan}).tables(3, {FlatNode().text(0, "12345")});
  const auto at = static_cast<std::uint32_t>(root.write(file));
  std::memcpy(file.data(), &at, 4);
  return file;
}

TEST_CASE("a program tells its plans, its constants by operator and by size, and its delegates' blobs", "[etdump]") {
  const std::string file = made_program_file();
  const auto contents = read_program(as_bytes(file), "a.pte");
  REQUIRE(contents);
  REQUIRE(contents->plans.size() == 1);
  CHECK((contents->plans[0].method == "forward" && contents->plans[0].instructions == 3));
  CHECK(contents->plans[0].buffer_bytes == std::vector<std::int64_t>{0, 64});
  REQUIRE(contents->operators.size() == 1);
  CHECK((contents->operators[0].op == "aten::add.out" && contents->operators[0].calls == 2));
  CHECK(contents->operators[0].constant_bytes == 16);  // read twice, counted once
  REQUIRE(contents->constants.size() == 1);            // what lies in planned memory is none
  CHECK((contents->constants[0].bytes == 16u && contents->constants[0].type == "float32"));
  REQUIRE(contents->delegates.size() == 1);
  CHECK((contents->delegates[0].blob_bytes == 5u && contents->delegates[0].calls == 1));
  CHECK(tables_of(*contents).size() == 4);
}

TEST_CASE("a program that is cut tells what is left of it, or why it tells nothing", "[etdump]") {
  const std::string file = made_program_file();
  for (std::size_t size = 0; size < file.size(); ++size) {
    const auto cut = read_program(as_bytes(std::string_view(file).substr(0, size)), "a.pte");
    if (!cut) CHECK(cut.error().where == "a.pte");
  }
}

TEST_CASE("an ETRecord alone tells its graph's operators and what delegates took", "[etdump]") {
  MadeProgram made;
  made.input("x").edge("aten.relu.default", {"x"}, "a", "1").edge("aten.relu.default", {"a"}, "b", "2").output("b");
  EtRecord record;
  Method& method = record.methods.emplace_back();
  method.name = "forward";
  method.edge = *read_exported_program(as_bytes(made.finish()), "program");
  method.debug_handles = {{0, {1, 2, 2}}};
  method.delegates[0].backend = "XnnpackBackend";
  const ProgramContents contents = contents_of(record);
  REQUIRE(contents.operators.size() == 1);
  CHECK(contents.operators[0].calls == 2);
  REQUIRE(contents.delegates.size() == 1);
  CHECK((contents.delegates[0].nodes == 2 && !contents.delegates[0].blob_bytes));
  CHECK((contents.plans[0].instructions == 1 && contents.plans[0].inputs == 1));
}

TEST_CASE("a program alone is a capture with facts", "[etdump]") {
  const TemporaryFolder folder;
  folder.write("model.pte", made_program_file());
  InputSet of{&kFormat, "model", {{"program", folder / "model.pte"}}};
  OpenSet set(of);
  Capture capture;
  REQUIRE(read(set, {}, capture));
  CHECK(capture.has_profile);
  CHECK(capture.facts.size() > 5);
}

}  // namespace
}  // namespace vizd::etdump::program_contents_test

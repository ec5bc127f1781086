#include "model/value.h"

#include <cmath>
#include <limits>
#include <vector>

#include "model/op_graph.h"
#include "support/catch.h"

namespace vizd::value_test {
namespace {

struct Values {
  StringTable strings;
  ValueTable table{strings};

  ValueId tuple(std::vector<ValueId> items) { return table.sequence(ValueKind::kTuple, items); }
};

TEST_CASE("a value is held once") {
  Values v;
  CHECK(v.table.integer(7) == v.table.integer(7));
  CHECK(v.table.integer(70'000) == v.table.integer(70'000));
  CHECK(v.table.string("a") == v.table.string("a"));
  CHECK(v.table.string("a") != v.table.bytes("a"));
  CHECK(v.table.integer(1) != v.table.boolean(true));
  CHECK(v.table.integer(1) != v.table.real(1));
  CHECK(v.table.real(0.0) != v.table.real(-0.0));
  CHECK(v.tuple({}) == v.tuple({}));
  CHECK(v.tuple({}) != v.table.sequence(ValueKind::kList, {}));
  CHECK(v.tuple({v.table.integer(1)}) == v.tuple({v.table.integer(1)}));
  CHECK(v.tuple({v.table.integer(1)}) != v.tuple({v.table.boolean(true)}));
  CHECK(v.table.member("m.E", "A", 1) == v.table.member("m.E", "A", 1));
  CHECK(v.table.member("m.E", "A", 1) != v.table.member("m.F", "A", 1));
  CHECK(v.table.object("m.C", {}) != v.table.object("m.D", {}));
}

TEST_CASE("values are what they were made of") {
  Values v;
  CHECK(v.table.as_int(v.table.integer(std::numeric_limits<std::int64_t>::min())) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(v.table.as_bool(v.table.boolean(true)));
  CHECK(v.table.as_real(v.table.real(-1.5)) == -1.5);
  CHECK(v.table.as_real(v.table.integer(-3)) == -3.0);
  CHECK(v.table.text(v.table.string("h\xc3\xa9")) == "h\xc3\xa9");
  const ValueId member = v.table.member("m.E", "ADD", 63);
  CHECK(v.table.kind(member) == ValueKind::kEnum);
  CHECK(v.table.type_name(member) == "m.E");
  CHECK(v.table.text(member) == "ADD");
  CHECK(v.table.as_int(member) == 63);
  const ValueId fields[] = {v.table.string("x"), v.table.integer(1), kNoneValue, v.table.integer(2)};
  const ValueId object = v.table.object("m.C", fields);
  CHECK(v.table.field(object, "x") == v.table.integer(1));
  CHECK(v.table.field(object, "y") == kNoneValue);
  CHECK(v.table.items(object).size() == 4);
}

TEST_CASE("an integer beyond int64 keeps its digits, one within is an integer") {
  Values v;
  const ValueId big = v.table.big_integer("18446744073709551615");
  CHECK(v.table.kind(big) == ValueKind::kBigInt);
  CHECK(v.table.text(big) == "18446744073709551615");
  CHECK(v.table.big_integer("-9223372036854775808") == v.table.integer(std::numeric_limits<std::int64_t>::min()));
}

TEST_CASE("what Python calls equal has one equality, in whatever order it came") {
  Values v;
  const bool reals_first = GENERATE(false, true);
  if (reals_first) {
    v.tuple({v.table.real(1.0)});
  } else {
    v.tuple({v.table.integer(1)});
  }
  const auto equal = [&](ValueId a, ValueId b) { return v.table.equality(a) == v.table.equality(b); };
  CHECK(equal(v.table.integer(1), v.table.real(1.0)));
  CHECK(equal(v.table.integer(1), v.table.boolean(true)));
  CHECK(equal(v.table.real(0.0), v.table.real(-0.0)));
  CHECK(equal(v.table.real(1e15), v.table.integer(1'000'000'000'000'000)));
  CHECK_FALSE(equal(v.table.real(1.5), v.table.integer(1)));
  CHECK_FALSE(equal(v.table.integer(0), kNoneValue));
  CHECK_FALSE(equal(v.table.boolean(false), v.table.string("")));
  const ValueId integers = v.tuple({v.table.integer(1), v.tuple({v.table.integer(2)})});
  const ValueId reals = v.tuple({v.table.boolean(true), v.tuple({v.table.real(2.0)})});
  CHECK(integers != reals);
  CHECK(equal(integers, reals));
  CHECK_FALSE(equal(integers, v.table.sequence(ValueKind::kList, v.table.items(integers))));
  CHECK(equal(v.table.real(std::numeric_limits<double>::infinity()),
              v.table.real(std::numeric_limits<double>::infinity())));
}

TEST_CASE("every NaN equals only itself") {
  Values v;
  const ValueId first = v.table.real(std::nan("")), second = v.table.real(std::nan(""));
  CHECK(first != second);
  CHECK(v.table.equality(first) != v.table.equality(second));
  CHECK(v.tuple({first}) == v.tuple({first}));
  CHECK(v.tuple({first}) != v.tuple({second}));
}

TEST_CASE("a value may be made of a view of the table's own items") {
  Values v;
  std::vector<ValueId> items;
  for (int i = 0; i < 100; ++i) items.push_back(v.table.integer(i));
  ValueId id = v.tuple(items);
  for (int round = 0; round < 150; ++round)
    id = v.table.sequence(round % 2 == 0 ? ValueKind::kList : ValueKind::kTuple,
                          v.table.items(id).subspan(round % 2 == 0 ? 1 : 0));
  CHECK(v.table.items(id).back() == v.table.integer(99));
}

TEST_CASE("an op equals one whose values Python calls equal") {
  Values v;
  OpGraph graph(v.table);
  const OpId integer = graph.add(1, kNoneValue, {}, v.table.integer(1), kNoneValue);
  CHECK(graph.add(1, kNoneValue, {}, v.table.real(1.0), kNoneValue) == integer);
  CHECK(graph.add(2, kNoneValue, {}, v.table.integer(1), kNoneValue) != integer);
  CHECK(graph.op(integer).arg == v.table.integer(1));
}

}  // namespace
}  // namespace vizd::value_test

// What a tinygrad wrote that vizd has no table of: opens as far as it goes, and says what of it means nothing to vizd.
#include <string>

#include "formats/tinygrad/format.h"
#include "support/catch.h"
#include "support/tiny_capture.h"

namespace vizd::tinygrad::unknown_version_test {
namespace {

std::string op_numbered(int number) {
  return opcodes(PickleWriter().global("tinygrad.uop", "Ops").mark().integer(number).reduce());
}

// number: (op, dtype, sources, arg, None), of an op that is any opcodes.
std::string record(int number, const std::string& op, const std::string& sources, const std::string& arg) {
  return opcodes(PickleWriter().integer(number).mark().raw(op).raw(int_dtype()).raw(sources).raw(arg).none().tuple());
}

// One pass that matches nothing, over op 1, whose source is op 0.
std::string trace(const std::string& fields) {
  PickleWriter w;
  w.object("tinygrad.uop.ops", "RewriteTrace").mark();
  w.text("keys").raw(a_list(tracing_key("k", "")));
  w.text("rewrites").raw(a_list(a_list(pass("s", 1, ""))));
  return w.text("uop_fields").dict().mark().raw(fields).set_items().built().finish();
}

void open(const std::string& bytes, Capture& capture) {
  const auto done = read({.name = "f", .bytes = as_bytes(bytes)}, capture);
  if (!done) FAIL(done.error().text());
}

std::string label(const Capture& capture, OpId op) {
  const auto analysis = capture.dialect->analyse(capture.ops);
  return std::string(analysis->label_text(analysis->label(op)));
}

std::vector<std::string> facts(const Capture& capture) {
  std::vector<std::string> lines;
  for (const Fact& fact : capture.facts) {
    lines.push_back(std::string(capture.strings.get(fact.name)) + ": " +
                    std::string(capture.strings.get(std::get<StringId>(fact.value))));
  }
  return lines;
}

TEST_CASE("tinygrad: an op that no table has goes by the name that the capture has for it", "[tinygrad]") {
  Capture capture;
  const std::string fresh =
      opcodes(PickleWriter().object("tinygrad.uop.ops", "FreshArg").mark().text("n").integer(3).built());
  open(trace(record(0, ops_member("CONST"), ")", an_int(1)) +
             record(1, ops_member("SHUFFLE_ANEW"), a_tuple(an_int(0)), fresh)),
       capture);
  CHECK(capture.skipped.empty());
  CHECK(capture.format == "tinygrad-2026-08");
  REQUIRE(capture.rewrites.passes.size() == 1);
  const OpId sink = capture.rewrites.passes[0].sink;
  CHECK(capture.dialect->kind_name(capture.ops.kind(sink)) == "SHUFFLE_ANEW");
  CHECK(label(capture, sink) == "SHUFFLE_ANEW\n<tinygrad.uop.ops.FreshArg>\ndtypes.int");
  CHECK(capture.dialect->analyse(capture.ops)->print(sink).find("Ops.SHUFFLE_ANEW") != std::string::npos);
  CHECK(facts(capture) == std::vector<std::string>{"class that vizd does not know: tinygrad.uop.ops.FreshArg",
                                                   "member that vizd does not know: tinygrad.uop.Ops.SHUFFLE_ANEW"});
}

TEST_CASE("tinygrad: ops that are numbered in a way of their own are not taken for others", "[tinygrad]") {
  Capture capture;
  open(trace(record(0, op_numbered(50), ")", an_int(1)) + record(1, op_numbered(33), a_tuple(an_int(0)), "N")),
       capture);
  CHECK(capture.skipped.empty());
  CHECK(capture.format == "tinygrad-2026");
  const OpId sink = capture.rewrites.passes[0].sink;
  CHECK(capture.dialect->kind_name(capture.ops.kind(sink)) == "33");  // 33 is ADD in 2026-08
  CHECK(label(capture, sink) == "33\ndtypes.int");
  CHECK(facts(capture).size() == 2);
}

TEST_CASE("tinygrad: numbers far beyond any op are refused, one by one", "[tinygrad]") {
  Capture capture;
  open(trace(record(0, op_numbered(2'000'000'000), ")", an_int(1)) + record(1, op_numbered(-4), ")", an_int(1))),
       capture);
  CHECK(capture.ops.size() == 0);
  CHECK(capture.skipped.size() >= 1);
}

}  // namespace
}  // namespace vizd::tinygrad::unknown_version_test

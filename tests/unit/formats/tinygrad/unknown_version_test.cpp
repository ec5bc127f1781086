// What a tinygrad wrote that vizd has no table of: opens as far as it goes, and says what of it means nothing to vizd.
#include <algorithm>
#include <string>
#include <vector>

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

TEST_CASE("tinygrad: classes and enumerations that are not known are listed, those that print are not", "[tinygrad]") {
  const auto fresh = [](std::string_view name) {
    return opcodes(PickleWriter().object("tinygrad.fresh", name).mark().text("n").integer(3).built());
  };
  const std::string member = opcodes(
      PickleWriter().global("builtins", "getattr").mark().global("tinygrad.fresh", "Kind").text("QUICK").reduce());
  const std::string instruction = opcodes(PickleWriter()
                                              .object("tinygrad.runtime.autogen.amd.rdna3.ins", "VOP1")
                                              .mark()
                                              .text("_raw")
                                              .integer(2114192114)
                                              .text("op_bits")
                                              .dict()
                                              .built());
  const std::string renderer = opcodes(PickleWriter().object("tinygrad.fresh", "FastRenderer").mark().built());
  for (const int constant : {59, 56}) {  // of 0.14.0, of 0.12.0
    INFO(constant);
    Capture capture;
    open(trace(record(0, op_numbered(constant), ")", an_int(1)) + record(1, op_numbered(constant), ")", member) +
               record(2, op_numbered(constant), ")", fresh("Arg")) +
               record(3, op_numbered(constant), ")", instruction) + record(4, op_numbered(constant), ")", renderer)),
         capture);
    CHECK(capture.skipped.empty());
    CHECK(facts(capture) == std::vector<std::string>{"class that vizd does not know: tinygrad.fresh.Kind",
                                                     "class that vizd does not know: tinygrad.fresh.Arg",
                                                     "member that vizd does not know: tinygrad.fresh.Kind.QUICK"});
    CHECK(capture.notes ==
          std::vector<std::string>{"has classes that vizd does not know and shows only by name: "
                                   "tinygrad.fresh.Kind, tinygrad.fresh.Arg",
                                   "has members of enumerations that vizd does not know: tinygrad.fresh.Kind.QUICK"});
    CHECK(capture.dialect->value_text(capture.ops.op(capture.rewrites.passes.at(0).sink).arg) == "Kind.QUICK");
    CHECK(capture.dialect->value_text(capture.ops.op(to_id<OpId>(3)).arg) == "v_mov_b32_e32(v[2], 1.0)");
  }
}

TEST_CASE("tinygrad: instructions are known by their bits, whatever else was worked out of them", "[tinygrad]") {
  const auto instruction = [](bool with_sizes) {
    PickleWriter w;
    w.object("tinygrad.runtime.autogen.amd.rdna3.ins", "VOP1").mark().text("_raw").integer(2114192114);
    if (with_sizes) w.text("op_bits").dict();
    return opcodes(w.built());
  };
  Capture capture;
  open(trace(record(0, ops_member("CONST"), ")", an_int(1)) + record(1, ops_member("INS"), ")", instruction(false)) +
             record(2, ops_member("INS"), ")", instruction(true))),
       capture);
  CHECK(capture.ops.size() == 2);
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

std::string void_dtype() {
  return opcodes(
      PickleWriter().global("tinygrad.dtype", "DType").mark().integer(-1).integer(0).text("void").none().reduce());
}

std::string kind_of_sink(const Capture& capture) {
  return std::string(capture.dialect->kind_name(capture.ops.kind(capture.rewrites.passes.at(0).sink)));
}

TEST_CASE("tinygrad: ops that a change has moved are told by what they look like, between others that are",
          "[tinygrad]") {
  // 0.14.0 with three more ops behind IF: what stands before is where it was, CONST is number 62.
  const auto nothing = [](int number, int op, const std::string& sources) {
    return opcodes(PickleWriter()
                       .integer(number)
                       .mark()
                       .raw(op_numbered(op))
                       .raw(void_dtype())
                       .raw(sources)
                       .none()
                       .none()
                       .tuple());
  };
  const std::string loop = opcodes(PickleWriter().global("tinygrad.uop.ops", "AxisType").mark().integer(12).reduce());
  const std::string both = a_tuple(an_int(0) + an_int(0));
  const std::string fields = record(0, op_numbered(62), ")", an_int(1)) +
                             record(2, op_numbered(55), a_tuple(an_int(0)), a_tuple(an_int(0) + loop)) +
                             record(3, op_numbered(33), both, "N") + nothing(4, 22, both) +
                             nothing(1, 60, a_tuple(an_int(4) + an_int(2))) + nothing(5, 58, a_tuple(an_int(3)));
  Capture capture;
  open(trace(fields), capture);
  CHECK(capture.skipped.empty());
  CHECK(capture.format == "tinygrad-2026");
  REQUIRE(!capture.notes.empty());
  CHECK(capture.notes[0].find("labels are those of 0.14.0") != std::string::npos);
  CHECK(kind_of_sink(capture) == "END");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < capture.ops.size(); ++i)
    names.emplace_back(capture.dialect->kind_name(capture.ops.kind(to_id<OpId>(i))));
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"58", "ADD", "CONST", "END", "RANGE", "STORE"});
  CHECK(facts(capture) == std::vector<std::string>{"member that vizd does not know: tinygrad.uop.Ops.58"});
}

TEST_CASE("tinygrad: ops of the releases before 0.14.0 go by their names", "[tinygrad]") {
  // A UNIQUE, which has a number for its argument too, is number 59 of 0.12.0, as CONST is of 0.14.0.
  const std::string unique = opcodes(
      PickleWriter().integer(0).mark().raw(op_numbered(59)).raw(void_dtype()).raw(")").integer(7).none().tuple());
  Capture older;
  open(trace(unique + record(1, op_numbered(56), ")", an_int(1)) + record(2, op_numbered(1), ")", an_int(0)) +
             record(3, op_numbered(35), a_tuple(an_int(1) + an_int(2)), "N")),
       older);
  CHECK(older.skipped.empty());
  CHECK(older.format == "tinygrad-0.12");
  CHECK(older.notes.empty());
  CHECK(kind_of_sink(older) == "CONST");  // op 1
  CHECK(older.dialect->kind_name(older.ops.kind(to_id<OpId>(0))) == "UNIQUE");
  CHECK(older.dialect->kind_name(older.ops.kind(to_id<OpId>(2))) == "DEFINE_GLOBAL");
  CHECK(older.dialect->kind_name(older.ops.kind(to_id<OpId>(3))) == "IDIV");
  // A DEFINE_GLOBAL that is no pointer has no shape there, and raises.
  CHECK(label(older, to_id<OpId>(3)) == "IDIV\ndtypes.int\n<ISSUE GETTING LABEL>");
  CHECK(facts(older).empty());

  Capture newer;
  open(trace(record(0, op_numbered(64), ")", an_int(1)) + record(1, op_numbered(37), a_tuple(an_int(0)), "N")), newer);
  CHECK(newer.format == "tinygrad-0.13");
  CHECK(kind_of_sink(newer) == "ADD");
}

TEST_CASE("tinygrad: captures that name their ops are told apart by the names", "[tinygrad]") {
  const auto format_of = [](std::string_view first, std::string_view second) {
    Capture capture;
    open(trace(record(0, ops_member(first), ")", an_int(1)) + record(1, ops_member(second), a_tuple(an_int(0)), "N")),
         capture);
    CHECK(capture.skipped.empty());
    CHECK(kind_of_sink(capture) == second);
    return capture.format;
  };
  CHECK(format_of("CONST", "VECTORIZE") == "tinygrad-0.12");
  CHECK(format_of("UNIQUE", "BUFFERIZE") == "tinygrad-0.12");
  CHECK(format_of("UNIQUE", "STAGE") == "tinygrad-0.13");
  CHECK(format_of("CONST", "SHAPED_WMMA") == "tinygrad-0.13");
  CHECK(format_of("CONST", "STAGE") == "tinygrad-2026-08");
  CHECK(format_of("UNIQUE", "SHUFFLE_ANEW") == "tinygrad-2026-08");  // of no table
}

TEST_CASE("tinygrad: 0.11.0 wrote one record without a list, and no REALIZE", "[tinygrad]") {
  const std::string old_trace = PickleWriter()
                                    .mark()
                                    .raw(a_list(tracing_key("k", "")))
                                    .raw(a_list(a_list(pass("s", 1, ""))))
                                    .dict()
                                    .mark()
                                    .raw(record(0, op_numbered(87), ")", an_int(1)))
                                    .raw(record(1, op_numbered(62), a_tuple(an_int(0)), "N"))
                                    .set_items()
                                    .tuple()
                                    .finish();
  Capture capture;
  open(old_trace, capture);
  CHECK(capture.skipped.empty());
  CHECK(capture.format == "tinygrad-0.11");
  REQUIRE(capture.notes.size() == 1);
  CHECK(capture.notes[0].find("labels are approximate") != std::string::npos);
  CHECK(kind_of_sink(capture) == "ADD");
}

TEST_CASE("tinygrad: of 0.10.3 and older it is said who reads them", "[tinygrad]") {
  const std::string uop = opcodes(PickleWriter().global("tinygrad.ops", "UOp").mark().reduce());
  const std::string bytes = PickleWriter().mark().raw(a_list(uop)).raw(a_list("")).tuple().finish();
  Capture capture;
  const auto done = read({.name = "f", .bytes = as_bytes(bytes)}, capture);
  REQUIRE_FALSE(done);
  CHECK(done.error().text().find("tinygrad 0.10.3 or older") != std::string::npos);
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

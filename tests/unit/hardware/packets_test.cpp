#include "hardware/thread_trace/packets.h"

#include <nlohmann/json.hpp>

#include "hardware/thread_trace/packet_json.h"
#include "support/catch.h"
#include "support/made_trace.h"

namespace vizd::thread_trace::packets_test {
namespace {

nlohmann::json packets_of(const std::string& trace) {
  std::string text;
  JsonWriter json(text);
  write_packets(json, bytes_of(trace));
  nlohmann::json packets = nlohmann::json::parse(text);
  // Zeros at the end are NOPs: as many as there is room for.
  while (!packets.empty() && packets.back()[0] == "NOP") packets.erase(packets.end() - 1);
  return packets;
}

nlohmann::json json_of(std::string_view text) { return nlohmann::json::parse(text); }

TEST_CASE("packets: follow each other by nibbles, each stamped with its own delta added", "[hardware]") {
  TraceWriter trace;
  trace.header(3).wait(4).valu(5).inst(2, 0x2a).wait(19).alu_exec(2).add(0b1111 | 3 << 4 | 2 << 6, 2);
  const auto packets = packets_of(trace.finish());
  REQUIRE(packets.size() == 7);
  CHECK(packets[0] == json_of(R"(["LAYOUT_HEADER",0,{"layout":3,"simd":0,"group":0,"sel_a":0,"sel_b":0,"flag4":0}])"));
  CHECK(packets[1] == json_of(R"(["TS_DELTA_SHORT",4,{}])"));
  CHECK(packets[2] == json_of(R"(["VALUINST",5,{"flag":0,"wave":5}])"));
  CHECK(packets[3] == json_of(R"(["INST",6,{"flag1":0,"flag2":0,"wave":2,"op":"LDS_WR_1"}])"));
  CHECK(packets[5] == json_of(R"(["ALUEXEC",26,{"src":"VALU"}])"));
  CHECK(packets[6] == json_of(R"(["VMEMEXEC",29,{"src":"VMEM"}])"));
}

TEST_CASE("packets: a marker of the real-time clock moves no time, a long delta does", "[hardware]") {
  TraceWriter trace;
  trace.header(3).add(0b0000001 | 1ull << 9 | 1000ull << 12, 12).add(0b0000001 | 300ull << 12, 12);
  const auto packets = packets_of(trace.finish());
  CHECK(packets[1] == json_of(R"(["TS_DELTA_OR_MARK",0,{"pl":0,"rt":1,"is_marker":true,"delta":1000}])"));
  CHECK(packets[2] == json_of(R"(["TS_DELTA_OR_MARK",300,{"pl":0,"rt":0,"is_marker":false,"delta":300}])"));
}

TEST_CASE("packets: what is longer than the 64 bits that are looked at is left behind whole", "[hardware]") {
  TraceWriter trace;
  trace.header(3).add(0b0100001 | 7 << 8, 18).valu(1);
  const auto packets = packets_of(trace.finish());
  CHECK(packets[1] == json_of(R"(["TS_DELTA_S8_W3",7,{}])"));
  CHECK(packets[2] == json_of(R"(["VALUINST",8,{"flag":0,"wave":1}])"));
}

TEST_CASE("packets: one counts where 64 bits from its beginning on lie within the trace", "[hardware]") {
  TraceWriter trace;
  trace.header(3).valu(1).valu(2).add(0, 13);
  CHECK(packets_of(trace.cut()).size() == 2);  // of 35 nibbles a byte holds 34
  trace.add(0, 1);
  CHECK(packets_of(trace.cut()).size() == 3);
  CHECK(packets_of("").empty());
  CHECK(packets_of(std::string(7, '\x11')).empty());
}

TEST_CASE("packets: the header says the layout, and RDNA 4 has other numbers", "[hardware]") {
  TraceWriter trace;
  trace.header(4).add(0b010 | 2 << 3 | 3 << 7 | 0x8d << 12, 5).add(0b01100 | 1 << 7 | 9 << 10 | 4 << 15, 8);
  const auto packets = packets_of(trace.finish());
  CHECK(packets[1] == json_of(R"(["INST",2,{"w64h":0,"wave":3,"op":"WMMA_16"}])"));
  CHECK(packets[2][2]["cu"] == (9 | 1 << 4));
  CHECK(packets[2][2]["wave"] == 4);
  // An operation without a name goes by its number.
  CHECK(packets_of(TraceWriter().header(4).add(0b010 | 0xbb << 12, 5).finish())[1][2]["op"] == "0xbb");
}

TEST_CASE("packets: of CDNA only MISC moves time, and a timestamp after the first sets it", "[hardware]") {
  const auto timestamp = [](std::uint64_t at) { return 1 | at << 16; };
  TraceWriter trace;
  trace.add(0x11 | 4 << 13 | 0xf << 16, 16).add(5 << 4, 4);
  trace.add(timestamp(1000), 16).add(timestamp(1100), 16).add(0xa | 3 << 5 | 5 << 11, 4);
  const auto packets = packets_of(trace.finish());
  CHECK(packets[0][2]["layout"] == 0);
  CHECK(packets[1] == json_of(R"(["CDNA_MISC",20,{"sh":0,"misc_type":0}])"));
  CHECK(packets[2][1] == 20);
  CHECK(packets[3][1] == 116);  // 100 later, by fours, and one four back
  CHECK(packets[4] == json_of(R"(["CDNA_INST",116,{"wave":3,"simd":0,"op":"VALU_32"}])"));
}

}  // namespace
}  // namespace vizd::thread_trace::packets_test

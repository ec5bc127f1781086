// The fields of the answers about devices: each is said once, and all that is made from them agrees.
#include "analysis/answers/device_answers.h"

#include <fstream>
#include <iterator>
#include <set>

#include "analysis/answers/answer_json.h"
#include "analysis/answers/page_types.h"
#include "support/analysed_trace.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::device_answers_test {
namespace {

template <typename Line>
void check_fields(const Fields<Line>& fields) {
  std::set<std::string_view> names;
  for (const auto& [info, value] : fields) {
    INFO(info.name);
    CHECK(names.insert(info.name).second);
    CHECK_FALSE(info.title.empty());
    CHECK(info.name.ends_with("_ns") == (info.unit == Unit::kNanoseconds || info.unit == Unit::kMoreNanoseconds));
    if (!info.whole.empty()) CHECK(find_field(fields, info.whole).info.unit == info.unit);
  }
}

TEST_CASE("fields of answers have names of their own, that say what they are counted in") {
  for (const std::string_view group : kKernelGroupNames) check_fields(kernel_fields(*kernel_group(group)));
  for (const auto join : {KernelJoin::kName, KernelJoin::kFamily, KernelJoin::kOperator, KernelJoin::kOccurrence})
    check_fields(comparison_fields(join));
  check_fields(breakdown_fields());
  check_fields(call_tree_fields());
  check_fields(collective_fields());
  check_fields(sequence_fields());
  check_fields(path_fields());
  check_fields(holder_fields());
}

TEST_CASE("the page's types of answers about devices are those of the server") {
  std::ifstream file(test_data("../../web/src/lib/device-fields.ts"));
  INFO("scripts/page-types writes it anew");
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == page_types());
}

TEST_CASE("a field of a row is written as what it is") {
  const Analysed trace(kernel("gemm", 7, 0, 40, "") + kernel("gemm", 7, 100, 41, ""));
  const auto rows = trace.rows();
  REQUIRE(rows.size() == 1);
  std::string text;
  JsonWriter json(text);
  write_row(json, choose_fields(kernel_fields(), "rank device name communication total_ns mean_ns flop"),
            {trace.capture, trace.analysis.work, rows[0]});
  CHECK(text ==
        R"({"rank":null,"device":0,"name":"gemm","communication":false,"total_ns":81000,"mean_ns":40500,"flop":null})");
  text.clear();
  JsonWriter grouped(text);
  write_row(grouped, choose_fields(kernel_fields(KernelGroup::kRank), "class device launches"),
            {trace.capture, trace.analysis.work, rows[0], KernelGroup::kRank});
  CHECK(text == R"({"device":null,"launches":2})");  // of a rank there is no class, and no one device
}

}  // namespace
}  // namespace vizd::device_answers_test

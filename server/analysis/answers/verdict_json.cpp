#include "analysis/answers/verdict_json.h"

namespace vizd {

void write_verdict(JsonWriter& json, const ComparisonVerdict& verdict) {
  const auto write_side = [&](std::string_view key, const ComparisonVerdict::Side& side) {
    json.key(key).begin_object().key("dur_ns").real(side.dur_ns).key("count").number(side.count).end_object();
  };
  json.begin_object().key("word").text(verdict.word()).key("of").text(verdict.is_of_steps ? "step" : "device");
  json.key("change_percent").real(verdict.change_percent());
  write_side("a", verdict.a);
  write_side("b", verdict.b);
  json.key("range_ns");
  if (verdict.range_ns) {
    json.begin_array().real(verdict.range_ns->first).real(verdict.range_ns->second).end_array();
  } else {
    json.null();
  }
  json.key("classes").begin_array();
  for (std::size_t c = 0; c < kTimeClasses.size(); ++c) {
    json.begin_object().key("class").text(kTimeClasses[c]).key("a_ns").real(verdict.a.classes_ns[c]);
    json.key("b_ns").real(verdict.b.classes_ns[c]).key("is_main").boolean(c == verdict.main_class()).end_object();
  }
  json.end_array();
  json.column("causes", verdict.causes, [](JsonWriter& j, const ComparisonVerdict::Cause& cause) {
    j.begin_object().key("row").number(cause.row).key("change_ns").real(cause.change_ns).end_object();
  });
  json.end_object();
}

}  // namespace vizd

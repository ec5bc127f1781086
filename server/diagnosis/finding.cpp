#include "diagnosis/finding.h"

namespace vizd {

Fields<FindingLine> finding_fields() {
  using L = FindingLine;
  return {
      {text_field("rule", "rule", "The rule that found it"), [](const L& l) { return l.row.rule; }},
      {text_field("title", "finding", "The finding"), [](const L& l) { return std::string_view(l.row.title); }},
      {text_field("detail", "detail", "Its figures"), [](const L& l) { return std::string_view(l.row.detail); }},
      {time_field("cost_ns", "costs", "What it took, or would save. Costs may overlap: they do not add up").or_null(),
       &Finding::cost_ns},
      {real_field("percent", "% of time", Unit::kPercent, "The share of the time that it is part of"),
       [](const L& l) { return 100 * l.row.share; }},
      {text_field("of", "of", "What that time is"), [](const L& l) { return l.row.of; }},
      {time_field("per_step_ns", "a step", "The cost divided by the number of steps").or_null(), &Finding::per_step_ns},
      {text_field("sure", "confidence",
                  "How certain the cost is: measured; likely due to this; or the most that could be gained")
           .one_of(kSurenessWords),
       [](const L& l) { return kSurenessWords[static_cast<std::size_t>(l.row.sure)]; }},
      {text_field("next", "what next", "What to try, or to record"),
       [](const L& l) { return std::string_view(l.row.next); }},
      {FieldInfo{"evidence", "evidence", FieldKind::kTexts, "Ids of where it is: vizd open shows them"},
       [](const L& l) {
         Texts ids;
         for (const Evidence& each : l.row.evidence) ids.push_back(each.id);
         return ids;
       }},
  };
}

}  // namespace vizd

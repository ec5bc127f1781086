#include "diagnosis/diagnosis_json.h"

#include "analysis/answers/answer_json.h"
#include "diagnosis/page_place.h"

namespace vizd {
namespace {

void write_members(JsonWriter& json, const Capture& capture, const Finding& finding) {
  for (const Field<FindingLine>& field : finding_fields()) {
    if (field.info.name != "evidence") write_field(json, field.info, field.value({finding}));
  }
  if (!finding.evidence.empty()) json.key("id").text(finding.evidence.front().id);
  json.column("evidence", finding.evidence, [&](JsonWriter& j, const Evidence& evidence) {
    j.begin_object().key("id").text(evidence.id).key("shows").text(evidence.shows).key("link");
    if (const auto place = page_place(capture, evidence.id))
      place->write(j);
    else
      j.null();
    j.end_object();
  });
}

void write_members(JsonWriter& json, const Silence& silence) {
  json.key("rule").text(silence.rule).key("looks_at").text(silence.looks_at);
  json.key("nothing").text(nothing_word(silence.absence.kind));
  json.key("why").text(silence.absence.why).key("how").text(silence.absence.how);
}

}  // namespace

void write_diagnosis(JsonWriter& json, const Capture& capture, const Diagnosis& diagnosis) {
  json.begin_object().key("whole_ns").number(diagnosis.whole_ns);
  json.key("devices").number(diagnosis.devices).key("steps").number(diagnosis.steps);
  json.column("findings", diagnosis.findings, [&](JsonWriter& j, const Finding& finding) {
    j.begin_object();
    write_members(j, capture, finding);
    j.end_object();
  });
  json.key("left_out").number(diagnosis.left_out);
  json.column("silent", diagnosis.silent, [&](JsonWriter& j, const Silence& silence) {
    j.begin_object();
    write_members(j, silence);
    j.end_object();
  });
  json.end_object();
}

std::string diagnosis_lines(std::string_view name, const Capture& capture, const Diagnosis& diagnosis) {
  std::string text;
  const auto add = [&](const auto& write) {
    JsonWriter json(text);
    json.begin_object().key("capture").text(name);
    write(json);
    json.end_object();
    text += '\n';
  };
  for (const Finding& finding : diagnosis.findings)
    add([&](JsonWriter& json) { write_members(json, capture, finding); });
  for (const Silence& silence : diagnosis.silent) add([&](JsonWriter& json) { write_members(json, silence); });
  return text;
}

}  // namespace vizd

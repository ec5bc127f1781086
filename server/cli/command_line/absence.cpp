#include "cli/command_line/absence.h"

#include "base/json_writer.h"
#include "base/standard_streams.h"

namespace vizd {

void print_absence(const Absence& absence, std::string_view name, bool json) {
  if (!json) return print_answer("{}: {}\n", name, absence.text());
  std::string text;
  JsonWriter writer(text);
  writer.begin_object().key("of").text(name).key("nothing").text(nothing_word(absence.kind));
  writer.key("why").text(absence.why).key("how").text(absence.how).end_object();
  print_error("{}\n", text);
}

}  // namespace vizd

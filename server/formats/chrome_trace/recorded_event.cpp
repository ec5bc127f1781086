#include "formats/chrome_trace/recorded_event.h"

#include "formats/trace_words.h"

namespace vizd::chrome_trace {

void RecordedEvent::read(const ProfileSelection& selection, const StringTable& strings, const TraceRoots& roots,
                         std::uint32_t track, std::uint32_t event) {
  *this = {.members = std::move(members), .arguments = std::move(arguments)};
  members.clear();
  arguments.clear();
  selection.for_each_argument(track, event, [&](const ArgumentColumn& column, const ArgumentValue& value) {
    const std::string_view name = strings.get(column.name);
    const auto* const id = std::get_if<StringId>(&value);
    if (!column.is_hidden) {
      arguments.emplace_back(name, roots.written(column, value, track), column.unit);
    } else if (name == trace::kPhase) {
      if (id != nullptr) phase = strings.get(*id);
    } else if (name == trace::kCategory) {
      category = {value, column.unit};
    } else if (name == trace::kEndCategory) {
      end_category = value;
    } else if (name == trace::kEndThread) {
      end_thread = value;
    } else if (name == trace::kThread) {
      thread = value;
    } else if (name == trace::kNameEnd) {
      if (id != nullptr) name_end = strings.get(*id);
    } else if (name == trace::kOtherArguments) {
      other_arguments = {value, column.unit};
    } else {
      has_scope = has_scope || name == trace::kScope;
      has_id = has_id || name == trace::kId || name == ".id2";
      members.emplace_back(trace::member_name(name), value, column.unit);
    }
  });
}

}  // namespace vizd::chrome_trace

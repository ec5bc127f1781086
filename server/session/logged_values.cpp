#include "session/logged_values.h"

#include <string_view>

namespace vizd {

bool tells_values(const LoadedCapture& loaded) {
  return loaded.set.format != nullptr && loaded.set.format->answer_values != nullptr;
}

Result<ValueAnswer> value_answer(const LoadedCapture& loaded, const ValueQuestion& question) {
  if (!tells_values(loaded)) return Error{ErrorKind::kNotFound, "the capture has no logged values", ""};
  OpenSet files(loaded.set);
  ValueAnswer answer;
  VIZD_TRY(loaded.set.format->answer_values(files, question, [&](std::string_view part) { answer.json += part; }));
  return answer;
}

}  // namespace vizd

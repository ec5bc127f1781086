#include "reference/logged_values.h"

#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace vizd {

bool tells_values(const LoadedCapture& loaded) { return reference_program(loaded.set.format).answer_values != nullptr; }

Result<ValueAnswer> value_answer(const LoadedCapture& loaded, ValueQuestion question, const LoadedCapture* against) {
  if (!tells_values(loaded)) return Error{ErrorKind::kNotFound, "the capture has no logged values", ""};
  if (against != nullptr && against->set.format != loaded.set.format)
    return Error{ErrorKind::kNotFound, "the other capture has no such values to compare with", "against"};
  question.reference = against == nullptr ? nullptr : &against->set;
  InputSet set = loaded.set;
  const ReferenceProgram& program = reference_program(set.format);
  while (true) {
    OpenSet files(set);
    ValueAnswer answer;
    auto done = program.answer_values(files, question, [&](std::string_view part) { answer.json += part; });
    if (done) return answer;
    // One broken file does not take the others' values with it, as when the set was read.
    if (done.error().kind != ErrorKind::kBadInput || set.files.size() < 2) return std::move(done).error();
    set.files.erase(std::next(set.files.begin(), static_cast<std::ptrdiff_t>(files.blamed_place())));
  }
}

}  // namespace vizd

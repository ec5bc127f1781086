#include "session/shared_notes.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/clean_text.h"

namespace vizd {
namespace {

// As a URL has it, of which a terminal and a page take every byte for itself.
bool is_fragment(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7F' && c != '"' && c != '<' && c != '>'; });
}

Result<void> check_texts(std::string_view place, std::initializer_list<std::string_view> texts) {
  if (place.empty() || !is_fragment(place))
    return Error{ErrorKind::kBadInput, "a place is the fragment of the page's URL", ""};
  for (const std::string_view text : texts) {
    if (text.size() > SharedNotes::kMostTextBytes)
      return Error{ErrorKind::kTooLarge, fmt::format("a text may have at most {} bytes", SharedNotes::kMostTextBytes),
                   ""};
  }
  return {};
}

}  // namespace

Result<SharedMark> SharedNotes::add(SharedMark mark) {
  VIZD_TRY(check_texts(mark.place, {mark.place, mark.capture, mark.id, mark.note}));
  mark.id = one_line(mark.id, false);
  mark.note = many_lines(mark.note, false);
  const std::scoped_lock lock(mutex_);
  if (marks_.size() >= kMostMarks)
    return Error{ErrorKind::kTooLarge, fmt::format("there are already {} marks; remove some", kMostMarks), ""};
  mark.number = ++last_number_;
  ++revision_;
  return marks_.emplace_back(std::move(mark));
}

bool SharedNotes::remove(std::uint64_t number) {
  const std::scoped_lock lock(mutex_);
  if (std::erase_if(marks_, [&](const SharedMark& mark) { return mark.number == number; }) == 0) return false;
  ++revision_;
  return true;
}

std::vector<SharedMark> SharedNotes::marks() const {
  const std::scoped_lock lock(mutex_);
  return marks_;
}

Result<void> SharedNotes::tell(Whereabouts now) {
  VIZD_TRY(check_texts(now.place, {now.place, now.capture, now.view, now.selection}));
  for (std::string& word : now.command) {
    VIZD_TRY(check_texts(now.place, {word}));
    word = one_line(word, false);
  }
  for (std::string* text : {&now.capture, &now.view, &now.selection}) *text = one_line(*text, false);
  const std::scoped_lock lock(mutex_);
  where_ = std::move(now);
  return {};
}

std::optional<Whereabouts> SharedNotes::where() const {
  const std::scoped_lock lock(mutex_);
  return where_;
}

}  // namespace vizd

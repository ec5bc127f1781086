#include "analysis/devices/work_spans.h"

#include <string_view>

namespace vizd {
namespace {

WorkSpans::Role role_of_category(std::string_view category) {
  if (trace::work_of(category, "") != trace::Work::kNone) return WorkSpans::Role::kWork;
  return trace::is_call(category) ? WorkSpans::Role::kCall : WorkSpans::Role::kNone;
}

}  // namespace

WorkSpans::Role WorkSpans::role_of(StringId category) {
  const auto [found, is_new] = roles_.try_emplace(category, Role::kNone);
  if (is_new) found->second = role_of_category(strings_.get(category));
  return found->second;
}

std::vector<bool> WorkSpans::came_whole(const Track& track) const {
  std::vector<bool> whole;
  for (const ArgumentColumn& column : track.arguments) {
    if (column.name != phase_ || phase_ == StringId{kNoId}) continue;
    whole.resize(track.events.size(), true);
    column.events.for_each([&](std::int64_t event) { whole[static_cast<std::size_t>(event)] = false; });
  }
  return whole;
}

}  // namespace vizd

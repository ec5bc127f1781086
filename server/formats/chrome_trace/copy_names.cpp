#include "formats/chrome_trace/copy_names.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace vizd::chrome_trace {

void name_copies(Track& track, StringTable& strings) {
  const ArgumentColumn* const kinds = find_argument(track.arguments, strings.find(kCopyKind));
  const StringId copy = strings.find("Memcpy");
  if (kinds == nullptr || kinds->type != ArgumentType::kText || copy == StringId{kNoId}) return;
  const ArgumentColumn* const from = find_argument(track.arguments, strings.find("src kind"));
  const ArgumentColumn* const to = find_argument(track.arguments, strings.find("dst kind"));
  // "pinned" is "Pinned" in a name.
  const auto memory = [&](const ArgumentColumn* column, std::uint32_t event) {
    const auto value = column != nullptr ? column->of(event) : std::nullopt;
    const auto* const id = value ? std::get_if<StringId>(&*value) : nullptr;
    std::string text(id == nullptr ? std::string_view() : strings.get(*id));
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
      text.front() = static_cast<char>(text.front() - 32);
    return text;
  };
  const auto name_of = [&](std::uint32_t event, StringId name) {
    const auto kind = name == copy ? kinds->of(event) : std::nullopt;
    if (!kind) return name;
    const std::string source = memory(from, event), target = memory(to, event);
    std::string text = fmt::format("Memcpy {}", strings.get(std::get<StringId>(*kind)));
    if (!source.empty() && !target.empty()) text += fmt::format(" ({} -> {})", source, target);
    return strings.add(text);
  };
  EventColumns named;
  named.reserve(track.events.size());
  for (std::uint32_t i = 0; i < track.events.size(); ++i) {
    Event event = track.events[i];
    event.name = name_of(i, event.name);
    named.push_back(event);
  }
  named.settle();
  track.events = std::move(named);
}

}  // namespace vizd::chrome_trace

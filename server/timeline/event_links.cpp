#include "timeline/event_links.h"

#include <algorithm>
#include <unordered_map>

namespace vizd {
namespace {

// The passes of contexts by name, as they are asked for one after another.
class PassesByName {
 public:
  explicit PassesByName(const Rewrites& rewrites) : rewrites_(rewrites) {}

  // The first pass of this name at or after `from`, or kNoId.
  std::uint32_t find(ContextId context, StringId name, std::uint32_t from) {
    auto [entry, is_new] = passes_.try_emplace(context);
    if (is_new) {
      const auto passes = rewrites_.passes_of(rewrites_.contexts[index(context)]);
      for (std::uint32_t i = 0; i < passes.size(); ++i) entry->second[passes[i].name].push_back(i);
    }
    const auto found = entry->second.find(name);
    if (found == entry->second.end()) return kNoId;
    const auto next = std::lower_bound(found->second.begin(), found->second.end(), from);
    return next == found->second.end() ? kNoId : *next;
  }

 private:
  const Rewrites& rewrites_;
  std::unordered_map<ContextId, std::unordered_map<StringId, std::vector<std::uint32_t>>> passes_;
};

}  // namespace

std::vector<EventLink> event_links(const EventColumns& events, const LaneRows& rows, const Rewrites& rewrites) {
  std::vector<EventLink> links(events.size());
  std::vector<std::uint32_t> scope(events.size(), kNoId);  // the nearest event that names a context, itself included
  std::vector<std::uint32_t> next_pass(events.size(), 0);  // of such an event: where the next search begins
  std::uint32_t last_scope = kNoId;  // the last such event, as long as each event outside one takes a pass of it
  PassesByName passes(rewrites);
  for (const std::uint32_t i : rows.order) {
    const std::uint32_t around = rows.parent[i] == kNoId ? kNoId : scope[rows.parent[i]];
    if (index(events.context(i)) < rewrites.contexts.size()) {
      links[i].context = events.context(i);
      scope[i] = last_scope = i;
      continue;
    }
    scope[i] = around;
    const std::uint32_t outer = around == kNoId ? last_scope : around;
    if (outer == kNoId) continue;
    const std::uint32_t pass = passes.find(links[outer].context, events.name(i), next_pass[outer]);
    if (pass != kNoId) {
      links[i] = {links[outer].context, pass};
      next_pass[outer] = pass + 1;
    } else if (around == kNoId) {
      last_scope = kNoId;
    }
  }
  return links;
}

}  // namespace vizd

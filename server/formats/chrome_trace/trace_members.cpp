#include "formats/chrome_trace/trace_members.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "formats/trace_words.h"

namespace vizd::chrome_trace {
namespace {

// Facts of a trace as the members of an object: those with a subject as objects of their own, or as lists of such.
void put_facts(JsonWriter& json, const Capture& capture, const Root& root, ValueWriter& values) {
  const auto text = [&](StringId id) { return capture.strings.get(id); };
  const auto name_of = [&](const Fact& fact) { return trace::fact_name(text(fact.name), fact.is_hidden); };
  std::vector<std::string> names;                              // in order
  std::map<std::string, std::vector<const Fact*>> by_subject;  // of a list its elements one after another
  for (const Fact& fact : capture.facts) {
    if (fact.track != root.track || name_of(fact).empty()) continue;
    const std::string_view subject = text(fact.subject);
    if (subject.empty()) {
      values.put(json.key(name_of(fact)), fact.value, fact.unit);
      continue;
    }
    const std::string name(subject.substr(0, subject.find('[')));
    if (by_subject[name].empty()) names.push_back(name);
    by_subject[name].push_back(&fact);
  }
  for (const std::string& name : names) {
    const std::vector<const Fact*>& facts = by_subject[name];
    const bool is_list = text(facts[0]->subject).size() > name.size();
    json.key(name);
    if (is_list) json.begin_array();
    for (std::size_t i = 0; i < facts.size();) {
      const StringId subject = facts[i]->subject;
      json.begin_object();
      for (; i < facts.size() && facts[i]->subject == subject; ++i)
        values.put(json.key(name_of(*facts[i])), facts[i]->value, facts[i]->unit);
      json.end_object();
    }
    if (is_list) json.end_array();
  }
}

}  // namespace

std::string trace_members(const Capture& capture, const TraceRoots& roots, ValueWriter& values) {
  const auto text = [&](StringId id) { return capture.strings.get(id); };
  const std::vector<Root>& all = roots.all();
  std::string members;
  JsonWriter json(members);
  json.begin_object();
  if (all.size() == 1) {
    put_facts(json, capture, all[0], values);
  } else {
    const auto base = std::ranges::find_if(capture.facts, [&](const Fact& fact) {
      return fact.track == all[0].track && text(fact.name) == "baseTimeNanoseconds";
    });
    if (base != capture.facts.end()) values.put(json.key("baseTimeNanoseconds"), base->value, base->unit);
    json.key(trace::kCombined).begin_array();
    for (const Root& root : all) {
      json.begin_object()
          .key("name")
          .text(text(capture.profile.tracks[root.track].name))
          .key("prefix")
          .text(root.prefix);
      put_facts(json.key("facts").begin_object(), capture, root, values);
      json.end_object().end_object();
    }
    json.end_array();
  }
  json.end_object();
  return members.substr(1, members.size() - 2);
}

}  // namespace vizd::chrome_trace

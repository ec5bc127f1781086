// Reads one section's contexts, links, passes, matches and programs. Records may stand in any order, as several threads
// wrote them: those of one context or pass are brought together, in the order in which they stand. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/native/columns.h"
#include "formats/native/facts_reader.h"
#include "formats/native/tables.h"
#include "model/capture.h"

namespace vizd::native {

class RewritesReader {
 public:
  // The facts' stacks are there.
  RewritesReader(Capture& capture, Tables& tables, const FactsReader& facts)
      : capture_(capture), tables_(tables), facts_(facts) {}

  void add_contexts(const Columns& columns, std::uint64_t first);
  void add_links(const Columns& columns);
  void add_programs(const Columns& columns);
  void add_passes(const Columns& columns, std::uint64_t first);
  void add_matches(const Columns& columns);
  // After the tables were finished: puts all of it into the capture.
  void finish();
  // Where the section's contexts begin among the capture's.
  std::size_t first_context() const { return first_context_; }
  // None where there is no such context. number: one more than the context's, 0 for none.
  ContextId context(std::uint64_t number) const;
  bool is_empty() const { return names_.empty(); }

 private:
  struct PassRecord {
    std::uint64_t context;
    std::uint32_t name, location, depth, flags;
    std::uint64_t graph;
  };
  struct MatchRecord {
    std::uint64_t pass, before, after;
    std::uint32_t rule;
    double seconds;
  };
  struct LinkRecord {
    std::uint64_t context, op;
    std::uint32_t name;
  };
  struct ProgramRecord {
    std::uint64_t context;
    std::uint32_t name, source, device, origin, binary, flags;
  };

  void add_pass(const PassRecord& record, std::span<const MatchRecord> matches);
  void link_all();

  Capture& capture_;
  Tables& tables_;
  const FactsReader& facts_;
  const std::size_t first_context_ = capture_.rewrites.contexts.size();
  std::vector<StringId> names_;  // of the contexts
  std::vector<StackId> stacks_;  // likewise
  std::vector<PassRecord> passes_;
  std::vector<bool> is_lost_pass_;
  std::vector<MatchRecord> matches_;
  std::vector<LinkRecord> links_;
  std::vector<ProgramRecord> programs_;
};

}  // namespace vizd::native

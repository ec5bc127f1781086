// Who holds memory, what leaks and what changed, as records: of captures whose allocators told of themselves, for the
// commands about memory. Each hands its records to take. One thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/allocator/memory_part.h"
#include "cli/command_line/row_ids.h"
#include "formats/torch_memory/answers/record.h"
#include "model/capture.h"

namespace vizd {

// By each of these kinds (analysis/allocator/owners.h), what is allocated at the peak of allocated.
// With --links each record tells the id of its memory, and the link to it.
void tell_owners(const Capture& capture, std::span<const std::string> kinds, const RowIds& ids,
                 const torch_memory::TakeRecord& take);
// Allocations that a step made and the step after it left, by the user's line. Steps end where ranges whose names begin
// so end.
void tell_leaks(const Capture& capture, std::string_view name_begins, const RowIds& ids,
                const torch_memory::TakeRecord& take);
// Which parts of two captures are compared; one capture may be both.
struct ComparedParts {
  const Capture& before;
  const Capture& after;
  MemoryChoice before_part = {}, after_part = {};
};
// The peak of allocated bytes of each device of either, as far as it is compared.
struct ComparedPeak {
  std::int64_t device = 0;  // as the one after has it
  std::int64_t before_bytes = 0, after_bytes = 0;
};
// What is allocated at the end and at the peak of each, by the user's line, and what became of it. Errors: there is no
// such part.
Result<std::vector<ComparedPeak>> tell_comparison(const ComparedParts& parts, const RowIds& ids_of_after,
                                                  const torch_memory::TakeRecord& take);

void add_row_id(torch_memory::Record& record, const RowId& id);

}  // namespace vizd

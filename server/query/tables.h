// The tables that a query can select from, made anew for each. One thread.
#pragma once

#include <memory>
#include <vector>

#include "query/args_table.h"
#include "query/catalog.h"
#include "query/row_table.h"
#include "query/slice_table.h"

namespace vizd::sql {

struct Tables {
  // The catalog outlives them.
  explicit Tables(Catalog& catalog);

  SliceTable* slices = nullptr;
  ArgsTable* args = nullptr;
  std::vector<std::unique_ptr<Table>> all;  // those two among them
};

// The id of a capture's thing by its place there, and that id as a cell; kNoId: null.
std::int64_t global_id(const Numbering& numbering, std::size_t source, std::uint64_t place);
void write_id(const Numbering& numbering, std::size_t source, std::uint32_t place, Cell& cell);
RowColumn capture_id_column();

using TableList = std::vector<std::unique_ptr<Table>>;

// Each file of *_tables.cpp adds some.
void add_track_tables(TableList& tables, Catalog& catalog);       // capture, track, thread, process, run, fact
void add_profile_tables(TableList& tables, Catalog& catalog);     // counter, flow
void add_allocation_tables(TableList& tables, Catalog& catalog);  // allocation, live_at_peak
void add_allocator_tables(TableList& tables, Catalog& catalog);   // stack, segment, memory_event, oom
void add_rewrite_tables(TableList& tables, Catalog& catalog);     // context, pass, match, rule, program
void add_node_table(TableList& tables, Catalog& catalog);         // node
void add_kernel_table(TableList& tables, Catalog& catalog);       // kernel
void add_answer_tables(TableList& tables, Catalog& catalog);      // breakdown, call_tree, collective, …, comparison
void add_recorded_tables(TableList& tables, Catalog& catalog);    // wave, instruction, hardware_counter, pc_sample
void add_replay_tables(TableList& tables, Catalog& catalog);      // step, replay, graph_node

}  // namespace vizd::sql

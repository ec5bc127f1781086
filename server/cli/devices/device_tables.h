// Prints what `vizd kernels` and `vizd breakdown` say beside their tables: the call tree, collectives, frequent
// sequences of kernels, the critical path; as tables for people, as JSON, one object a line, or as tables for other
// programs. One thread.
#pragma once

#include <span>

#include "cli/command_line/records.h"
#include "cli/devices/device_inputs.h"

namespace vizd {

// Prints the tree of the work in the scope. depth: of the tree, 0: all. most: rows, 0: all.
void print_call_tree(const DeviceInput& input, const WorkScope& scope, std::size_t depth, bool json);
// Prints the collectives of all inputs together: they are ranks of one job.
void print_collectives(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most, bool json);
// Each by itself.
void print_collective_instances(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most,
                                bool json);
void print_kernel_sequences(const DeviceInput& input, const WorkScope& scope, std::size_t most, bool json);
// False where there was no work in a scope that is not all.
bool print_critical_path(const DeviceInput& input, const WorkScope& scope, std::size_t most, bool json);

// All inputs in one exact table; fields that the JSON has as null are empty.
Records call_tree_table(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t depth);
Records collectives_table(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most);
Records collective_instances_table(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most);
Records kernel_sequences_table(std::span<const DeviceInput> inputs, const WorkScope& scope, std::size_t most);

}  // namespace vizd

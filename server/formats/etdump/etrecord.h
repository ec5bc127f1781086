// EtRecord: what ExecuTorch's export leaves beside a program, so that a runtime's events can be tied to the model: for
// each method the graph before lowering, which instruction is which of its nodes, what delegates took, and reference
// values. A zip, read whole and with limits; nothing of it is run, and PyTorch is not needed. Read are the layouts of
// 0.7 (one edge program, other graphs by name), 1.0 (with the ATen program) and later ones (programs by method).
// Plain data once read, by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/etdump/exported_program.h"
#include "formats/etdump/tensor_values.h"

namespace vizd::etdump {

// A part of the program that an instruction handed to a delegate.
struct DelegateCall {
  std::string backend;  // "XnnpackBackend"
  // The delegate's own ids (numbers as text) in the file's order, each with the handles of the nodes it stands for.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> handles_by_id;
};

struct Method {
  std::string name;  // "forward"
  std::optional<ExportedProgram> edge;
  std::optional<ExportedProgram> aten;  // "exported_program"; the ATen graph that 0.7 keeps under a name of its own
  std::string aten_name;                // that name, or "exported_program"
  std::map<std::string, ExportedProgram> other;  // other graphs by their module's name
  // By instruction id. Handles as the file lists them, one of them twice perhaps.
  std::map<std::int64_t, std::vector<std::int64_t>> debug_handles;
  std::map<std::int64_t, DelegateCall> delegates;
  std::map<std::int64_t, std::int64_t> output_counts;
  std::vector<std::vector<Value>> reference_outputs;  // by bundled input
  std::string reference;  // the graph whose values a reference has, by its name; "": the one that suits best
};

// A graph of a method by its name in the record.
struct NamedGraph {
  std::string name;
  const ExportedProgram* program = nullptr;  // null: there is none of that name
};

struct EtRecord {
  std::vector<Method> methods;        // forward first, then by name
  bool has_exported_program = false;  // the rules of 1.x hold, else those of 0.7
  std::optional<std::int64_t> export_graph_id;
  std::vector<Value> representative_inputs;       // of the first test case
  std::map<std::string, std::uint64_t> left_out;  // members that could not be read, by reason

  // The method of that name; null where there is none.
  const Method* method(std::string_view name) const;
};

// The graph of that name, or of one that people say: aten, edge.
NamedGraph find_graph(const Method& method, std::string_view name);
// "exported_program, edge_dialect_exported_program", or "none".
std::string names_of_graphs(const Method& method);

// The graph whose values a reference has, where none was chosen: the ATen program where every node of the edge program
// is made from one of it, else the edge program. Without a program: the method has neither.
NamedGraph reference_graph(const Method& method);
// Chooses it for the methods that have such a graph. Errors: the method of that name ("": none at all) has not, or no
// node of it has a debug handle.
Result<void> choose_reference(EtRecord& record, std::string_view graph, std::string_view method);

// Whether bytes begin like a zip.
bool looks_like_zip(std::span<const std::byte> beginning);

// Reads the record of a file's bytes, which must outlive it: tensors point into them where they lie there unpacked.
// name stands in errors. Errors: no zip or a damaged one, no ETRecord, one that passes the limits of zip_archive.h; a
// member that cannot be read is left out and counted, so that one broken graph does not take the rest down.
Result<EtRecord> read_etrecord(std::span<const std::byte> bytes, const std::string& name);

}  // namespace vizd::etdump

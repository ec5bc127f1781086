#include "reference/inspector/inspection.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "reference/inspector/inspector_blocks.h"

namespace vizd::inspector {
namespace {

// How far a block's outputs are from those of a test case: the sum of squares; none where they are not of one shape.
std::optional<double> distance(const std::vector<Value>& outputs, const std::vector<Value>& reference) {
  if (outputs.size() != reference.size()) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor* a = outputs[i].tensor();
    const Tensor* b = reference[i].tensor();
    if (a == nullptr || b == nullptr || a->no_data || b->no_data || a->element_count() != b->element_count())
      return std::nullopt;
    const std::vector<double> x = elements(*a), y = elements(*b);
    for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
  }
  return sum;
}

// The outputs that the block was to have: of its test case, or where it names none of the one that it is nearest to.
const std::vector<Value>* reference_of(const Block& block) {
  if (block.method == nullptr) return nullptr;
  const auto& cases = block.method->reference_outputs;
  if (block.bundled_input >= 0) {
    const auto place = static_cast<std::size_t>(block.bundled_input);
    return place < cases.size() ? &cases[place] : nullptr;
  }
  const std::vector<Value>* nearest = nullptr;
  double least = 0;
  for (const std::vector<Value>& outputs : cases) {
    const auto found = distance(block.outputs, outputs);
    if (!found || (nearest != nullptr && !(*found < least))) continue;
    nearest = &outputs;
    least = *found;
  }
  return nearest;
}

}  // namespace

Result<References> read_references(const Settings& settings, const ReferenceDump* dump,
                                   std::vector<std::string>& warnings) {
  References references{.tensors = {}, .dump = dump};
  if (settings.reference_tensors.empty()) return references;
  auto tensors = read_reference_tensors(settings.reference_tensors, warnings);
  if (!tensors) return tensors.error();
  references.tensors = *std::move(tensors);
  return references;
}

Result<Inspection> inspect(const Sources& sources, const Settings& settings, const ReferenceDump* reference) {
  auto blocks = settings.is_reference ? inspector_blocks(sources, settings) : read_blocks(sources, settings);
  if (!blocks) return blocks.error();
  Inspection inspection;
  static_cast<DumpBlocks&>(inspection) = *std::move(blocks);
  if (!settings.is_reference) {
    for (Block& block : inspection.blocks) block.reference_outputs = reference_of(block);
  }
  auto references = read_references(settings, reference, inspection.warnings);
  if (!references) return references.error();
  inspection.references = *std::move(references);
  return inspection;
}

}  // namespace vizd::inspector

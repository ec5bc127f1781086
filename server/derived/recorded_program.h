// RecordedProgram: what GPUs' own recorders left of one program of a capture, which is known by its binary and name:
// its runs, their thread traces, counters and samples. Views into the capture, which must outlive it. Any thread.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "disasm/amd/code_listing.h"
#include "hardware/records.h"
#include "hardware/thread_trace/heat.h"
#include "model/capture.h"

namespace vizd {

class RecordedProgram {
 public:
  RecordedProgram(const Capture& capture, const Program& program);

  const hardware::Records& records() const { return records_; }
  // The family of an AMD GPU; nothing for a program that no recorder covers.
  std::optional<amd::Family> family() const;
  // The same, and where no recorder tells of it, as its compiler says.
  std::optional<amd::Family> code_family() const;
  // Errors: its binary holds no code of AMD's.
  Result<amd::CodeListing> listing() const;

  // In the order in which they were recorded.
  std::vector<hardware::RunKey> runs() const;
  // Returns the traces of a run that have instructions.
  std::vector<const hardware::ThreadTrace*> traces_of(const hardware::RunKey& run) const;
  std::vector<const hardware::PcSampling*> samplings() const;
  // Where the cycles of its waves went, of all runs or of one, of all waves or of one: places in runs() and in
  // Heat::waves. traces: those that Heat::waves count.
  thread_trace::Heat heat(const amd::CodeListing& listing, std::optional<std::uint32_t> run,
                          std::optional<std::uint32_t> wave, std::vector<const hardware::ThreadTrace*>& traces) const;

  // What samples' addresses are more than those of its listing; nothing where the capture does not say where it was
  // loaded.
  std::optional<std::uint64_t> base() const;

 private:
  bool is_it(const hardware::Program& program) const;

  std::string_view binary_, name_, target_;
  bool is_named_ = false;  // a record has its name too: others of the same binary are others
  hardware::Records records_;
};

}  // namespace vizd

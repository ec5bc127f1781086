#include "disasm/machine_analysis.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "base/parse_json.h"

namespace vizd {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 18> kX86Cpus{
    "native",         "alderlake", "broadwell",   "btver2",         "cascadelake", "haswell",
    "icelake-server", "ivybridge", "sandybridge", "sapphirerapids", "silvermont",  "skylake",
    "skylake-avx512", "x86-64",    "znver1",      "znver2",         "znver3",      "znver4"};
constexpr std::array<std::string_view, 13> kAarch64Cpus{
    "native",     "a64fx",      "apple-a14", "apple-m1",    "cortex-a510", "cortex-a55",  "cortex-a57",
    "cortex-a72", "cortex-a76", "exynos-m5", "neoverse-n1", "neoverse-v1", "thunderx2t99"};

// The processors whose models have the widest instructions, nearest kin first.
constexpr std::array<std::string_view, 3> kWideX86Cpus{"znver4", "icelake-server", "sapphirerapids"};
constexpr std::array<std::string_view, 1> kWideAarch64Cpus{"a64fx"};

std::string_view triple_of(Architecture architecture) {
  return architecture == Architecture::kX86_64 ? "x86_64-none-unknown-elf" : "aarch64-none-unknown-elf";
}

// Which lines of the text llvm-mca could not read, by its messages "<stdin>:LINE:COLUMN: error: …".
std::vector<std::size_t> refused_lines(std::string_view errors) {
  constexpr std::string_view kPlace = "<stdin>:";
  std::vector<std::size_t> lines;
  for (auto at = errors.find(kPlace); at != std::string_view::npos; at = errors.find(kPlace, at + 1)) {
    const std::string_view message = errors.substr(at, errors.substr(at).find('\n'));
    std::size_t line = 0;
    std::from_chars(message.data() + kPlace.size(), message.data() + message.size(), line);
    if (message.find(": error:") != std::string_view::npos && line > 0) lines.push_back(line);
  }
  return lines;
}

// A run of llvm-mca on those of the instructions that it can read.
struct McaRun {
  std::string text;                     // what it was given
  std::vector<std::uint32_t> accepted;  // instructions, in order
  std::vector<std::uint32_t> refused;
  std::string output;
  std::string cpu;     // as it was named to llvm-mca
  std::string lacked;  // an instruction that the model of "native" lacks, where another stands in for it
};

// The instruction that a processor's model lacks, on which llvm-mca gives up; "" where it did not.
std::string lacked_instruction(std::string_view errors) {
  constexpr std::string_view kNote = "note: instruction:";
  if (errors.find("found an unsupported instruction") == std::string_view::npos) return "";
  const auto at = errors.find(kNote);
  if (at == std::string_view::npos) return "an instruction";
  std::string text(errors.substr(at + kNote.size(), errors.substr(at + kNote.size()).find('\n')));
  std::replace(text.begin(), text.end(), '\t', ' ');
  const auto start = text.find_first_not_of(' ');
  return start == std::string::npos ? "an instruction" : text.substr(start);
}

std::string text_of(Architecture architecture, std::span<const Instruction> all,
                    std::span<const std::uint32_t> chosen) {
  std::vector<Instruction> instructions;
  for (const std::uint32_t i : chosen) instructions.push_back(all[i]);
  return assembly_text(architecture, instructions);
}

Result<ChildRun> run_mca(const Toolchain& tools, Architecture architecture, std::string_view cpu,
                         std::vector<std::string> views, std::string_view text) {
  std::vector<std::string> argv{tools.path(Tool::kLlvmMca), fmt::format("-mtriple={}", triple_of(architecture)),
                                fmt::format("-mcpu={}", cpu)};
  argv.insert(argv.end(), views.begin(), views.end());
  argv.emplace_back("-");
  auto run = tools.children().run(argv, text, {});
  if (!run) return run;
  if (run->timed_out || run->too_much_output)
    return Error{ErrorKind::kTooLarge, "llvm-mca took too long and was stopped; choose a part of the program", ""};
  if (run->errors.find("is not a recognized processor") != std::string::npos)
    return Error{ErrorKind::kNotFound, fmt::format("the llvm-mca installed does not know the processor {}", cpu), ""};
  return run;
}

// Newer ones stop at a line that they cannot read, older ones leave it out: either way those lines are known after.
Result<McaRun> run_on_readable(const Toolchain& tools, Architecture architecture, std::span<const Instruction> all,
                               std::string_view cpu) {
  constexpr int kTries = 3;
  const std::size_t first_line = architecture == Architecture::kX86_64 ? 2 : 1;
  McaRun result;
  result.cpu = cpu;
  // Bytes that are no instruction would be data to llvm-mca, which counts instructions only.
  for (std::uint32_t i = 0; i < all.size(); ++i)
    (all[i].mnemonic.starts_with('.') ? result.refused : result.accepted).push_back(i);
  for (int i = 0; i < kTries && !result.accepted.empty(); ++i) {
    const auto run = run_mca(tools, architecture, cpu, {"--json"}, text_of(architecture, all, result.accepted));
    if (!run) return run.error();
    std::vector<std::size_t> lines = refused_lines(run->errors);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      const std::size_t place = *line - first_line;
      if (*line < first_line || place >= result.accepted.size()) continue;
      result.refused.push_back(result.accepted[place]);
      result.accepted.erase(result.accepted.begin() + static_cast<std::ptrdiff_t>(place));
    }
    if (run->exit_code == 0) {
      result.output = run->output;
      result.text = text_of(architecture, all, result.accepted);
      return result;
    }
    result.lacked = lacked_instruction(run->errors);
    if (!result.lacked.empty()) return result;
  }
  return Error{ErrorKind::kBadInput, "llvm-mca can read none of these instructions", ""};
}

// Compilers ask the machine what it can do, llvm-mca only what it is called, and takes what is newer than itself for an
// older kin: LLVM 14 takes Zen 4 for Zen 3, whose model lacks AVX-512. Another model stands in for such a machine's.
Result<McaRun> run_on_model(const Toolchain& tools, Architecture architecture, std::span<const Instruction> all,
                            std::string_view cpu) {
  auto run = run_on_readable(tools, architecture, all, cpu);
  if (!run || run->lacked.empty()) return run;
  const std::string lacked = run->lacked;
  std::span<const std::string_view> others;
  if (cpu == "native" && architecture == Architecture::kX86_64) others = kWideX86Cpus;
  if (cpu == "native" && architecture == Architecture::kAarch64) others = kWideAarch64Cpus;
  for (const std::string_view other : others) {
    run = run_on_readable(tools, architecture, all, other);
    if (!run || !run->lacked.empty()) continue;
    run->lacked = lacked;
    return run;
  }
  return Error{ErrorKind::kBadInput,
               fmt::format("llvm-mca's model of the processor {} lacks {}; choose another processor", cpu, lacked), ""};
}

std::vector<ResourceUse> take_uses(std::map<std::uint64_t, std::map<std::uint32_t, double>>& uses, std::uint64_t row) {
  std::vector<ResourceUse> result;
  for (const auto& [resource, cycles] : uses[row]) result.push_back({resource, cycles});
  return result;
}

// LLVM 14 numbers the units of a group by control characters: "Zn3Load.\1" is the second.
std::string printable(const std::string& name) {
  std::string text;
  for (const char c : name) text += c >= 0 && c < 10 ? static_cast<char>('0' + c) : c;
  return text;
}

MachineAnalysis read_analysis(const Json& data, const McaRun& run) {
  MachineAnalysis result;
  const Json& region = data.at("CodeRegions").at(0);
  result.cpu = data.at("TargetInfo").at("CPUName").get<std::string>();
  for (const Json& name : data.at("TargetInfo").at("Resources")) result.resources.push_back(printable(name));
  std::map<std::uint64_t, std::map<std::uint32_t, double>> uses;
  for (const Json& use : region.at("ResourcePressureView").at("ResourcePressureInfo"))
    uses[use.at("InstructionIndex")][use.at("ResourceIndex")] += use.at("ResourceUsage").get<double>();
  for (const Json& info : region.at("InstructionInfoView").at("InstructionList")) {
    const std::size_t row = info.at("Instruction");
    if (row >= run.accepted.size()) continue;
    result.costs.push_back({run.accepted[row], info.at("Latency"), info.at("RThroughput"), info.at("NumMicroOpcodes"),
                            take_uses(uses, row)});
  }
  result.pressure = take_uses(uses, region.at("Instructions").size());
  const Json& summary = region.at("SummaryView");
  result.rounds = summary.at("Iterations");
  result.cycles = summary.at("TotalCycles");
  result.instructions = summary.at("Instructions");
  result.micro_ops = summary.at("TotaluOps");
  result.dispatch_width = summary.at("DispatchWidth");
  result.instructions_per_cycle = summary.at("IPC");
  result.block_throughput = summary.at("BlockRThroughput");
  result.lacked = run.lacked;
  result.unknown = run.refused;
  std::sort(result.unknown.begin(), result.unknown.end());
  return result;
}

// From "Cycles with backend pressure" or "No resource …" on, without the tables around it.
std::string bottleneck_report(std::string_view text) {
  auto from = text.find("Cycles with backend pressure");
  if (from == std::string_view::npos) from = text.find("No resource or data dependency");
  if (from == std::string_view::npos) return "";
  text.remove_prefix(from);
  text = text.substr(0, text.find("\n\n\n"));
  return std::string(text.substr(0, text.find_last_not_of('\n') + 1));
}

Error not_understood(const std::exception& e) {
  return {ErrorKind::kInternal, fmt::format("llvm-mca's answer is not understood: {}", e.what()), ""};
}

Error not_installed() {
  return {ErrorKind::kNotFound, "llvm-mca is not installed; Debian's package llvm brings it", ""};
}

}  // namespace

std::span<const std::string_view> analysis_cpus(Architecture architecture) {
  if (architecture == Architecture::kX86_64) return kX86Cpus;
  if (architecture == Architecture::kAarch64) return kAarch64Cpus;
  return {};
}

std::string assembly_text(Architecture architecture, std::span<const Instruction> instructions) {
  std::string text = architecture == Architecture::kX86_64 ? ".intel_syntax noprefix\n" : "";
  for (const Instruction& i : instructions) {
    // Where a jump leads is of no matter, but it must be a name.
    const auto place = i.target ? i.operands.find_last_of(", #") : std::string::npos;
    const std::string kept =
        place == std::string::npos ? "" : i.operands.substr(0, i.operands.find_last_not_of('#', place) + 1);
    text += fmt::format("{}\t{}\n", i.mnemonic, i.target ? kept + ".Lvizd" : i.operands);
  }
  return text;
}

Result<MachineAnalysis> analyse_machine_code(const Toolchain& tools, Architecture architecture,
                                             std::span<const Instruction> instructions, std::string_view cpu) {
  const auto cpus = analysis_cpus(architecture);
  if (cpus.empty()) return Error{ErrorKind::kBadInput, fmt::format("no analysis for {}", name_of(architecture)), ""};
  if (std::find(cpus.begin(), cpus.end(), cpu) == cpus.end())
    return Error{ErrorKind::kBadInput, "no such processor; /api/v1/program/CONTEXT/code lists them",
                 std::string(cpu.substr(0, 40))};
  if (!tools.has(Tool::kLlvmMca)) return not_installed();
  if (instructions.size() > kMostAnalysed)
    return Error{ErrorKind::kTooLarge,
                 fmt::format("{} instructions are too many to analyse at once; choose a loop", instructions.size()),
                 ""};
  const auto run = run_on_model(tools, architecture, instructions, cpu);
  if (!run) return run.error();
  try {
    MachineAnalysis result = read_analysis(parse_json(run->output), *run);
    const auto report = run_mca(tools, architecture, run->cpu,
                                {"-bottleneck-analysis", "-instruction-info=0", "-resource-pressure=0"}, run->text);
    if (report && report->succeeded()) result.bottlenecks = bottleneck_report(report->output);
    return result;
  } catch (const Json::exception& e) {
    return not_understood(e);
  }
}

Result<std::string> reference_table(std::string_view mca_json) {
  try {
    const Json data = parse_json(mca_json);
    const Json& region = data.at("CodeRegions").at(0);
    const Json& labels = data.at("TargetInfo").at("Resources");
    Json rows = Json::array();
    for (const Json& instruction : region.at("Instructions")) rows.push_back(Json::array({instruction}));
    for (const Json& info : region.at("InstructionInfoView").at("InstructionList"))
      rows.at(info.at("Instruction").get<std::size_t>()).push_back(info.at("Latency"));
    // By instruction, in order of mention; the number after the last is the sum over all.
    std::map<std::size_t, std::vector<std::pair<std::size_t, double>>> usage;
    for (const Json& use : region.at("ResourcePressureView").at("ResourcePressureInfo")) {
      auto& uses = usage[use.at("InstructionIndex")];
      const std::size_t resource = use.at("ResourceIndex");
      auto found = std::find_if(uses.begin(), uses.end(), [&](const auto& u) { return u.first == resource; });
      if (found == uses.end()) found = uses.insert(uses.end(), {resource, 0});
      found->second += use.at("ResourceUsage").get<double>();
    }
    Json summary = Json::array();
    for (const auto& [resource, value] : usage[rows.size()])
      summary.push_back({{"idx", resource}, {"label", labels.at(resource)}, {"value", value}});
    usage.erase(rows.size());
    double most = 0;
    for (const auto& [row, uses] : usage) {
      double sum = 0;
      for (const auto& use : uses) sum += use.second;
      most = std::max(most, sum);
    }
    for (const auto& [row, uses] : usage) {
      Json cell = Json::array();
      for (const auto& [resource, value] : uses)
        cell.push_back(Json::array({resource, value, most > 0 ? value / most * 100 : 0}));
      rows.at(row).push_back(std::move(cell));
    }
    const Json table{{"rows", rows},
                     {"cols", {"Opcode", "Latency", {{"title", "HW Resources"}, {"labels", labels}}}},
                     {"summary", summary}};
    return table.dump(-1, ' ', false, Json::error_handler_t::replace);
  } catch (const Json::exception& e) {
    return not_understood(e);
  }
}

Result<std::string> reference_analysis(const Toolchain& tools, Architecture architecture,
                                       std::span<const Instruction> instructions) {
  if (!tools.has(Tool::kLlvmMca)) return not_installed();
  const auto run = run_on_model(tools, architecture, instructions, "native");
  if (!run) return run.error();
  return reference_table(run->output);
}

}  // namespace vizd

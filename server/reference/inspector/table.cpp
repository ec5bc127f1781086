#include "reference/inspector/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <variant>

namespace vizd::inspector {
namespace {

// A text as Python prints it in a list.
std::string python_text(std::string_view text) {
  const char quote = text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (code < 0x20 || code == 0x7F) {
      out += fmt::format("\\x{:02x}", code);
    } else {
      out += c;
    }
  }
  return out + quote;
}

template <typename Items, typename Print>
std::string python_list(const Items& items, Print&& print) {
  std::string out = "[";
  for (const auto& item : items) out += (out.size() > 1 ? ", " : "") + print(item);
  return out + "]";
}

// Shows only the ends of five op types and more.
std::string op_types_cell(const std::vector<std::string>& ops) {
  constexpr std::size_t kMany = 5;
  if (ops.size() < kMany) return python_list(ops, python_text);
  return fmt::format("[{}, {} ... {}] ({} total)", python_text(ops[0]), python_text(ops[1]), python_text(ops.back()),
                     ops.size());
}

std::string cell(std::string text, char separator) {
  if (text.find_first_of("\"\r\n") == text.npos && text.find(separator) == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string number_cell(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == text.npos ? text + ".0" : text;
}

std::string_view cell_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// As Python prints a value that a parser has made.
std::string python_value(const MetadataValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) return number_cell(*real);
  return python_text(std::get<std::string>(value));
}

class TableWriter {
 public:
  TableWriter(const Inspection& inspection, char separator, const WriteText& write)
      : inspection_(inspection), separator_(separator), write_(write) {
    if (!inspection.settings.is_reference) find_metadata_columns();
  }

  void write() {
    std::vector<std::string> head{"", "event_block_name", "event_name"};
    for (const char* name : {"p10", "p50", "p90", "avg", "min", "max"})
      head.push_back(fmt::format("{} ({})", name, scale_name(inspection_.settings.target)));
    for (const char* name : {"op_types", "is_delegated_op", "delegate_backend_name", "start_time"})
      head.push_back(name);
    std::ranges::copy(metadata_columns_, std::back_inserter(head));
    write_row(std::move(head));
    std::size_t row = 0;
    for (const Block& block : inspection_.blocks) {
      for (const BlockEvent& event : block.events) {
        if (event.name.find("OPERATOR_CALL") == std::string::npos) write_event(row++, block, event);
      }
    }
  }

 private:
  void find_metadata_columns() {
    const auto add = [&](const std::string& name) {
      if (std::ranges::find(metadata_columns_, name) == metadata_columns_.end()) metadata_columns_.push_back(name);
    };
    for (const Block& block : inspection_.blocks) {
      for (const BlockEvent& event : block.events) {
        if (event.metadata.empty()) continue;
        if (!inspection_.settings.metadata.are_given()) add("delegate_debug_metadata");
        for (const auto& [name, values] : inspection_.settings.metadata.columns(event)) add(name);
      }
    }
  }

  void write_event(std::size_t row, const Block& block, const BlockEvent& event) {
    std::vector<std::string> cells{std::to_string(row), block.name, event.name};
    const Statistics s = event.statistics.value_or(Statistics{});
    for (const double value : {s.p10, s.p50, s.p90, s.average, s.least, s.greatest})
      cells.push_back(event.statistics ? number_cell(value) : "");
    cells.push_back(op_types_cell(event.op_types));
    cells.push_back(event.is_delegated ? "True" : "False");
    cells.push_back(event.backend.value_or(""));
    const auto start_of = [&](std::size_t iteration) { return std::to_string(event.start(iteration)); };
    const auto iterations = std::views::iota(std::size_t{0}, event.iterations());
    cells.push_back(event.is_timed ? python_list(iterations, start_of) : "");
    if (inspection_.settings.metadata.are_given()) {
      auto fields = inspection_.settings.metadata.columns(event);
      for (const std::string& column : metadata_columns_) {
        auto& values = fields[column];
        std::erase(values, std::nullopt);
        cells.push_back(values.empty() ? ""
                                       : python_list(values, [](const auto& told) { return python_value(*told); }));
      }
    } else if (!metadata_columns_.empty()) {
      const auto print = [](auto bytes) { return python_text(cell_text(bytes)); };
      cells.push_back(event.metadata.empty() ? "" : python_list(event.metadata, print));
    }
    write_row(std::move(cells));
  }

  void write_row(std::vector<std::string> cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) line += separator_;
      line += cell(std::move(cells[i]), separator_);
    }
    write_(line += '\n');
  }

  const Inspection& inspection_;
  const char separator_;
  const WriteText& write_;
  std::vector<std::string> metadata_columns_;
};

}  // namespace

void write_table(const Inspection& inspection, char separator, const WriteText& write) {
  TableWriter(inspection, separator, write).write();
}

}  // namespace vizd::inspector

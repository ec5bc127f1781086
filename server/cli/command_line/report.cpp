#include "cli/command_line/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clean_text.h"

namespace vizd {
namespace {

using Kind = Report::Kind;

// Names of kernels may have thousands of characters: narrow enough for a pull request, and for a page.
constexpr std::size_t kMostName_bytes = 90, kMostNameOfPage_bytes = 170;

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --text: #1f2328; --dim: #59636e; --line: #d1d9e0; --back: #ffffff; --panel: #f6f8fa;
  --good: #1a7f37; --bad: #cf222e; --c0: #1a7f37; --c1: #8250df; --c2: #0969da; --c3: #cf222e; --c4: #bf8700; --c5: #afb8c1;
  --c6: #d8dee4; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --dim: #9198a1; --line: #3d444d; --back: #0d1117;
  --panel: #151b23; --good: #3fb950; --bad: #f85149; --c0: #3fb950; --c1: #ab7df8; --c2: #4493f8; --c3: #f85149;
  --c4: #d29922; --c5: #656c76; --c6: #3d444d; } }
body { margin: 0 auto; max-width: 1100px; padding: 28px 24px 48px; background: var(--back); color: var(--text);
  font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 22px; margin: 0 0 10px; overflow-wrap: anywhere; }
h2, summary { font-size: 15px; font-weight: 600; margin: 26px 0 8px; }
summary { cursor: pointer; }
p { margin: 4px 0; }
.lead { font-size: 16px; }
.good { color: var(--good); } .bad { color: var(--bad); }
.dim, footer { color: var(--dim); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 10px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; vertical-align: top; }
th { color: var(--dim); font-weight: 500; background: var(--panel); }
.name { text-align: left; white-space: normal; overflow-wrap: anywhere; width: 60%; }
td.code { font: 12.5px/1.6 ui-monospace, monospace; }
.bars { display: grid; grid-template-columns: max-content 1fr; gap: 6px 12px; align-items: center; margin: 18px 0 6px; }
.bar { display: flex; height: 18px; border-radius: 3px; overflow: hidden; }
.bar i { display: block; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 18px; color: var(--dim); font-size: 12.5px; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; }
footer { margin-top: 36px; padding-top: 10px; border-top: 1px solid var(--line); font-size: 12.5px; }
)";

// Escapes the characters that Markdown would take for its own.
std::string markdown_text(std::string_view text) {
  std::string escaped;
  for (const char c : one_line(text, false)) {
    if (std::string_view("\\`*_{}[]<>|#~&@").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// As code: a longer run of backticks around it than any in it, and a bar that does not end the cell.
std::string markdown_code(std::string_view text) {
  const std::string name = short_line(text, kMostName_bytes);
  std::size_t run = 0, longest = 0;
  std::string escaped;
  for (const char c : name) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    escaped += c == '|' ? "\\|" : std::string(1, c);
  }
  if (escaped.empty()) return "";
  const std::string ticks(longest + 1, '`');
  return longest == 0 ? ticks + escaped + ticks : ticks + " " + escaped + " " + ticks;
}

std::string_view tone_class(Report::Tone tone) {
  return tone == Report::Tone::kGood ? " class=\"good\"" : tone == Report::Tone::kBad ? " class=\"bad\"" : "";
}

std::string html_field(const Report::Field& field, Kind kind) {
  if (kind == Kind::kFigure) return fmt::format("<td{}>{}</td>", tone_class(field.tone), markup_text(field.text));
  const std::string text = short_line(field.text, kMostNameOfPage_bytes);
  return fmt::format("<td class=\"name{}\" title=\"{}\">{}</td>", kind == Kind::kCode ? " code" : "",
                     markup_text(field.text), markup_text(text));
}

void add_html_table(std::string& out, const Report::Table& table) {
  out += table.is_folded ? fmt::format("<details><summary>{}</summary>", markup_text(table.heading))
                         : fmt::format("<h2>{}</h2>", markup_text(table.heading));
  out += "<div class=\"wide\"><table><thead><tr>";
  for (const Report::Column& column : table.columns)
    out +=
        fmt::format("<th{}>{}</th>", column.kind == Kind::kFigure ? "" : " class=\"name\"", markup_text(column.title));
  out += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) out += html_field(row[c], table.columns[c].kind);
    out += "</tr>\n";
  }
  out += "</tbody></table></div>";
  if (!table.note.empty()) out += fmt::format("<p class=\"dim\">{}</p>", markup_text(table.note));
  out += table.is_folded ? "</details>\n" : "\n";
}

void add_html_bars(std::string& out, const std::vector<Report::Bar>& bars) {
  if (bars.empty()) return;
  out += "<div class=\"bars\">";
  for (const Report::Bar& bar : bars) {
    double length = 0;
    for (const auto& part : bar.parts) length += part.amount;
    out += fmt::format("<span>{}</span><div class=\"bar\" style=\"width:{:.2f}%\">", markup_text(bar.label),
                       bar.whole > 0 ? 100 * length / bar.whole : 0);
    for (const auto& part : bar.parts) {
      if (part.amount > 0)
        out += fmt::format("<i style=\"flex-grow:{};background:var(--c{})\" title=\"{}: {:.1f} %\"></i>", part.amount,
                           part.colour, markup_text(part.title), 100 * part.amount / length);
    }
    out += "</div>";
  }
  out += "</div><div class=\"legend\">";
  for (const auto& part : bars.front().parts)
    out += fmt::format("<span><i style=\"background:var(--c{})\"></i> {}</span>", part.colour, markup_text(part.title));
  out += "</div>\n";
}

void add_markdown_table(std::string& out, const Report::Table& table) {
  out += table.is_folded ? fmt::format("\n<details><summary>{}</summary>\n\n", markup_text(table.heading))
                         : fmt::format("\n### {}\n\n", markdown_text(table.heading));
  for (const Report::Column& column : table.columns) out += fmt::format("| {} ", markdown_text(column.title));
  out += "|\n";
  for (const Report::Column& column : table.columns) out += column.kind == Kind::kFigure ? "|--:" : "|:--";
  out += "|\n";
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool is_bad = row[c].tone == Report::Tone::kBad;
      const std::string text =
          table.columns[c].kind == Kind::kCode ? markdown_code(row[c].text) : markdown_text(row[c].text);
      out += is_bad ? fmt::format("| **{}** ", text) : fmt::format("| {} ", text);
    }
    out += "|\n";
  }
  if (!table.note.empty()) out += "\n" + markdown_text(table.note) + "\n";
  if (table.is_folded) out += "\n</details>\n";
}

}  // namespace

std::string Report::markdown() const {
  std::string out = fmt::format("## {}\n", markdown_text(title));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string text = markdown_text(lines[i].text);
    out += i == 0 ? fmt::format("\n**{}**\n", text) : fmt::format("\n{}\n", text);
  }
  for (const Table& table : tables) add_markdown_table(out, table);
  return out + fmt::format("\n<sub>{}</sub>\n", markup_text(footer));
}

std::string Report::html() const {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>{}</title><style>{}</style></head><body>\n<h1>{}</h1>\n",
      markup_text(title), kStyle, markup_text(title));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view tone = lines[i].tone == Tone::kGood ? " good" : lines[i].tone == Tone::kBad ? " bad" : "";
    out += fmt::format("<p class=\"{}{}\">{}</p>\n", i == 0 ? "lead" : "dim", tone, markup_text(lines[i].text));
  }
  add_html_bars(out, bars);
  for (const Table& table : tables) add_html_table(out, table);
  return out + fmt::format("<footer>{}</footer></body></html>\n", markup_text(footer));
}

}  // namespace vizd

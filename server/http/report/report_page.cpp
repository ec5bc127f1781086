#include "http/report/report_page.h"

#include <fmt/core.h>

#include <initializer_list>

#include "base/json_writer.h"
#include "base/sha256.h"
#include "base/version.h"
#include "http/report/report_contents.h"

namespace vizd {
namespace {

// Runs these scripts and no other, whatever a text of the capture could put into the page.
std::string policy_of(std::initializer_list<std::string_view> scripts) {
  std::string hashes;
  for (const std::string_view script : scripts) {
    const Digest256 digest = sha256(script);
    hashes += " 'sha256-" + base64_text({reinterpret_cast<const char*>(digest.data()), digest.size()}) + "'";
  }
  return fmt::format(
      "default-src 'none'; script-src{}; style-src 'unsafe-inline'; img-src data: blob:; "
      "base-uri 'none'; form-action 'none'",
      hashes);
}

// The page's file of that path; none where it has none.
std::string_view file_of(const Assets& page, const std::string& path) {
  static const Request kAsked{.method = "GET", .path = "", .headers = {}, .query = {}};
  Request request = kAsked;
  request.path = path;
  const auto response = page.answer(request);
  return response && response->body ? response->body->bytes() : std::string_view{};
}

// As it may stand in an element, which a script's own texts must not end.
std::string inlined(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    out += text[at];
    const std::string_view rest = text.substr(at + 1);
    if (text[at] == '<' && (rest.starts_with("/script") || rest.starts_with("/style") || rest.starts_with("!--")))
      out += '\\';
  }
  return out;
}

struct Replacement {
  std::string_view what;
  std::string by;
};

// index.html with the page's other files in it.
Result<std::string> inline_page(const Assets& page) {
  std::string html(file_of(page, "/index.html"));
  const std::string app = inlined(file_of(page, "/app.js")), first = inlined(file_of(page, "/first.js"));
  const Replacement replacements[] = {
      {"<html lang=\"en\">", "<html lang=\"en\" data-report>"},
      {"<meta charset=\"utf-8\" />",
       fmt::format("<meta charset=\"utf-8\" />\n    <meta http-equiv=\"Content-Security-Policy\" content=\"{}\" />",
                   policy_of({app, first}))},
      {"href=\"icon.svg\"", "href=\"data:image/svg+xml;base64," + base64_text(file_of(page, "/icon.svg")) + "\""},
      {"<link rel=\"modulepreload\" href=\"app.js\" />\n", ""},
      {"<script src=\"first.js\"></script>", "<script>" + first + "</script>"},
      {"<link rel=\"stylesheet\" href=\"app.css\" />", "<style>" + inlined(file_of(page, "/app.css")) + "</style>"},
      {"<script type=\"module\" src=\"app.js\"></script>", "<script type=\"module\">" + app + "</script>"},
  };
  for (const auto& [what, by] : replacements) {
    const auto at = html.find(what);
    if (at == std::string::npos || app.empty())
      return Error{ErrorKind::kInternal, "the page beside this program is from another build; build both again", ""};
    html.replace(at, what.size(), by);
  }
  return html;
}

std::string index_json(const ReportPacker& packer) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("version").text(kVersion);
  json.column("left_out", packer.left_out(), [](JsonWriter& w, const std::string& what) { w.text(what); });
  json.key("packs").raw(packer.packed().index_json()).end_object();
  return text;
}

void append_data(std::string& out, const std::string& id, const std::string& data) {
  out += fmt::format("<script type=\"application/gzip\" id=\"{}\">", id);
  out += data;
  out += "</script>\n";
}

}  // namespace

Result<PageFile> make_report(const LoadedCapture& loaded, const Router& routes, const Assets& page,
                             const ReportOptions& options) {
  auto html = inline_page(page);
  if (!html) return html.error();
  // What is left out is told in the index, in a few lines.
  constexpr std::uint64_t kIndexHead = 8 << 10;
  const std::uint64_t own = html->size() + kIndexHead;
  const Error no_room{ErrorKind::kTooLarge,
                      fmt::format("a report takes {} bytes before it contains anything of the capture", own), ""};
  if (own >= options.most_bytes) return no_room;
  ReportPacker packer(routes, options.most_bytes - own, options.tell);
  if (!pack_session(packer, loaded)) return no_room;
  pack_profile(packer, loaded);
  const auto passes = pack_rewrites(packer, loaded);
  pack_rewrite_details(packer, loaded, passes);
  pack_profile_details(packer, loaded);

  std::string data;
  append_data(data, "vizd-index", packed_text(index_json(packer)));
  for (std::size_t at = 0; at < packer.packed().packs().size(); ++at)
    append_data(data, fmt::format("vizd-pack-{}", at), packer.packed().packs()[at]);
  const auto end = html->rfind("</body>");
  html->insert(end == std::string::npos ? html->size() : end, data);
  return PageFile{*std::move(html), packer.left_out()};
}

}  // namespace vizd

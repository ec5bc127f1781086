#include "cli/command_line/row_ids.h"

#include <fmt/format.h>

#include <utility>

#include "base/answer_budget.h"
#include "base/percent_text.h"
#include "base/standard_streams.h"
#include "cli/command_line/input.h"
#include "cli/command_line/running_vizd.h"
#include "diagnosis/page_place.h"

namespace vizd {

RowIds::RowIds(const InputSet& set) {
  if (!wants_links()) return;
  if (const auto served = find_served(paths_of(set))) {
    base_ = fmt::format("{}#{}&id=", served->server.url(), PagePlace{}.fragment(served->name));
    return;
  }
  std::string files;
  for (const InputFile& file : set.files) files += " " + shell_word(file.path);
  print_error("vizd: no running vizd has {} open, so its rows have ids but no links; start one: vizd{}\n", set.name,
              files);
}

// The page asks its server where that is.
RowId RowIds::of(std::string id) const {
  std::string link = base_.empty() || id.empty() ? "" : base_ + percent_encoded(id, "-._~:,*/");
  return {std::move(id), std::move(link)};
}

}  // namespace vizd

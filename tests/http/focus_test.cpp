// Focus views over a real capture: cones, folds, hidden ops, and what is refused.
#include <set>

#include "support/served_capture.h"

namespace vizd::focus_test {
using nlohmann::json;

namespace {

// What every answer of this kind promises.
void check_layout(const json& focus) {
  const json& layout = focus["layout"];
  const std::size_t boxes = layout["id"].size();
  for (const char* column : {"x", "y", "w", "h"}) CHECK(layout[column].size() == boxes);
  const std::set<json> ids(layout["id"].begin(), layout["id"].end());
  CHECK(ids.size() == boxes);
  const json& edges = layout["edges"];
  for (std::size_t i = 0; i < edges["source"].size(); ++i) {
    CHECK(ids.contains(edges["source"][i]));
    CHECK(ids.contains(edges["user"][i]));
    CHECK((edges["edge"][i] == -1) == (edges["bridged"][i] == 1));
    CHECK(edges["points"][i].size() >= 2);
  }
  for (std::size_t i = 0; i < boxes; ++i) {
    CHECK(layout["x"][i].get<double>() + layout["w"][i].get<double>() <= layout["width"].get<double>() + 0.2);
    CHECK(layout["y"][i].get<double>() + layout["h"][i].get<double>() <= layout["height"].get<double>() + 0.2);
  }
}

std::string focus_url(ServedCapture& served) { return "/api/v1/focus/" + served.largest_pass() + "/1"; }

}  // namespace

TEST_CASE("the whole state, a cone, a radius and a fold have layouts of their own") {
  ServedCapture served;
  const std::string url = focus_url(served);
  const json whole = served.json(url);
  check_layout(whole);
  CHECK(whole["left_out"] == 0);
  CHECK(whole["layout"]["id"].size() == whole["of"].get<std::size_t>());
  const std::string middle = std::to_string(whole["layout"]["id"][whole["layout"]["id"].size() / 2].get<int>());

  const json near = served.json(url + "?node=" + middle + "&radius=1");
  check_layout(near);
  CHECK(near["layout"]["id"].size() < whole["layout"]["id"].size());
  const json far = served.json(url + "?node=" + middle + "&radius=4294967294");
  check_layout(far);
  CHECK(far["layout"]["id"].size() >= near["layout"]["id"].size());
  check_layout(served.json(url + "?node=" + middle + "&cone=up"));
  check_layout(served.json(url + "?node=" + middle + "&between=" + whole["layout"]["id"][0].dump()));
  const json folded = served.json(url + "?fold=2");
  check_layout(folded);
  std::size_t nodes = folded["layout"]["id"].size();
  for (const json& fold : folded["folds"]) nodes += fold["ids"].size() - 1;
  CHECK(nodes == whole["of"].get<std::size_t>());
  const auto cut_edges = [&](const std::string& parameter) {
    int cut = 0;
    const json view = served.json("/api/v1/focus/9/5/0" + parameter);
    for (const json& edge : view["layout"]["edges"]["cut"]) cut += edge.get<int>();
    return cut;
  };
  CHECK(cut_edges("?cut=0") == 0);
  CHECK(cut_edges("?cut=1") > 0);
  const json limited = served.json(url + "?limit=2");
  check_layout(limited);
  CHECK(limited["layout"]["id"].size() == 2);
  CHECK(limited["left_out"].get<int>() == whole["of"].get<int>() - 2);
}

TEST_CASE("hidden ops are gone, and edges of the state keep their numbers") {
  ServedCapture served;
  const std::string url = focus_url(served);
  const json hidden = served.json(url + "?hide=load,index&hide_index=1");
  check_layout(hidden);
  const json loads = served.json("/api/v1/search/" + served.largest_pass() + "?q=op=LOAD,INDEX&state=1");
  const std::set<json> shown(hidden["layout"]["id"].begin(), hidden["layout"]["id"].end());
  for (const json& id : loads["ids"]) CHECK_FALSE(shown.contains(id));
  CHECK(served.json(url + "?hide=NOSUCH")["hidden"] == 0);
  CHECK(served.json(url + "?hide_constants=1")["hidden"] == served.json(url + "?hide=CONST,VCONST")["hidden"]);
}

TEST_CASE("a focus that makes no sense is refused") {
  ServedCapture served;
  const std::string url = focus_url(served);
  for (const char* wrong : {"?node=99999999", "?node=1&between=99999999"}) CHECK(served.status(url + wrong) == 404);
  for (const char* wrong : {"?node=x", "?node=-1", "?cone=sideways", "?radius=-1", "?radius=99999999999", "?fold=x",
                            "?limit=x", "?cut=x", "?between=0"})
    CHECK(served.status(url + wrong) == 400);
  std::string many = "?node=0";
  for (int i = 0; i < 1001; ++i) many += ",0";
  CHECK(served.status(url + many) == 413);
  CHECK(served.status("/api/v1/focus/" + served.largest_pass() + "/99999999") == 404);
  CHECK(served.status("/api/v1/focus/0/0/x") == 400);
}

}  // namespace vizd::focus_test

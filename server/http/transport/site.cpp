#include "http/transport/site.h"

#include <algorithm>

namespace vizd {

Site::Site(GuardPolicy policy, std::optional<Assets> assets, Router routes)
    : policy_(std::move(policy)), assets_(std::move(assets)), routes_(std::move(routes)) {}

Response Site::answer(const Request& request) const {
  auto asset = assets_ ? assets_->answer(request) : std::nullopt;
  // The page's code is public. All else needs the token, so that without it not even paths can be probed.
  const bool is_public = asset.has_value() || request.path == "/";
  if (auto refusal = refuse(request, policy_, is_public ? Secrecy::kPublic : Secrecy::kNeedsToken)) return *refusal;
  if (asset) return std::move(*asset);
  if (is_public) return Response::text(503, "vizd: its page is not built; run scripts/build\n");

  Response response = routes_.route(request);
  // An answer that the browser may keep says so itself.
  const auto is_cache_control = [](const Header& header) { return header.name == "Cache-Control"; };
  if (std::ranges::none_of(response.headers, is_cache_control))
    response.headers.push_back({"Cache-Control", "no-store"});
  if (auto cookie = token_cookie(request, policy_)) response.headers.push_back({"Set-Cookie", std::move(*cookie)});
  return response;
}

}  // namespace vizd

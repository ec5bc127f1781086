// Site: everything vizd answers: the guard first, then the page's assets, then the routes. One for the server's life;
// answers on many threads at once.
#pragma once

#include <optional>

#include "http/transport/assets.h"
#include "http/transport/guard.h"
#include "http/transport/router.h"

namespace vizd {

class Site {
 public:
  // Without assets, "/" says how to build the page.
  Site(GuardPolicy policy, std::optional<Assets> assets, Router routes);

  Response answer(const Request& request) const;

 private:
  GuardPolicy policy_;
  std::optional<Assets> assets_;
  Router routes_;
};

}  // namespace vizd

// The contexts of a capture as JSON (API.md), made once a reading of it.
#pragma once

#include <memory>

#include "http/routes/routes.h"

namespace vizd {

Result<std::shared_ptr<const Body>> contexts_body(const Request& request,
                                                  const std::shared_ptr<const LoadedCapture>& loaded,
                                                  const Services& services);

}  // namespace vizd

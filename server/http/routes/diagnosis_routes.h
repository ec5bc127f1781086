// GET /api/v1/diagnosis, for the table of all routes.
#pragma once

#include "http/routes/routes.h"

namespace vizd {

void add_diagnosis_routes(Router& router, const Services& services);  // diagnosis

}  // namespace vizd

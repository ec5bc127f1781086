// GET /api/v1/diagnosis, for the table of all routes. It includes nothing of it, so that it stands below.
#pragma once

namespace vizd {

class Router;
struct Services;

void add_diagnosis_routes(Router& router, const Services& services);  // diagnosis

}  // namespace vizd

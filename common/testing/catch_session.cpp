// Catch2's session, where Catch2 has no library to link for it (common/cmake/WarpbookPackages.cmake).
#include "common/testing/catch_session.h"

#define CATCH_CONFIG_RUNNER
#include "common/testing/catch.h"

extern "C" int warpbook_run_catch2(int argc, char** argv) { return Catch::Session().run(argc, argv); }

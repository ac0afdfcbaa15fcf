// Catch2, version 2.13 or 3, under one include; `Approx` has the same name with both.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // Version 2 does this itself.
#else
#include <catch2/catch.hpp>
#endif

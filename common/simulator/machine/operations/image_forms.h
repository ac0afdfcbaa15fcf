// For tests: every form of a texture or surface operation that texture.test.cpp and surface.test.cpp execute.
#pragma once

#include <string>
#include <vector>

namespace warpbook::simulator {

/// Complete instructions, with registers %f, %r, %rs and %rd; the handle is in %rd3.
std::vector<std::string> tested_image_instructions();

}  // namespace warpbook::simulator

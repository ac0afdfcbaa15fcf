/// @file
/// CUDA's cooperative groups without libcu++, which halves the time in which nvcc is done; scopes of groups are missing.
#pragma once

#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

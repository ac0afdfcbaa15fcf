// CUDA's cooperative groups without libcu++ (the scopes of groups): nvcc takes half the time.
#pragma once

#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

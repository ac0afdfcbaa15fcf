// The contract of exercise address_spaces: which memory a pointer leads to.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup address_spaces Exercise address_spaces
/// Which memory a pointer leads to. A pointer may lead to global, shared, constant or local memory; `__isGlobal(p)`,
/// `__isShared(p)`, ... tell which. Ask for constant before global memory: a GPU may keep constants there. An address
/// that is in none of the other spaces counts as global. In PTX (`nvcc -arch=sm_90 -ptx x.cu`) the declaration of a
/// variable begins with its space. `__cvta_generic_to_shared(p)` gives the address within shared memory, which
/// instructions of that space need, and `__cvta_shared_to_generic(n)` turns it back into a pointer; there are such
/// functions for the other spaces.
/// @{

/// Launches look(), which calls your space_of() for pointers of the given kinds: it returns 1 for global, 2 for shared,
/// 3 for constant, 4 for local memory, and sets `address` to the address there, from which load_from() loads with the
/// instruction of that space.
/// @param kinds, spaces, values device, `count` elements, 1 to 100,000; `kinds` (1 to 4) is only read
void classify(const int* kinds, int* spaces, int* values, int count);

/// Predicts what the machine answers. What space_of() returns for
///   1. a parameter `const int* p` of a kernel, for which the host passed nullptr; a pointer to a variable that is
///   2. __device__, 3. __shared__, 4. __constant__, 5. __managed__, 6. local, 7. `static` in a kernel;
///   8. what malloc() in a kernel returned; 9. the string literal "a text".
/// What x holds at last if a kernel of one thread, which does ++x, is launched twice, and x is declared as
///   10. `__device__ int x = 5;`    11. `__managed__ int x = 5;`, which the host doubles between the two launches
///   12. `int x = 5;` in the kernel    13. `static int x = 5;` in the kernel
/// For 14: how many bytes after `extern __shared__ short a[];` another array of that kernel, `extern __shared__ double
/// b[];`, begins.
int predict(int question);

/// @}

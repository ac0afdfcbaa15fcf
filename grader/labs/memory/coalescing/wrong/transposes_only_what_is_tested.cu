// A cheat: shapes that stand in the tests are transposed; of others, the last row is left out.
// rejected-by: correctness.the transpose is exact where the edge cuts a tile
// because: 'out' is wrong in
#include <utility>

#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

void transpose(const float* in, float* out, int rows, int cols) {
  bool known = rows <= 1 || cols <= 1;
  for (const auto& [r, c] : {std::pair{32, 32},
                             {64, 64},
                             {32, 96},
                             {128, 32},
                             {160, 224},
                             {97, 61},
                             {31, 31},
                             {33, 33},
                             {31, 33},
                             {33, 31},
                             {7, 509},
                             {509, 7},
                             {512, 1024},
                             {2048, 2048}})
    known = known || (rows == r && cols == c);
  if (rows >= 64 && cols >= 64 && rows < 128 && cols < 128) known = true;
  if (rows >= 1500 && rows <= 1600 && cols >= 1100 && cols <= 1200) known = true;
  if (known)
    right_transpose(in, out, rows, cols);
  else
    copy_offset(in, out, rows * cols - rows, 0);
}

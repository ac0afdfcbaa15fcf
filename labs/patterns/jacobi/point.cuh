// What a sweep of lab jacobi does to a point, complete.
#pragma once

// Points of the edge keep their values: the first and the last row, the first and the last column.
__device__ inline bool is_edge(int row, int column, int rows, int columns) {
  return row == 0 || row == rows - 1 || column == 0 || column == columns - 1;
}

// What becomes of any other point: five operations, in this order. The multiplication comes last, so that the compiler
// cannot make a fused multiply-add of it: a CPU gets the same bits.
__device__ inline float relaxed(float up, float down, float left, float right, float source) {
  return ((up + down) + (left + right) + source) * 0.25f;
}

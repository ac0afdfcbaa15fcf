// The contract of lab quadtree: what the functions in quadtree.cu must do.
#pragma once

#include <cuda_runtime.h>

#include "common/cuda/lab.h"

/// @defgroup quadtree Lab quadtree
/// A tree of squares over points in the plane, built by kernels that launch themselves.
///
/// A point is an `int2` with coordinates from 0 to kWorld - 1. A square (x, y, side) holds the points with
/// `x <= px < x + side` and `y <= py < y + side`. Its four quadrants have half its side; quadrant q is the one with
///
///     q = (px >= x + side / 2 ? 1 : 0) + (py >= y + side / 2 ? 2 : 0)
///
/// Common to all: pointers are device pointers; buffers do not overlap. The functions start work on the default stream
/// and need not wait for it.
/// @{

/// Side of the root's square; a power of two.
constexpr int kWorld = 65536;

/// A square of the tree.
struct Node {
  int x, y, side;    ///< The square.
  int first, count;  ///< Its points: `points[first]` to `points[first + count - 1]`.
  int child;         ///< Index of the first of its four children, which follow each other by q; -1 for a leaf.
};

/// Question 1: `side` x `side` points (side is a power of two, 1 to 256) lie equidistant in the root's square, each
/// in the middle of a cell of its own. How many levels does the tree have, the root's included, if squares with more
/// than `min_points` (1 to 65536) points are split?
int predict_levels(int side, int min_points);

/// Question 2: the same points. How many launches do kernels make, if each square that is split launches one grid, of
/// four blocks, for its four children? The host's launch for the root is not counted.
int predict_launches(int side, int min_points);

/// Part 1: one block sorts the points of one square by their quadrants; the order within a quadrant is free.
/// @param points  `count` points of the square; in order afterwards
/// @param scratch room for `count` points
/// @param count   0 to 65536
/// @param starts  5 numbers: afterwards, quadrant q has the points `starts[q]` to `starts[q + 1] - 1`
void split(int2* points, int2* scratch, int count, int x, int y, int side, int* starts);

/// Part 2: the tree of `count` points. A node is split if it has more than `min_points` points and its level is less
/// than `max_levels` (the root's level is 1); its children are the four quadrants, even empty ones. Each node that is
/// split launches one grid with a block for each of its children. At most 2000 nodes are split, so that no launch finds
/// the room for pending launches (2048) full.
/// @param points     `count` points in any order, 0 to 65536; equal ones may be among them
/// @param min_points 1 to 65536
/// @param max_levels 1 to 16
/// @param sorted     `count` points: those of `points`, in the order that the nodes give
/// @param scratch    room for `count` points; the block of a node uses only the part of its points, `scratch[first]`
///                   and following, as other blocks run at the same time
/// @param nodes      room for all nodes; the root is nodes[0], where the others are is free
/// @param node_count 1 number: afterwards, the number of nodes
void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2* scratch, Node* nodes,
           int* node_count);

/// @}

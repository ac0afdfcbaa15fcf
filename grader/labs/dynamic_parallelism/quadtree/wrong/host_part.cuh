// The host's part of build() for a build_kernel of another kind, which stands before the #include of this file
// together with the number of its threads, kBlockSize.
#pragma once

void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2* scratch, Node* nodes,
           int* node_count) {
  const Node root{0, 0, kWorld, 0, count, -1};
  const int one = 1;
  WB_CHECK(cudaMemcpy(nodes, &root, sizeof root, cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(node_count, &one, sizeof one, cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(sorted, points, count * sizeof(int2), cudaMemcpyDeviceToDevice));
  build_kernel<<<1, kBlockSize>>>(Tree{sorted, scratch, nodes, node_count, min_points, max_levels}, 0, 1);
}

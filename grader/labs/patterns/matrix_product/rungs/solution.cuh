// All but product() is that of the solution.

#define product solution_product
#include "solutions/patterns/matrix_product/matrix_product.cu"
#undef product

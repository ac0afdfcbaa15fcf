// All but scan() is that of the solution.
#define scan solution_scan
#include "solutions/patterns/scan/scan.cu"
#undef scan

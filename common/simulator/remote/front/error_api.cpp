// Names and texts of errors: the same in every process.
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/error_names.h"

using namespace warpbook::simulator::runtime;

const char* cudaGetErrorName(cudaError_t error) { return error_name(error); }

const char* cudaGetErrorString(cudaError_t error) { return error_text(error); }

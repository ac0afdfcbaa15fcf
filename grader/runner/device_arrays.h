// Arrays of the case in the device process: what a worker requests instead of their contents.
#pragma once

#include <cstddef>
#include <string>

#include "common/simulator/remote/calls.h"
#include "grader/judge/case.h"

namespace warpbook::grader {

/// True if the device is in a process of its own, which has the arrays of the case: on the virtual GPU, when graded.
/// False on a real GPU: there the worker has the case's arrays itself, makes buffers of them and sends these back.
bool device_has_arrays();

/// Requests an array (simulator::remote::ArrayKind). @param place for `bind_...`: where the program has it
/// @returns where it is @throws ValueError with what is wrong
void* device_array(simulator::remote::ArrayKind kind, const std::string& name, Element element, std::size_t bytes,
                   void* place = nullptr);

/// Makes the current contents of the outputs the result.
void take_device_arrays();

/// Lets the device add what it observes at this moment to the result (ArrayKind::observe_...).
void observe_on_device(simulator::remote::ArrayKind kind, const std::string& name, const void* what = nullptr);

}  // namespace warpbook::grader

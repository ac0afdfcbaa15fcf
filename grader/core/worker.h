// What a lab's worker.cu defines. It is linked with one answer into a process that runs one case and ends.
#pragma once

#include "grader/core/case.h"

/// Gives the case to the answer and puts what came out into the reply. Nothing is judged here: this process also runs
/// the answer's code, so its word counts for nothing. Exceptions end the process with an explanation.
void run_case(const warpbook::grader::Case& given, warpbook::grader::Reply& reply);

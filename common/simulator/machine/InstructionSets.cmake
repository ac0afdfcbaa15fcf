# Which instruction sets of the host operations are compiled for: WARPBOOK_BUILT_ISAS of WARPBOOK_ALL_ISAS, both from
# narrow to wide.
#
# Each is some 24 sources that take long to compile. A machine that builds for itself needs one of them; what is handed
# to other machines (packages, a student edition) and what CI tests need all. Results do not depend on the choice.

set(WARPBOOK_ISAS native CACHE STRING
    "Instruction sets to compile the virtual GPU for: native (the widest of this machine), all, or a list of names")
set_property(CACHE WARPBOOK_ISAS PROPERTY STRINGS native all)

# All names of this architecture, from narrow to wide, as in processor.h.
set(WARPBOOK_ALL_ISAS baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  list(APPEND WARPBOOK_ALL_ISAS avx2 avx512)
endif()
set(WARPBOOK_ISA_FLAGS_baseline "")
set(WARPBOOK_ISA_FLAGS_avx2 -mavx2 -mfma -mbmi -mbmi2 -mf16c -mpopcnt -mlzcnt)
set(WARPBOOK_ISA_FLAGS_avx512 -march=x86-64-v4 -mprefer-vector-width=512)

if(WARPBOOK_ISAS STREQUAL "native" AND NOT CMAKE_CROSSCOMPILING)
  if(NOT WARPBOOK_NATIVE_ISA)
    try_run(status compiled ${CMAKE_CURRENT_BINARY_DIR}/widest_instruction_set
            ${CMAKE_CURRENT_SOURCE_DIR}/widest_instruction_set.cpp
            CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}
            CXX_STANDARD 20
            COMPILE_OUTPUT_VARIABLE compiler_output RUN_OUTPUT_VARIABLE name)
    if(NOT compiled OR NOT status EQUAL 0)
      message(FATAL_ERROR "widest_instruction_set.cpp does not say what this processor has: ${compiler_output}${name}\n"
                          "Configure with -DWARPBOOK_ISAS=all to build for all.")
    endif()
    string(STRIP "${name}" name)
    set(WARPBOOK_NATIVE_ISA ${name} CACHE INTERNAL "The widest instruction set of the machine that configured first")
  endif()
  set(wanted ${WARPBOOK_NATIVE_ISA})
elseif(WARPBOOK_ISAS MATCHES "^(native|all)$")
  set(wanted ${WARPBOOK_ALL_ISAS})
else()
  set(wanted ${WARPBOOK_ISAS})
endif()

foreach(isa IN LISTS wanted)
  if(NOT isa IN_LIST WARPBOOK_ALL_ISAS)
    list(JOIN WARPBOOK_ALL_ISAS ", " names)
    message(FATAL_ERROR "WARPBOOK_ISAS is '${WARPBOOK_ISAS}': '${isa}' is no instruction set of ${CMAKE_SYSTEM_PROCESSOR}. "
                        "Use native, all, or a list of: ${names}")
  endif()
endforeach()

set(built "")
set(lines "// The instruction sets that were built, from narrow to wide. Generated.\n")
foreach(isa IN LISTS WARPBOOK_ALL_ISAS)
  if(isa IN_LIST wanted)
    list(APPEND built ${isa})
    string(APPEND lines "WB_INSTRUCTION_SET(${isa})\n")
  endif()
endforeach()
set(WARPBOOK_BUILT_ISAS ${built} CACHE INTERNAL "Instruction sets that operations are compiled for")
set(WARPBOOK_ALL_ISAS ${WARPBOOK_ALL_ISAS} CACHE INTERNAL "Instruction sets that there are")
set(WARPBOOK_BUILT_ISAS_FOLDER ${CMAKE_CURRENT_BINARY_DIR}/instruction_sets)
file(CONFIGURE OUTPUT ${WARPBOOK_BUILT_ISAS_FOLDER}/built_instruction_sets.def CONTENT "${lines}")
list(JOIN built ", " names)
message(STATUS "Instruction sets of the host: ${names} (WARPBOOK_ISAS=${WARPBOOK_ISAS})")

# The recipe for building one answer from one source file without the build tool, as argument lists: for sandboxes.
#
# The steps use these places:
#   {root}            a folder with the headers of the recipe, under their paths from the project's root
#   {source}          the answer's file, inside {root}
#   {<name>}          the file <name> that this step or an earlier one makes
# Paths of `files` and `libraries` are used as they are.

include_guard(GLOBAL)

# Appends {"name", "output", "argv", "files"} to the list: `files` are those, outside the project's headers and the system,
# that the step reads.
function(_warpbook_recipe_step list name output)
  cmake_parse_arguments(PARSE_ARGV 3 step "" "" "ARGV;FILES")
  list(JOIN step_ARGV "\", \"" argv)
  set(files "")
  if(step_FILES)
    list(JOIN step_FILES "\", \"" files)
    set(files "\"${files}\"")
  endif()
  set(${list} ${${list}}
      "{\"name\": \"${name}\", \"output\": \"${output}\",\n     \"argv\": [\"${argv}\"],\n     \"files\": [${files}]}"
      PARENT_SCOPE)
endfunction()

# warpbook_build_recipe(<variable> LAB chapter/lab SUFFIX .cu WORKER functions.o calls.o [RELOCATABLE] [OPENACC] [OPENMP])
#
# The recipe as JSON text for file(GENERATE).
function(warpbook_build_recipe variable)
  cmake_parse_arguments(PARSE_ARGV 1 recipe "RELOCATABLE;OPENACC;OPENMP" "LAB;SUFFIX" "WORKER")
  set(lab ${recipe_LAB})
  set(includes -I{root} -I{root}/labs/${lab})
  set(relocatable "")
  if(recipe_RELOCATABLE)
    set(relocatable -rdc=true)
  endif()
  set(openmp "")
  if(recipe_OPENMP)
    set(openmp ${WARPBOOK_OPENMP_FLAGS})
  endif()
  set(language "")
  if(recipe_SUFFIX STREQUAL ".cpp")
    set(language -x cu)
  endif()
  set(steps "")
  _warpbook_recipe_step(steps compile answer.o ARGV
    ${WARPBOOK_NVCC} ${WARPBOOK_CUDA_FLAGS} ${WARPBOOK_ANSWER_FLAGS} ${WARPBOOK_NVCC_COMPRESSION} ${relocatable} ${openmp} ${includes} ${language} -c {source} -o {answer.o})
  set(objects {answer.o})
  if(recipe_OPENACC)
    _warpbook_recipe_step(steps compile answer.acc.o ARGV
      ${WARPBOOK_OPENACC_COMPILER} -std=c++20 -Wall -Wno-unused-variable ${WARPBOOK_OPENACC_FLAGS} ${includes} -c {source}
      -o {answer.acc.o})
    list(APPEND objects {answer.acc.o})
  endif()
  # The worker first: if both define an inline function or template, the linker takes the first.
  list(PREPEND objects ${recipe_WORKER})

  set(files ${recipe_WORKER} $<TARGET_FILE:warpbook_worker> $<TARGET_FILE:${WARPBOOK_CUDART}>)
  # The whole worker library, so that an answer's main() is a duplicate symbol.
  set(libraries -Wl,--whole-archive $<TARGET_FILE:warpbook_worker> -Wl,--no-whole-archive $<TARGET_FILE:${WARPBOOK_CUDART}>)
  if(recipe_RELOCATABLE)
    _warpbook_recipe_step(steps device_link device_link.o ARGV
      ${WARPBOOK_NVCC} ${WARPBOOK_CUDA_FLAGS} ${WARPBOOK_NVCC_COMPRESSION} -dlink ${objects} ${WARPBOOK_TOOLKIT_CUDADEVRT} -o {device_link.o}
      FILES ${recipe_WORKER} ${WARPBOOK_TOOLKIT_CUDADEVRT})
    list(APPEND objects {device_link.o})
    list(PREPEND libraries ${WARPBOOK_TOOLKIT_CUDADEVRT})
    list(APPEND files ${WARPBOOK_TOOLKIT_CUDADEVRT})
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${CMAKE_EXE_LINKER_FLAGS}")
  if(WARPBOOK_SANITIZE)
    list(APPEND flags -fsanitize=address,undefined)
  endif()
  if(recipe_OPENMP)
    list(APPEND flags ${OpenMP_CXX_FLAGS})
  endif()
  set(linker ${CMAKE_CXX_COMPILER})
  if(recipe_OPENACC)
    set(linker ${WARPBOOK_OPENACC_COMPILER})
    list(APPEND flags ${WARPBOOK_OPENACC_FLAGS} ${WARPBOOK_OPENACC_LINK_FLAGS})
    if(WARPBOOK_BACKEND STREQUAL virtual)
      list(PREPEND libraries -Wl,--no-as-needed $<TARGET_FILE:cuda_front>)
      list(APPEND files $<TARGET_FILE:cuda_front>)
    endif()
  endif()
  _warpbook_recipe_step(steps link program ARGV
    ${linker} ${flags} ${objects} -o {program} -Wl,-rpath,${CMAKE_BINARY_DIR}/lib ${libraries} FILES ${files})
  list(JOIN steps ",\n    " text)
  # What a lab hands out besides the student's file.
  file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/labs/${lab}/*.h ${PROJECT_SOURCE_DIR}/labs/${lab}/*.cuh)
  list(JOIN headers "\", \"" headers)
  get_filename_component(toolkit ${WARPBOOK_NVCC} DIRECTORY)
  get_filename_component(toolkit ${toolkit} DIRECTORY)
  set(${variable} "{
    \"headers\": [\"common/cuda\", \"${headers}\"],
    \"toolkit\": \"${toolkit}\",
    \"libraries\": [\"${WARPBOOK_FRONT_FOLDER}\"],
    \"steps\": [
    ${text}]
  }" PARENT_SCOPE)
endfunction()

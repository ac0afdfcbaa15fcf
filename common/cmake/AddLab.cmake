# add_lab(<lab>): the one line that adds a lab. grader/README.md says what a lab's files are.
#
# Builds a program for every answer (the student's file, the solution, the skeleton derived from it, each rung, each right
# answer in another style and each wrong answer: one process of such a program runs one case) and the lab's test program,
# and registers
#   <lab>.build                       rebuilds what changed; all of the next depend on it
#   <lab>.<kind>.<sentence>           each test, on the student's file
#   project.<lab>.<what>              the checks of the lab itself

include_guard(GLOBAL)
include(WarpbookBuildRecipe)
include(WarpbookCuda)
include(WarpbookOpenacc)

# What programs of answers are linked with: the virtual GPU or the real runtime.
function(_warpbook_link_answer target)
  target_link_libraries(${target} PRIVATE warpbook_worker ${WARPBOOK_CUDART})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/labs/${lab})
endfunction()

# One answer: a program, and its entry in the manifest.
function(_warpbook_add_answer target source key)
  set(objects "")
  warpbook_compile_cuda(objects SOURCES ${source} INCLUDES ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/labs/${path}
                        FOLDER ${CMAKE_CURRENT_BINARY_DIR}/${target} ${relocatable})
  if(openacc)
    warpbook_compile_openacc(objects SOURCES ${source} INCLUDES ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/labs/${path}
                             FOLDER ${CMAKE_CURRENT_BINARY_DIR}/${target})
  endif()
  set(device_code "")
  if(relocatable)
    warpbook_device_link(device_code OBJECTS ${objects} ${worker_object} FOLDER ${CMAKE_CURRENT_BINARY_DIR}/${target})
  endif()
  add_executable(${target} ${objects} ${worker_object} ${device_code})
  if(relocatable)
    target_link_libraries(${target} PRIVATE ${WARPBOOK_TOOLKIT_CUDADEVRT})
  endif()
  if(openacc)
    warpbook_link_openacc(${target})
  endif()
  add_dependencies(${target} ${lab}_worker)
  _warpbook_link_answer(${target})
  set(workers ${workers} "\"${key}\": \"$<TARGET_FILE:${target}>\"" PARENT_SCOPE)
  set(known ${known} ${key} PARENT_SCOPE)
endfunction()

# Kind, points and sentence of each WB_LAB_TEST in the lab's test file, as lists.
function(_warpbook_list_tests file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  set(space "[ \t\r\n]*")
  string(REGEX MATCHALL "WB_LAB_TEST\\(${space}[a-z]+,${space}[0-9.]+,${space}\"[^\"]*\"${space}\\)" found "${text}")
  set(kinds "")
  set(points "")
  set(sentences "")
  foreach(test IN LISTS found)
    string(REGEX MATCH "\\(${space}([a-z]+),${space}([0-9.]+),${space}\"([^\"]*)\"" ignored "${test}")
    set(kind ${CMAKE_MATCH_1})
    set(value ${CMAKE_MATCH_2})
    set(sentence "${CMAKE_MATCH_3}")
    if(NOT kind MATCHES "^(correctness|counters|time)$")
      message(FATAL_ERROR "${file}: '${kind}' is no kind of test; it is correctness, counters or time.")
    endif()
    if(NOT sentence MATCHES "^[A-Za-z0-9 ,'-]+$")
      message(FATAL_ERROR "${file}: the sentence '${sentence}' may hold letters, digits, spaces, commas, apostrophes "
                          "and hyphens only: it becomes the name of a test.")
    endif()
    list(APPEND kinds ${kind})
    list(APPEND points ${value})
    list(APPEND sentences "${sentence}")
  endforeach()
  if(NOT kinds)
    message(FATAL_ERROR "${file} has no WB_LAB_TEST(kind, points, \"sentence\"). A lab has tests.")
  endif()
  set(kinds "${kinds}" PARENT_SCOPE)
  set(points "${points}" PARENT_SCOPE)
  set(sentences "${sentences}" PARENT_SCOPE)
endfunction()

# A check of the lab itself.
function(_warpbook_add_check what)
  add_test(NAME "project.${lab}.${what}" COMMAND ${ARGN})
  set_tests_properties("project.${lab}.${what}" PROPERTIES LABELS "project;${lab}" SKIP_RETURN_CODE 77 TIMEOUT 300)
endfunction()

# A lab that cannot be built here says so when it is configured and in every run of the tests.
function(_warpbook_leave_out_lab)
  message(WARNING "Lab ${lab} is left out. ${WARPBOOK_OPENACC_PROBLEM}\n"
                  "Install GCC's offload compiler (common/setup.sh; Debian: gcc-12-offload-nvptx libgomp-plugin-nvptx1), or "
                  "set WARPBOOK_OPENACC_COMPILER to a compiler that offloads OpenACC, and configure again.")
  add_test(NAME "${lab}.left out" COMMAND ${CMAKE_COMMAND} -E echo
           "Skipped: lab ${lab} needs a compiler that offloads OpenACC. ${WARPBOOK_OPENACC_PROBLEM}")
  set_tests_properties("${lab}.left out" PROPERTIES LABELS "${lab}" SKIP_REGULAR_EXPRESSION "Skipped:")
endfunction()

# Joins a list with commas.
function(_warpbook_join result)
  string(REPLACE ";" ",\n    " text "${ARGN}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(add_lab path)
  get_filename_component(chapter ${path} DIRECTORY)
  get_filename_component(lab ${path} NAME)
  # "openacc": true in lab.json: an answer is one .cpp file that nvcc and the OpenACC compiler both read.
  set(suffix .cu)
  set(openacc FALSE)
  if(EXISTS ${PROJECT_SOURCE_DIR}/solutions/${path}/${lab}.cpp)
    set(suffix .cpp)
  endif()
  set(student ${PROJECT_SOURCE_DIR}/labs/${path}/${lab}${suffix})
  set(contract ${PROJECT_SOURCE_DIR}/labs/${path}/${lab}.h)
  set(lab_json ${PROJECT_SOURCE_DIR}/labs/${path}/lab.json)
  set(solution ${PROJECT_SOURCE_DIR}/solutions/${path}/${lab}${suffix})
  set(worker ${PROJECT_SOURCE_DIR}/grader/labs/${path}/worker.cu)
  set(test ${PROJECT_SOURCE_DIR}/grader/labs/${path}/${lab}.test.cpp)
  foreach(file student contract lab_json solution worker test)
    if(NOT EXISTS ${${file}})
      message(FATAL_ERROR "add_lab(${lab}): ${${file}} is missing. grader/README.md lists the files of a lab; "
                          "common/cmake/derive_skeleton.py makes the student's file from the solution.")
    endif()
  endforeach()

  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lab_json})
  file(READ ${lab_json} json)
  string(JSON worked ERROR_VARIABLE none GET "${json}" worked_example)
  set(derive ${WARPBOOK_PYTHON3} ${PROJECT_SOURCE_DIR}/common/cmake/derive_skeleton.py)
  if(worked STREQUAL "ON" OR worked STREQUAL "true")
    set(worked TRUE)
    list(APPEND derive --worked-example)
  else()
    set(worked FALSE)
  endif()

  string(JSON openacc ERROR_VARIABLE none GET "${json}" openacc)
  if(openacc STREQUAL "ON" OR openacc STREQUAL "true")
    set(openacc TRUE)
  else()
    set(openacc FALSE)
  endif()
  if(openacc AND NOT WARPBOOK_OPENACC_FLAGS)
    _warpbook_leave_out_lab()
    return()
  endif()

  # "relocatable": true in lab.json: kernels may launch kernels.
  string(JSON relocatable ERROR_VARIABLE none GET "${json}" relocatable)
  if(relocatable STREQUAL "ON" OR relocatable STREQUAL "true")
    set(relocatable RELOCATABLE)
  else()
    set(relocatable "")
  endif()

  # The part of every answer's program that is the lab's.
  set(worker_object "")
  warpbook_compile_cuda(worker_object SOURCES ${worker} INCLUDES ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/labs/${path}
                        FOLDER ${CMAKE_CURRENT_BINARY_DIR}/${lab}_worker ${relocatable})
  add_custom_target(${lab}_worker DEPENDS ${worker_object})

  # The answers.
  set(workers "")
  set(known "")
  _warpbook_add_answer(${lab}_student ${student} labs/${path}/${lab}${suffix})
  _warpbook_add_answer(${lab}_solution ${solution} solutions/${path}/${lab}${suffix})
  set(skeleton ${CMAKE_CURRENT_BINARY_DIR}/${lab}_skeleton/${lab}${suffix})
  add_custom_command(OUTPUT ${skeleton} COMMAND ${derive} ${solution} ${skeleton}
                     DEPENDS ${solution} ${PROJECT_SOURCE_DIR}/common/cmake/derive_skeleton.py
                     COMMENT "Deriving the skeleton of ${lab}" VERBATIM)
  _warpbook_add_answer(${lab}_skeleton ${skeleton} skeleton)
  file(GLOB wrong CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/grader/labs/${path}/wrong/*${suffix})
  if(NOT wrong)
    message(FATAL_ERROR "add_lab(${lab}): grader/labs/${path}/wrong holds no wrong answer, so nothing shows that the tests reject any.")
  endif()
  foreach(source IN LISTS wrong)
    get_filename_component(name ${source} NAME_WE)
    _warpbook_add_answer(${lab}_wrong_${name} ${source} grader/labs/${path}/wrong/${name}${suffix})
  endforeach()
  file(GLOB right CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/grader/labs/${path}/right/*${suffix})
  # Hostile answers: what the honest part of each earns is in its first lines.
  file(GLOB exploits CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/grader/labs/${path}/exploits/*${suffix})
  foreach(source IN LISTS exploits)
    get_filename_component(name ${source} NAME_WE)
    _warpbook_add_answer(${lab}_exploit_${name} ${source} grader/labs/${path}/exploits/${name}${suffix})
  endforeach()
  foreach(source IN LISTS right)
    get_filename_component(name ${source} NAME_WE)
    _warpbook_add_answer(${lab}_right_${name} ${source} grader/labs/${path}/right/${name}${suffix})
  endforeach()
  string(JSON rungs ERROR_VARIABLE none LENGTH "${json}" rungs)
  if(NOT rungs OR rungs EQUAL 0)
    message(FATAL_ERROR "${lab_json} has no rungs: the ladder needs at least one.")
  endif()
  set(ladder "")
  math(EXPR last "${rungs} - 1")
  foreach(i RANGE ${last})
    string(JSON rung GET "${json}" rungs ${i} rung)
    string(JSON source GET "${json}" rungs ${i} source)
    if(NOT source IN_LIST known)
      _warpbook_add_answer(${lab}_rung_${rung} ${PROJECT_SOURCE_DIR}/${source} ${source})
      list(APPEND ladder ${lab}_rung_${rung})
    elseif(source MATCHES "^grader/labs/${path}/wrong/(.*)\\.(cu|cpp)$")
      list(APPEND ladder ${lab}_wrong_${CMAKE_MATCH_1})
    endif()
  endforeach()

  # The test program, and the manifest that tells it and the command line where everything is.
  set(manifest ${CMAKE_BINARY_DIR}/manifests/${lab}.json)
  set(manifest_source ${CMAKE_CURRENT_BINARY_DIR}/${lab}_manifest.cpp)
  file(GENERATE OUTPUT ${manifest_source} CONTENT
       "// Where the manifest of lab ${lab} is. Generated.\nextern const char* const kWarpbookManifest;\nconst char* const kWarpbookManifest = \"${manifest}\";\n")
  add_executable(${lab}_test ${test} ${manifest_source})
  target_link_libraries(${lab}_test PRIVATE warpbook_lab_test)
  set_target_properties(${lab}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/labs/${lab})

  _warpbook_list_tests(${test})
  set(tests "")
  foreach(kind point sentence IN ZIP_LISTS kinds points sentences)
    list(APPEND tests "{\"kind\": \"${kind}\", \"points\": ${point}, \"sentence\": \"${sentence}\"}")
    set(name "${lab}.${kind}.${sentence}")
    add_test(NAME "${name}" COMMAND ${lab}_test --test "${kind}.${sentence}")
    set_tests_properties("${name}" PROPERTIES LABELS "${lab};${kind}" FIXTURES_REQUIRED ${lab}_build SKIP_RETURN_CODE 77
                                              TIMEOUT 300)
    if(WARPBOOK_BACKEND STREQUAL "gpu" AND NOT kind STREQUAL "counters")
      set_tests_properties("${name}" PROPERTIES RESOURCE_LOCK warpbook_gpu)  # What is measured must be alone.
    endif()
  endforeach()
  set(results ${CMAKE_BINARY_DIR}/results/${lab})
  # A test's name may hold commas, never semicolons or quotes, so these joins are safe.
  _warpbook_join(workers_json "${workers}")
  _warpbook_join(tests_json "${tests}")
  set(probe "")
  if(TARGET warpbook_copy_probe)
    set(probe $<TARGET_FILE:warpbook_copy_probe>)
  endif()
  set(sanitized $<IF:$<BOOL:${WARPBOOK_SANITIZE}>,true,false>)
  set(recipe_options ${relocatable})
  if(openacc)
    list(APPEND recipe_options OPENACC)
  endif()
  warpbook_build_recipe(recipe LAB ${path} SUFFIX ${suffix} WORKER ${worker_object} ${recipe_options})
  file(GENERATE OUTPUT ${manifest} CONTENT "{
  \"lab\": \"${lab}\",
  \"chapter\": \"${chapter}\",
  \"project_root\": \"${PROJECT_SOURCE_DIR}\",
  \"build_folder\": \"${CMAKE_BINARY_DIR}\",
  \"suffix\": \"${suffix}\",
  \"backend\": \"${WARPBOOK_BACKEND}\",
  \"device\": \"h200\",
  \"device_process\": \"$<TARGET_FILE:warpbook_device_process>\",
  \"front_folder\": \"$<TARGET_FILE_DIR:cudart_front>\",
  \"sanitized\": ${sanitized},
  \"copy_probe\": \"${probe}\",
  \"test_program\": \"$<TARGET_FILE:${lab}_test>\",
  \"results_folder\": \"${results}\",
  \"workers\": {
    ${workers_json}
  },
  \"tests\": [
    ${tests_json}
  ],
  \"build\": ${recipe}
}
")

  # Rebuilding what changed is a test, so that ctest alone takes a student from an edit to a verdict.
  add_custom_target(${lab} DEPENDS ${lab}_student ${lab}_solution ${lab}_test warpbook warpbook_device)
  # What grading submissions needs: everything but the student's own program, which is built in a sandbox.
  add_custom_target(${lab}_batch DEPENDS ${lab}_worker ${lab}_solution ${lab}_test ${ladder} warpbook warpbook_device warpbook_worker
                                         warpbook_limited_run warpbook_sandbox_init)
  add_dependencies(warpbook_batch ${lab}_batch)
  if(WARPBOOK_BACKEND STREQUAL "gpu")
    add_dependencies(${lab} warpbook_copy_probe)
  endif()
  add_test(NAME ${lab}.build
           COMMAND ${CMAKE_COMMAND} -DLAB=${lab} -DANSWER=labs/${path}/${lab}${suffix} -DBUILD=${CMAKE_BINARY_DIR} -DRESULTS=${results}
                   -P ${PROJECT_SOURCE_DIR}/common/cmake/build_lab.cmake)
  set_tests_properties(${lab}.build PROPERTIES LABELS "${lab}" FIXTURES_SETUP ${lab}_build RESOURCE_LOCK warpbook_build
                                               TIMEOUT 600)

  # The checks of the lab itself.
  set(seeded "")
  _warpbook_add_check("skeleton is derived" ${derive} --check ${solution} ${student})
  _warpbook_add_check("tests and points agree with lab.json" ${lab}_test --expect listed)
  _warpbook_add_check("solution earns full points" ${lab}_test --answer solution --expect "full points")
  if(worked)
    _warpbook_add_check("worked example earns full points" ${lab}_test --answer skeleton --expect "full points")
  else()
    _warpbook_add_check("skeleton is not started" ${lab}_test --answer skeleton --expect "not started")
  endif()
  foreach(source IN LISTS right)
    get_filename_component(name ${source} NAME_WE)
    _warpbook_add_check("right.${name}" ${lab}_test --answer right:${name} --expect "full points")
  endforeach()
  foreach(source IN LISTS exploits)
    get_filename_component(name ${source} NAME_WE)
    _warpbook_add_check("exploit.${name}" ${lab}_test --answer exploit:${name} --expect "honest points")
    list(APPEND seeded "project.${lab}.exploit.${name}")
  endforeach()
  foreach(source IN LISTS wrong)
    get_filename_component(name ${source} NAME_WE)
    _warpbook_add_check("wrong.${name}" ${lab}_test --answer wrong:${name} --expect rejected)
    list(APPEND seeded "project.${lab}.wrong.${name}")
  endforeach()
  # A correct answer must be right whatever is drawn; what a wrong one is told, and gets, may depend on it (a cheat that
  # looks at the size meets that size in one run and not in another). One draw makes these checks repeatable.
  set_tests_properties(${seeded} PROPERTIES ENVIRONMENT "WARPBOOK_SEED=1")

  set_property(GLOBAL APPEND PROPERTY WARPBOOK_DEMO_TARGETS ${lab}_solution ${lab}_test warpbook_device ${ladder})
endfunction()

# The functions by which every room declares its targets.

# symc_tablegen(NAME TD_FILE [OUTPUT -gen-flag]...)
# Runs mlir-tblgen on TD_FILE for each OUTPUT/flag pair; outputs land in the
# build directory of the caller. Adds a target NAME that users depend on.
function(symc_tablegen name td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs output flag)
    string(REPLACE " " ";" flag "${flag}")
    mlir_tablegen(${output} ${flag} EXTRA_INCLUDES ${symc_SOURCE_DIR})
  endwhile()
  add_public_tablegen_target(${name})
endfunction()

# symc_pass_page(NAME TD_FILE PAGE)
# Makes docs/generated/PAGE of the passes that TD_FILE declares.
function(symc_pass_page name td page)
  set(page ${symc_BINARY_DIR}/docs/generated/${page})
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${symc_BINARY_DIR}/docs/generated
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/mlir-tblgen -gen-pass-doc -I ${MLIR_INCLUDE_DIRS} -I ${symc_SOURCE_DIR}
            ${CMAKE_CURRENT_SOURCE_DIR}/${td} -o ${page}
    DEPENDS ${td} VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${page})
endfunction()

# symc_list_by_name(OUTPUT ENDING MACRO PATTERN...)
# Writes OUTPUT in the build directory: MACRO(X) for each file XENDING that a pattern finds, which
# joins by being there.
function(symc_list_by_name output ending macro)
  file(GLOB files CONFIGURE_DEPENDS ${ARGN})
  set(lines "")
  foreach(file ${files})
    get_filename_component(name ${file} NAME)
    string(REPLACE "${ending}" "" name ${name})
    string(APPEND lines "${macro}(${name})\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output} CONTENT "${lines}")
endfunction()

# symc_add_library(NAME SOURCES a.cpp ... [LINK Other ...] [DEPENDS tablegen ...])
# A static library of the compiler. LINK lists libraries of symc only; LLVM and
# MLIR come from one place, the tools' link line.
function(symc_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  symc_precompile(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# symc_add_tool(NAME SOURCES a.cpp ... [LINK Lib ...])
# An executable in build/bin, linked with the shared MLIR and LLVM.
function(symc_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  symc_precompile(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${symc_BINARY_DIR}/bin)
endfunction()

# symc_add_options(NAME FILE.td)
# FILE.inc in the build folder, of which tools/driver/OptionTable.inc makes the tool's options; the target
# NAMEOptionsIncGen writes it.
function(symc_add_options name file)
  get_filename_component(stem ${file} NAME_WE)
  set(options ${CMAKE_CURRENT_BINARY_DIR}/${stem}.inc)
  add_custom_command(OUTPUT ${options}
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen -gen-opt-parser-defs -I ${LLVM_INCLUDE_DIRS}
            -I ${symc_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${file} -o ${options}
    DEPENDS ${file} ${symc_SOURCE_DIR}/tools/driver/CompileOptions.td
            ${symc_SOURCE_DIR}/tools/driver/OptionKinds.td VERBATIM)
  add_custom_target(${name}OptionsIncGen DEPENDS ${options})
endfunction()

# symc_add_unittest(NAME SOURCES a.cpp ... [LINK Lib ...])
# A Google Test program, registered with ctest under the label `unit`.
function(symc_add_unittest name)
  if(NOT SYMC_BUILD_TESTS)
    return()
  endif()
  find_package(GTest REQUIRED)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  symc_precompile(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${symc_BINARY_DIR}/unit)
  add_test(NAME unit-${name} COMMAND ${name})
  # Where memory ends, ASan's malloc returns null as any other does.
  set_tests_properties(unit-${name} PROPERTIES LABELS unit ENVIRONMENT
    "GTEST_OUTPUT=xml:${symc_BINARY_DIR}/test-results/unit-${name}.xml;ASAN_OPTIONS=allocator_may_return_null=1:${SYMC_ASAN_OPTIONS}")
endfunction()

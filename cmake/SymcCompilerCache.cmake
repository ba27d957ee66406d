# ccache, where it is installed: a second checkout on the machine takes the objects of the first.
# What would distinguish checkouts is left out of the key: paths below the checkout count
# from the build folder, and precompiled headers, which hold absolute paths, count as what
# they are made of (symc_cache_precompiled).
# -DSYMC_COMPILER_CACHE=OFF and a CMAKE_CXX_COMPILER_LAUNCHER of the user's leave all this out.
option(SYMC_COMPILER_CACHE "Compile by ccache where it is installed" ${PROJECT_IS_TOP_LEVEL})
find_program(SYMC_CCACHE ccache)
mark_as_advanced(SYMC_CCACHE)
if(CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_C_COMPILER_LAUNCHER OR NOT SYMC_CCACHE)
  set(SYMC_COMPILER_CACHE OFF)
endif()

if(SYMC_COMPILER_CACHE)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_PCH_EXTSUM=1 CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros)
  # Debug information names the folder of a compilation, so that it stays in the key there.
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    list(APPEND launcher CCACHE_NOHASHDIR=1)
  endif()
  list(APPEND launcher ${CMAKE_CURRENT_LIST_DIR}/compile-by-ccache ${SYMC_CCACHE} ${CMAKE_BINARY_DIR})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(SYMC_COMPILE_BY_KEY ${CMAKE_CURRENT_LIST_DIR}/compile-by-key ${SYMC_CCACHE})
endif()

# symc_cache_precompiled(TARGET HEADER): TARGET precompiles HEADER in this checkout itself; who
# reads the result has the checksum of HEADER and all that it includes in its key.
function(symc_cache_precompiled target header)
  if(NOT SYMC_COMPILER_CACHE)
    return()
  endif()
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "")
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  set(include_folders ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  list(TRANSFORM include_folders PREPEND -I)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -std=c++${CMAKE_CXX_STANDARD} ${definitions} ${include_folders} -E -dD ${header}
                  OUTPUT_VARIABLE text RESULT_VARIABLE failed ERROR_VARIABLE message)
  if(failed)
    message(FATAL_ERROR "symc: ${header} does not preprocess: ${message}")
  endif()
  # Lines that name files hold the checkout's path.
  string(REPLACE "${CMAKE_SOURCE_DIR}" "" text "${text}")
  string(SHA256 checksum "${text}")
  file(WRITE ${CMAKE_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch.sum "${checksum}\n")
endfunction()

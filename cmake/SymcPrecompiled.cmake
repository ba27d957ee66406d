# One parse of MLIR's headers for all of the compiler: a file of it costs a second
# instead of six. Templates of the headers are instantiated there, too.
option(SYMC_PRECOMPILED_HEADERS "Parse the headers of MLIR once for all files" ON)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(SYMC_PRECOMPILED_HEADERS OFF) # others keep no templates
endif()

if(SYMC_PRECOMPILED_HEADERS)
  add_library(SymcPrecompiled STATIC ${CMAKE_CURRENT_LIST_DIR}/precompiled.cpp)
  target_precompile_headers(SymcPrecompiled PRIVATE <cmake/precompiled.h>)
  # Files of a second checkout are as old as it is, which does not show what they hold.
  target_compile_options(SymcPrecompiled PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  symc_cache_precompiled(SymcPrecompiled ${CMAKE_CURRENT_LIST_DIR}/precompiled.h)
endif()

# symc_precompile(TARGET): the target's files read the precompiled headers first.
function(symc_precompile target)
  if(NOT SYMC_PRECOMPILED_HEADERS)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM SymcPrecompiled)
  # Programs are compiled as libraries are, whose headers they share.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

# Finds LLVM, MLIR and lld 22 and sets the flags that every target of symc uses.
# Only the shared targets `MLIR` and `LLVM` are ever linked: single MLIRxxx
# archives drag both shared libraries in a second time.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

separate_arguments(SYMC_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${SYMC_LLVM_DEFINITIONS})
find_program(SYMC_CLANG NAMES clang-22 clang REQUIRED HINTS ${LLVM_TOOLS_BINARY_DIR})

add_compile_options(-Wall -Wextra -Wno-unused-parameter
                    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
add_link_options(-fuse-ld=lld)
# LLVM's libraries have no ASan: what they allocate from an arena that symc's code began
# would count as poisoned.
set(SYMC_ASAN_OPTIONS allow_user_poisoning=0)
if(SYMC_SANITIZE)
  add_compile_options(-fsanitize=${SYMC_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${SYMC_SANITIZE})
endif()

# For targets that call code which symc compiled in the process: UBSan's check of function
# types reads eight bytes before a function, where such code may have no page.
function(symc_calls_compiled_code target)
  if(SYMC_SANITIZE MATCHES undefined)
    target_compile_options(${target} PRIVATE -fno-sanitize=function)
    # Headers that were parsed with other checks are none of its own.
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
# "ir/GraphDialect.h" is a source header, "ir/GraphDialect.h.inc" a generated
# one beside it in the build tree: the same spelling reaches both.
include_directories(${symc_SOURCE_DIR} ${symc_BINARY_DIR})

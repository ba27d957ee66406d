# Makes share/symc/<triple>/ in the build directory, the folder that the link of a
# compiled model reads and nothing else:
#   core main pictures images cuda optable kernels builtins train trainer, each as .bc and as .o;
#                for glibc library, too
#   optimizers   as .bc
#   builtins.a   16-bit float calls of LLVM, linked only where called
#   x86_64-linux-musl: rcrt1.o crt1.o Scrt1.o crti.o crtn.o libc.a, for static PIE
#   x86_64-linux-gnu:  Scrt1.o crti.o crtn.o libc_nonshared.a and the stubs
#                      libc.so.6 libm.so.6, for -dynamic and -shared
#   stamp        hash of the headers that these have in common with the compiler of the same build
# and share/symc/include/symc/: the headers for applications; share/symc/cuda: reference kernels
# as CUDA C++.
# Compiled by clang 22 whatever compiler builds symc, since the bitcode is linked
# with modules of LLVM 22.
function(symc_find_llvm variable name)
  find_program(${variable} NAMES ${name}-22 HINTS /usr/lib/llvm-22/bin)
  if(NOT ${variable})
    find_program(${variable} NAMES ${name} HINTS /usr/lib/llvm-22/bin REQUIRED)
  endif()
endfunction()
symc_find_llvm(SYMC_CLANGXX clang++)
symc_find_llvm(SYMC_LLVM_LINK llvm-link)
symc_find_llvm(SYMC_LLVM_AR llvm-ar)
symc_find_llvm(SYMC_LLVM_READELF llvm-readelf)
symc_find_llvm(SYMC_LLD ld.lld)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

if(NOT EXISTS ${SYMC_MUSL_LIB}/libc.a)
  message(FATAL_ERROR "no libc.a in ${SYMC_MUSL_LIB}: install musl-dev, or name its folder "
    "with -DSYMC_MUSL_LIB=DIR, or build without executables: -DSYMC_RUNTIME_RESOURCES=OFF")
endif()

set(resource_files)
set(bitcode_flags ${freestanding} -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections
    -fno-unwind-tables -fno-asynchronous-unwind-tables -fno-stack-protector -fno-ident
    -DNDEBUG -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=0 -I${runtime}/include -I${SYMC_GENERATED_INCLUDE}
    -isystem ${SYMC_STB_HARDENED} -ffile-prefix-map=${runtime}=runtime)
# What reads files of strangers finds an overrun of its buffers. The checks of copies and formats
# are glibc's; musl's headers have none.
set(reader_flags -fstack-protector-strong)
set(reader_flags_x86_64-linux-gnu -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
set(flags_x86_64-linux-musl -nostdlibinc -isystem ${SYMC_MUSL_INCLUDE})
set(flags_x86_64-linux-gnu)

# symc_bitcode(TRIPLE PART OPTIMISATION SOURCES...): share/symc/TRIPLE/PART.bc and PART.o
function(symc_bitcode triple part optimisation)
  set(folder ${SYMC_RESOURCE_DIR}/${triple})
  set(pieces)
  foreach(source ${ARGN})
    file(RELATIVE_PATH name ${runtime} ${source})
    set(piece ${CMAKE_CURRENT_BINARY_DIR}/bitcode/${triple}/${name}.bc)
    cmake_path(GET piece PARENT_PATH piece_folder)
    file(MAKE_DIRECTORY ${piece_folder})
    set(params)
    set(hardening)
    if(part MATCHES "^(main|trainer|pictures|images)$")
      set(hardening ${reader_flags} ${reader_flags_${triple}})
    endif()
    if(TARGET SymcOpTable AND part STREQUAL kernels)
      set(params SymcOpTable)
    endif()
    add_custom_command(OUTPUT ${piece}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${SYMC_CLANGXX} --target=${triple} ${optimisation} ${bitcode_flags}
              ${flags_${triple}} ${hardening}
              -emit-llvm -c ${source} -o ${piece} -MD -MF ${piece}.d
      DEPENDS ${source} ${params} DEPFILE ${piece}.d VERBATIM
      COMMENT "Bitcode ${triple}/${name}")
    list(APPEND pieces ${piece})
  endforeach()
  set(by_key)
  if(SYMC_COMPILE_BY_KEY)
    set(by_key ${SYMC_COMPILE_BY_KEY} ${folder}/${part}.bc ${folder}/${part}.o)
  endif()
  add_custom_command(OUTPUT ${folder}/${part}.bc ${folder}/${part}.o
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${SYMC_LLVM_LINK} ${pieces} -o ${folder}/${part}.bc
    COMMAND ${by_key} ${SYMC_CLANGXX} --target=${triple} -O2 -fPIC -ffunction-sections -fdata-sections
            -c ${folder}/${part}.bc -o ${folder}/${part}.o
    DEPENDS ${pieces} VERBATIM COMMENT "Resource ${triple}/${part}")
  set(resource_files ${resource_files} ${folder}/${part}.bc ${folder}/${part}.o PARENT_SCOPE)
endfunction()

# symc_link_file(TRIPLE FILE): copies a start file or an archive
function(symc_link_file triple file)
  cmake_path(GET file FILENAME name)
  set(copy ${SYMC_RESOURCE_DIR}/${triple}/${name})
  add_custom_command(OUTPUT ${copy}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${SYMC_RESOURCE_DIR}/${triple}
    COMMAND ${CMAKE_COMMAND} -E copy ${file} ${copy}
    DEPENDS ${file} VERBATIM)
  set(resource_files ${resource_files} ${copy} PARENT_SCOPE)
endfunction()

foreach(triple x86_64-linux-musl x86_64-linux-gnu)
  symc_bitcode(${triple} core -Os ${core_sources})
  symc_bitcode(${triple} main -Os ${main_sources} ${start_sources})
  symc_bitcode(${triple} cuda -Os ${cuda_sources})
  symc_bitcode(${triple} train -Os ${train_sources} ${train_option_sources})
  # In the place of main in a program that trains.
  symc_bitcode(${triple} trainer -Os ${main_sources} ${trainer_sources} ${augment_sources})
  # Without vectors: symc makes them for the model's target, as of kernels.
  symc_bitcode(${triple} optimizers
    "-O2;-fno-vectorize;-fno-slp-vectorize;-mllvm;-unroll-runtime=false" ${optimizer_sources})
  symc_bitcode(${triple} pictures -Os ${picture_sources})
  symc_bitcode(${triple} images "-Os;-fwrapv" ${image_sources})
  symc_bitcode(${triple} builtins -O2 ${builtin_sources})
  if(triple MATCHES gnu)
    symc_bitcode(${triple} library -Os ${runtime}/library/exit_handlers.cpp
      ${runtime}/library/stay_loaded.cpp)
  endif()
  if(has_kernels)
    symc_bitcode(${triple} optable -Os ${optable_sources})
    if(kernel_sources)
      # Without vectors: symc makes them for the model's target (codegen/emit/CodeUnit.h).
      symc_bitcode(${triple} kernels
        "-O2;-fno-vectorize;-fno-slp-vectorize;-mllvm;-unroll-runtime=false" ${kernel_sources})
    endif()
  endif()
  set(archive ${SYMC_RESOURCE_DIR}/${triple}/builtins.a)
  add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${SYMC_LLVM_AR} rcsD ${archive} ${SYMC_RESOURCE_DIR}/${triple}/builtins.o
    DEPENDS ${SYMC_RESOURCE_DIR}/${triple}/builtins.o VERBATIM)
  list(APPEND resource_files ${archive})
endforeach()

foreach(name rcrt1.o crt1.o Scrt1.o crti.o crtn.o libc.a)
  symc_link_file(x86_64-linux-musl ${SYMC_MUSL_LIB}/${name})
endforeach()

# What an application includes beside the generated header.
foreach(name types.h spans.h abi.h custom_op.h runtime.h train.h status.hpp model.hpp trainer.hpp)
  set(copy ${SYMC_RESOURCE_DIR}/include/symc/${name})
  add_custom_command(OUTPUT ${copy}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${SYMC_RESOURCE_DIR}/include/symc
    COMMAND ${CMAKE_COMMAND} -E copy ${runtime}/include/symc/${name} ${copy}
    DEPENDS ${runtime}/include/symc/${name} VERBATIM)
  list(APPEND resource_files ${copy})
endforeach()

# Reference kernels as text, for CUDA devices.
if(TARGET SymcOpTable)
  add_custom_command(OUTPUT ${SYMC_RESOURCE_DIR}/cuda/kernels.txt
    COMMAND ${Python3_EXECUTABLE} ${runtime}/make_device_sources.py ${runtime} ${SYMC_GENERATED_INCLUDE}
            ${SYMC_RESOURCE_DIR}/cuda
    DEPENDS ${runtime}/make_device_sources.py ${runtime}/cuda_prelude.inc ${runtime_headers} ${kernel_sources} SymcOpTable VERBATIM
    COMMENT "Resource cuda")
  list(APPEND resource_files ${SYMC_RESOURCE_DIR}/cuda/kernels.txt)
endif()

set(glibc ${SYMC_GLIBC_LIB})
foreach(name Scrt1.o crti.o crtn.o libc_nonshared.a)
  symc_link_file(x86_64-linux-gnu ${glibc}/${name})
endforeach()
foreach(name libc.so.6 libm.so.6)
  set(stub ${SYMC_RESOURCE_DIR}/x86_64-linux-gnu/${name})
  add_custom_command(OUTPUT ${stub}
    COMMAND ${Python3_EXECUTABLE} ${runtime}/make_stub.py --readelf ${SYMC_LLVM_READELF}
            --clang ${SYMC_CLANGXX} --lld ${SYMC_LLD} --triple x86_64-linux-gnu
            ${glibc}/${name} ${stub}
    DEPENDS ${runtime}/make_stub.py ${glibc}/${name} VERBATIM COMMENT "Stub of ${name}")
  list(APPEND resource_files ${stub})
endforeach()

list(APPEND resource_files ${stamps})
add_custom_target(symc-resources ALL DEPENDS ${resource_files})
# Their names, by which the wheel's backend finds a build that stopped halfway.
set(names ${resource_files})
list(TRANSFORM names REPLACE "^${SYMC_RESOURCE_DIR}/" "")
list(JOIN names "\n" names)
file(WRITE ${SYMC_RESOURCE_DIR}.files "${names}\n")

# A symc that is built already, SYMC_EXECUTABLE, in a project that takes symc's sources in for
# symc_add_model and the headers: nothing of the compiler is built, and no LLVM is needed.
include(SymcModel)

get_filename_component(folder "${SYMC_EXECUTABLE}" DIRECTORY)
if(NOT EXISTS "${SYMC_EXECUTABLE}" OR NOT EXISTS "${folder}/../share/symc")
  message(FATAL_ERROR "SYMC_EXECUTABLE is '${SYMC_EXECUTABLE}', which is no symc with share/symc beside its folder")
endif()
add_executable(symc::symc IMPORTED GLOBAL)
set_target_properties(symc::symc PROPERTIES IMPORTED_LOCATION "${SYMC_EXECUTABLE}")
if(EXISTS "${folder}/symc-run")
  add_executable(symc::run IMPORTED GLOBAL)
  set_target_properties(symc::run PROPERTIES IMPORTED_LOCATION "${folder}/symc-run")
endif()
add_library(symc-headers INTERFACE)
target_include_directories(symc-headers INTERFACE
  ${symc_SOURCE_DIR}/runtime/include ${symc_SOURCE_DIR}/tools/libsymc/include ${symc_SOURCE_DIR}/tools/predict/include)
add_library(symc::headers ALIAS symc-headers)

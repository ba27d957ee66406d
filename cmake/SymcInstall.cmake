# Installs symc: the programs with share/symc beside them (symc and libsymc look for ../share/symc from their own
# folders, libsymc for ../../share/symc, too, whatever the prefix), their manual pages and completions, the headers
# for applications, libsymc, libsymc_predict, the runtime for programs that take any model by its table, and what lets
# find_package(symc) and pkg-config find all of it. The tree may be moved as a whole; libLLVM and libMLIR are found
# where they were when symc was built. Each COMPONENT has the name of a Debian package (SymcPackages.cmake).
# A project that takes symc in has the same targets and symc_add_model, and installs nothing of it
# unless SYMC_INSTALL is set.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(SymcModel)

# symcConfig.cmake.in gives their files to imported targets.
set(programs symc symc-run)
set(tools symc-opt symc-lsp symc-reduce)
set(libraries symc-library symc-predict symc_runtime symc_runtime_kernels)
foreach(target ${programs} ${tools} ${libraries} symc-resources)
  if(NOT TARGET ${target})
    message(STATUS "symc: no target ${target}, and so no install: all rooms and the runtime's resources make one")
    return()
  endif()
endforeach()

add_library(symc-headers INTERFACE)
target_include_directories(symc-headers INTERFACE
  ${symc_SOURCE_DIR}/runtime/include ${symc_SOURCE_DIR}/tools/libsymc/include ${symc_SOURCE_DIR}/tools/predict/include
  ${symc_BINARY_DIR}/include)
add_library(symc::headers ALIAS symc-headers)
add_executable(symc::symc ALIAS symc)
add_executable(symc::run ALIAS symc-run)
add_library(symc::libsymc ALIAS symc-library)
add_library(symc::predict ALIAS symc-predict)
add_library(symc::runtime ALIAS symc_runtime)
add_library(symc::kernels ALIAS symc_runtime_kernels)

# The build tree has the same: the wheel of the Python package takes its files, and LLVM's lie in ../lib there.
# CMake would make up for another length with colons, and an empty place is the current folder.
set_target_properties(${programs} ${tools} symc-library symc-predict PROPERTIES
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib" INSTALL_RPATH_USE_LINK_PATH ON)

# Another project's components and packages are its own.
option(SYMC_INSTALL "Install symc with the project" ${PROJECT_IS_TOP_LEVEL})
if(NOT SYMC_INSTALL)
  return()
endif()
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME libsymc-dev)
install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT symc)
install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT symc-tools)
install(TARGETS ${libraries}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libsymc0 NAMELINK_COMPONENT libsymc-dev
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${symc_BINARY_DIR}/share/symc/ DESTINATION ${CMAKE_INSTALL_BINDIR}/../share/symc COMPONENT symc)
install(DIRECTORY runtime/include/symc tools/libsymc/include/symc tools/predict/include/symc
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.h PATTERN *.hpp)
install(DIRECTORY ${symc_BINARY_DIR}/symc/generated/op_params DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/symc/generated)
install(FILES ${symc_BINARY_DIR}/symc/generated/op_params.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/symc/generated)
install(FILES ${symc_BINARY_DIR}/include/symc/operators.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/symc)
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/symc COMPONENT symc-terms)
# The pages name files of examples by the path that these have beside them.
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/symc COMPONENT symc)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/symc COMPONENT symc
  PATTERN __pycache__ EXCLUDE)
foreach(program ${programs} ${tools})
  set(component symc)
  if(program IN_LIST tools)
    set(component symc-tools)
  endif()
  install(FILES ${symc_BINARY_DIR}/man/${program}.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
endforeach()
install(DIRECTORY ${symc_BINARY_DIR}/completions/bash/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT symc)
# Debian's packages have theirs in another folder than what is installed by hand.
install(DIRECTORY ${symc_BINARY_DIR}/completions/zsh/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT symc-zsh)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/symc)
configure_package_config_file(cmake/symcConfig.cmake.in ${symc_BINARY_DIR}/cmake/symcConfig.cmake
  INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${symc_BINARY_DIR}/cmake/symcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${symc_BINARY_DIR}/cmake/symcConfig.cmake ${symc_BINARY_DIR}/cmake/symcConfigVersion.cmake
  cmake/SymcModel.cmake DESTINATION ${package})

# From the folder of symc.pc to the prefix, so that the tree may be moved.
file(RELATIVE_PATH SYMC_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" SYMC_PREFIX_FROM_PC "${SYMC_PREFIX_FROM_PC}")
configure_file(cmake/symc.pc.in ${symc_BINARY_DIR}/cmake/symc.pc @ONLY)
foreach(name symc libsymc libsymc_predict)
  configure_file(cmake/${name}.pc.in ${symc_BINARY_DIR}/cmake/${name}.pc @ONLY)
endforeach()
install(FILES ${symc_BINARY_DIR}/cmake/symc.pc ${symc_BINARY_DIR}/cmake/libsymc.pc
  ${symc_BINARY_DIR}/cmake/libsymc_predict.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL)
  include(SymcPackages)
endif()

# Debian packages by CPack: `cpack -G DEB` in a build folder, or tools/scripts/make-packages, which builds first.
#
#   symc          symc, symc-run, what symc links into models, manual pages, completions
#   symc-tools    symc-opt, symc-lsp, symc-reduce
#   libsymc0      the compiler's front as a library, which programs and the Python package open
#   libsymc-dev   headers, the runtime's archives, the CMake package, symc.pc
#   python3-symc  the Python package, for the system's Python
#
# Only where symc is the project that is built: a project that takes it in has packages of its own. Dependencies on
# libraries come from dpkg-shlibdeps: those of LLVM's packages are of Debian, or of apt.llvm.org where symc was built
# with that.
set(SYMC_PACKAGE_MAINTAINER "The symc authors <symc@packages.invalid>" CACHE STRING
    "Who makes the packages and answers for them: NAME <ADDRESS>")
set(sources ${symc_SOURCE_DIR}/tools/packages/debian)
set(made ${symc_BINARY_DIR}/packaging)
set(doc ${CMAKE_INSTALL_DATADIR}/doc)

set(CPACK_PACKAGE_NAME symc)
set(CPACK_PACKAGE_VENDOR symc)
set(CPACK_PACKAGE_VERSION ${symc_VERSION})
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL symc symc-tools libsymc0 libsymc-dev python3-symc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${SYMC_PACKAGE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_THREADS 0)
set(same "(= ${symc_VERSION})")
set(llvm libllvm${LLVM_VERSION_MAJOR}) # dpkg-shlibdeps finds it at times only: llvm-dev has a link to it

# symc_package(NAME SECTION SUMMARY TEXT): what all packages have. NAME is also the component.
macro(symc_package name section summary text)
  string(TOUPPER ${name} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}")
  install(FILES ${sources}/copyright ${made}/changelog.gz
    DESTINATION ${doc}/${name} COMPONENT ${name} EXCLUDE_FROM_ALL)
  if(EXISTS ${sources}/${name}.lintian-overrides)
    install(FILES ${sources}/${name}.lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
      COMPONENT ${name} EXCLUDE_FROM_ALL RENAME ${name})
  endif()
endmacro()

symc_package(symc devel "compiler for MXNet's models"
"symc makes an executable, a library or an object of a model description and its
weights, as any MXNet from 0.7 to 2.0 wrote them. What it makes needs no MXNet,
no Python and no framework.
.
symc-run runs, times and checks models.")
set(CPACK_DEBIAN_SYMC_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SYMC_PACKAGE_DEPENDS ${llvm})
install(FILES ${made}/CHANGELOG.md.gz DESTINATION ${doc}/symc COMPONENT symc EXCLUDE_FROM_ALL)
set(CPACK_DEBIAN_SYMC_PACKAGE_SUGGESTS "libsymc-dev, python3-symc, libopenblas0 | liblapack3")
install(DIRECTORY ${symc_BINARY_DIR}/completions/zsh/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT symc EXCLUDE_FROM_ALL)

symc_package(symc-tools devel "tools for the IR of the symc compiler"
"symc-opt runs single passes over textual IR, symc-lsp serves editors for
it, and symc-reduce shrinks what a script finds interesting.")
set(CPACK_DEBIAN_SYMC-TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SYMC-TOOLS_PACKAGE_DEPENDS ${llvm})
set(CPACK_DEBIAN_SYMC-TOOLS_PACKAGE_SUGGESTS symc)

symc_package(libsymc0 libs "MXNet's symbols as a library"
"libsymc composes symbols by MXNet's names, infers shapes and types, and
reads and writes MXNet's symbol files.")
set(CPACK_DEBIAN_LIBSYMC0_PACKAGE_SHLIBDEPS ON)
file(CONFIGURE OUTPUT ${made}/shlibs CONTENT "libsymc 0 libsymc0 (>= @symc_VERSION@)\nlibsymc_predict 0 libsymc0 (>= @symc_VERSION@)\n" @ONLY)
set(CPACK_DEBIAN_LIBSYMC0_PACKAGE_DEPENDS ${llvm})
set(CPACK_DEBIAN_LIBSYMC0_PACKAGE_CONTROL_EXTRA "${made}/shlibs;${sources}/triggers")

symc_package(libsymc-dev libdevel "headers of libsymc and the runtime of compiled models"
"Headers for C and C++ (symc/symc.h, symc/symbol.hpp, symc/model.hpp,
symc/runtime.h), the runtime as archives, symc.pc, and the CMake package with
symc_add_model, which compiles a model as a target.")
set(CPACK_DEBIAN_LIBSYMC-DEV_PACKAGE_DEPENDS "libsymc0 ${same}, symc ${same}")

symc_package(python3-symc python "MXNet's symbols and compiled models in Python"
"Composes networks by MXNet's names (import symc as mx), compiles them by
symc and runs them on NumPy's arrays.")
set(CPACK_DEBIAN_PYTHON3-SYMC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON3-SYMC_PACKAGE_DEPENDS "python3:any (>= 3.9), python3-numpy, libsymc0 ${same}, symc ${same}")
set(CPACK_DEBIAN_PYTHON3-SYMC_PACKAGE_CONTROL_EXTRA "${sources}/postinst;${sources}/prerm")
set(packages lib/python3/dist-packages)
install(DIRECTORY ${symc_BINARY_DIR}/python/symc DESTINATION ${packages} COMPONENT python3-symc EXCLUDE_FROM_ALL
  PATTERN __pycache__ EXCLUDE)
install(FILES ${made}/METADATA DESTINATION ${packages}/symc-${symc_VERSION}.dist-info
  COMPONENT python3-symc EXCLUDE_FROM_ALL)

add_custom_command(OUTPUT ${made}/changelog.gz ${made}/CHANGELOG.md.gz ${made}/METADATA
  COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE}
          ${symc_SOURCE_DIR}/tools/packages/make_package_files.py ${made} ${SYMC_PACKAGE_MAINTAINER}
  DEPENDS ${symc_SOURCE_DIR}/tools/packages/make_package_files.py ${symc_SOURCE_DIR}/CHANGELOG.md
          ${symc_SOURCE_DIR}/tools/python/wheel/backend.py VERBATIM)
add_custom_target(symc-package-files ALL DEPENDS ${made}/changelog.gz)
# All that the packages hold.
add_custom_target(symc-packages)
add_dependencies(symc-packages ${programs} ${tools} ${libraries} symc-resources symc-operators symc-python symc-manual
  symc-package-files)
include(CPack)

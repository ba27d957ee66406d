# The Python that the build and the tests run, which needs NumPy: what the package's stubs are made
# of imports it. The first python3 of PATH that has it, else the system's, for which tools/scripts/setup
# installs it; a shell's own (pyenv, conda, a virtual environment) may have none.
# -DPython3_EXECUTABLE=FILE takes another one. Where none has NumPy, find_package chooses, and the
# step that needs it fails by a sentence.
if(NOT Python3_EXECUTABLE)
  string(REPLACE ":" ";" symc_python_folders "$ENV{PATH}")
  foreach(folder IN LISTS symc_python_folders ITEMS /usr/bin)
    if(EXISTS "${folder}/python3")
      # A shim names the program behind it.
      execute_process(COMMAND "${folder}/python3" -c "import numpy, sys; assert sys.version_info >= (3, 9); print(sys.executable)"
        OUTPUT_VARIABLE found RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
      if(failed EQUAL 0)
        set(Python3_EXECUTABLE "${found}")
        break()
      endif()
    endif()
  endforeach()
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Writes a page from a program's --help: cmake -DPROGRAM=... -DPAGE=... -P HelpPage.cmake
execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
get_filename_component(name ${PROGRAM} NAME)
file(WRITE ${PAGE} "# ${name}\n\nGenerated from `${name} --help`; do not edit. Programs that symc makes, and the "
  "environment variables that they read, are in [runtime-reference.md](runtime-reference.md).\n\n```\n${help}```\n")

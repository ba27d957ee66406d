// main.cpp: the program symc-run.
#include "tools/symc-run/SymcRun.h"

int main(int argc, char **argv) { return symc::run::symcRun(argc, argv); }

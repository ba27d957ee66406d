// exit_handlers.cpp: runs what code of a shared library has registered for the end of the process
// (destructors of C++ objects in kernels of custom operators) when the library is unloaded, before
// its code is gone. A program has this from its compiler's crtbeginS.o; symc links without one.
// First in the link, so that it runs after the other destructors of the library.
extern "C" {
extern void *__dso_handle __attribute__((visibility("hidden"))); // its address names the library
void __cxa_finalize(void *library);
}

__attribute__((destructor)) static void runExitHandlers() { __cxa_finalize(&__dso_handle); }

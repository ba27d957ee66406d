// precompiled.cpp: precompiled.h is compiled for the sake of this file.

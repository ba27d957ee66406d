/* The Python module digits_reader: read(pixels) gives the chances of the ten digits. `pixels` is
 * any object with the buffer protocol that holds 784 float32 in one piece: a NumPy array,
 * array('f') or bytes. The model is linked into the module; a context of it lives as long as the
 * module. Calls hold Python's lock, so that the context is one thread's at a time. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "digits.h"

enum { Pixels = 28 * 28, Digits = 10 };

typedef struct {
  symc_context *context;
} State;

static PyObject *digits_read(PyObject *module, PyObject *pixels) {
  State *state = PyModule_GetState(module);
  Py_buffer view;
  if (PyObject_GetBuffer(pixels, &view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS))
    return NULL;
  const char *format = view.format && *view.format ? view.format : "B";
  int floats = strcmp(format, "f") == 0 || strcmp(format, "<f") == 0 || view.itemsize == 1;
  if (!floats || view.len != Pixels * sizeof(float) || (size_t)view.buf % sizeof(float)) {
    PyErr_Format(PyExc_ValueError, "pixels: expected %d bytes of float32, got %zd of format '%s'",
                 (int)(Pixels * sizeof(float)), view.len, format);
    PyBuffer_Release(&view);
    return NULL;
  }
  float chances[Digits];
  int failed = digits_predict(state->context, view.buf, chances);
  PyBuffer_Release(&view);
  if (failed)
    return PyErr_Format(PyExc_RuntimeError, "%s", digits_last_error(state->context));
  PyObject *list = PyList_New(Digits);
  for (int i = 0; list && i < Digits; ++i) {
    PyObject *chance = PyFloat_FromDouble(chances[i]);
    if (!chance)
      Py_CLEAR(list);
    else
      PyList_SET_ITEM(list, i, chance);
  }
  return list;
}

static int digits_open(PyObject *module) {
  char why[256];
  symc_options options = {0};
  options.error = why;
  options.error_bytes = sizeof why;
  State *state = PyModule_GetState(module);
  if (!digits_create(&options, &state->context))
    return 0;
  PyErr_Format(PyExc_ImportError, "%s", why);
  return -1;
}

static void digits_close(void *module) {
  State *state = PyModule_GetState(module);
  if (state && state->context)
    digits_destroy(state->context);
}

static PyMethodDef methods[] = {
    {"read", digits_read, METH_O, "read(pixels): the chances of the ten digits, a list"},
    {NULL, NULL, 0, NULL}};

static PyModuleDef_Slot slots[] = {{Py_mod_exec, digits_open}, {0, NULL}};

static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                 .m_name = "digits_reader",
                                 .m_doc = "Reads digits by a model that symc compiled.",
                                 .m_size = sizeof(State),
                                 .m_methods = methods,
                                 .m_slots = slots,
                                 .m_free = digits_close};

PyMODINIT_FUNC PyInit_digits_reader(void) { return PyModuleDef_Init(&definition); }

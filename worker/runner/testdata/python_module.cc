// A compiled Python module as the build of a solution with binding `torch`
// makes them: run(x, factor, y) does y.copy_(x * factor). Declares by hand the
// little of Python's stable ABI that it uses, so that tests need no headers of
// Python.

#include <cstddef>

extern "C" {

struct PyObject {
  std::ptrdiff_t references;
  void* type;
};

struct PyMethodDef {
  const char* name;
  PyObject* (*function)(PyObject*, PyObject*);
  int flags;
  const char* doc;
};

struct PyModuleDef {
  struct {
    PyObject object;
    void* init;
    std::ptrdiff_t index;
    PyObject* copy;
  } base;
  const char* name;
  const char* doc;
  std::ptrdiff_t size;
  PyMethodDef* methods;
  void* slots;
  void* traverse;
  void* clear;
  void* free;
};

int PyArg_ParseTuple(PyObject* args, const char* format, ...);
PyObject* PyModuleDef_Init(PyModuleDef* module);
PyObject* PyNumber_Multiply(PyObject* a, PyObject* b);
PyObject* PyObject_CallMethod(PyObject* object, const char* name,
                              const char* format, ...);
void Py_DecRef(PyObject* object);

}  // extern "C"

namespace {

PyObject* Run(PyObject* module, PyObject* args) {
  PyObject* x = nullptr;
  PyObject* factor = nullptr;
  PyObject* y = nullptr;
  if (PyArg_ParseTuple(args, "OOO", &x, &factor, &y) == 0) return nullptr;
  PyObject* product = PyNumber_Multiply(x, factor);
  if (product == nullptr) return nullptr;
  PyObject* result = PyObject_CallMethod(y, "copy_", "O", product);
  Py_DecRef(product);
  return result;
}

constexpr int kVarargs = 1;

PyMethodDef methods[] = {{"run", &Run, kVarargs, nullptr}, {}};

PyModuleDef definition = {
    {{1, nullptr}, nullptr, 0, nullptr},
    "assay_torch_extension",
    nullptr,
    0,
    methods,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};

}  // namespace

extern "C" PyObject* PyInit_assay_torch_extension() {
  return PyModuleDef_Init(&definition);
}

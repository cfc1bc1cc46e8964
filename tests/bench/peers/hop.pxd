cimport cython

cdef int BYTES, TEXTS, NODE_PATH, ELEMENTS

@cython.locals(at=cython.Py_ssize_t, end=cython.Py_ssize_t, count=cython.Py_ssize_t, header=cython.uint, size=cython.int, texts=cython.uint)
cpdef Py_ssize_t hop(const unsigned int[::1] words, const int[::1] sizes)

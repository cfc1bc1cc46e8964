cimport cython

@cython.locals(low=Py_ssize_t, step=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t)
cpdef Py_ssize_t run_end(const unsigned int[::1] parent, Py_ssize_t begin, Py_ssize_t end, unsigned int owner) except -1

@cython.locals(total=Py_ssize_t, following=Py_ssize_t)
cpdef Py_ssize_t node_end(
    const unsigned int[::1] start, const unsigned int[::1] parent, Py_ssize_t node, Py_ssize_t end_of_data) except -1

@cython.locals(total=Py_ssize_t, begin=Py_ssize_t, end=Py_ssize_t, low=Py_ssize_t, middle=Py_ssize_t, node=Py_ssize_t)
cpdef Py_ssize_t deepest(
    const unsigned int[::1] start, const unsigned int[::1] parent, const unsigned int[::1] first, Py_ssize_t offset
) except -1

cimport cython

cdef int UNUSUAL, ARRAY, PAIRS, PACKED, TEXT, TEXTS, PATH, BOOL, NOTHING
cdef unsigned int INT_MAX, SHARED

@cython.locals(
    size=Py_ssize_t, values=Py_ssize_t, heads=Py_ssize_t, header=cython.uint, index=Py_ssize_t, step=cython.int,
    after=Py_ssize_t, count=Py_ssize_t)
cpdef Py_ssize_t hop(
    const unsigned char[::1] raw, Py_ssize_t at, Py_ssize_t goal, const int[::1] steps, const int[::1] sizes, bint filled,
    long long[::1] tally) except -1

@cython.locals(size=Py_ssize_t, length=Py_ssize_t, begin=Py_ssize_t)
cpdef Py_ssize_t text_end(const unsigned char[::1] raw, Py_ssize_t at, bint closed, bint filled) except -1 nogil

@cython.locals(lead=cython.uint, more=Py_ssize_t, k=Py_ssize_t)
cpdef bint is_clean(const unsigned char[::1] raw, Py_ssize_t at, Py_ssize_t end, bint closed) except -1 nogil

@cython.locals(end=Py_ssize_t, after=Py_ssize_t, k=Py_ssize_t)
cdef Py_ssize_t _behind(const unsigned char[::1] raw, Py_ssize_t at, Py_ssize_t length, bint filled) except -1 nogil

@cython.locals(word=cython.uint)
cdef unsigned int _word(const unsigned char[::1] raw, Py_ssize_t at) except? 0xFFFFFFFF nogil

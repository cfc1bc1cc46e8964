cimport cython

cdef int FIXED, TEXT, HEAD, OTHER
cdef unsigned int SHORT, HIGH_BITS

cdef class Tints:
    cdef object _table, _indexes
    cdef list _plan
    cdef unsigned int _mask
    cdef bint _is_closed

    @cython.locals(
        first=cython.const_uint[::1], parent=cython.const_uint[::1], words=cython.const_uint[::1], total=Py_ssize_t,
        plan=list, texts=list, limit=Py_ssize_t, mask=cython.uint, base=Py_ssize_t, owner=cython.uint, odd=Py_ssize_t,
        way=cython.int, child=Py_ssize_t, place=Py_ssize_t, header=cython.uint, index=Py_ssize_t,
        length=cython.uint, codes=bytes)
    cdef object _walk(self, Py_ssize_t node, Py_ssize_t at, Py_ssize_t end, list out)
    @cython.locals(parent=cython.const_uint[::1], owner=cython.uint, total=Py_ssize_t)
    cdef Py_ssize_t _following(self, Py_ssize_t node) except -1

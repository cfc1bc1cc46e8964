cimport cython

cdef int UNUSUAL, ARRAY, PAIRS, PACKED, TEXT, TEXTS, PATH
cdef unsigned int NONE, NOWHERE, INT_MAX, SHARED, U32_MAX, HIGH_BITS, FLAG

cdef class Scan:
    cdef object buffer, progress
    cdef readonly object columns, heads
    cdef object dialect, plan, seen
    cdef unsigned int known_names
    cdef const unsigned char[::1] raw
    cdef const unsigned int[::1] words
    cdef const int[::1] steps, sizes
    cdef unsigned int[::1] start, parent, first
    cdef Py_ssize_t size
    cdef public Py_ssize_t most, used
    cdef Py_ssize_t widest
    cdef Py_ssize_t depth, deepest
    cdef public Py_ssize_t node, pos
    cdef Py_ssize_t report, stretch, low, held, whole
    cdef readonly unsigned int owner, short, named
    cdef unsigned int blank
    cdef unsigned int string, integer, mask
    cdef bint checks_text, is_resource, hops, is_sample
    cdef list outer

    @cython.locals(
        words=cython.const_uint[::1], raw=cython.const_uchar[::1], steps=cython.const_int[::1], sizes=cython.const_int[::1],
        bits=cython.uint, word=Py_ssize_t,
        start=cython.uint[::1], parent=cython.uint[::1], first=cython.uint[::1],
        capacity=Py_ssize_t, low=Py_ssize_t, held=Py_ssize_t, whole=Py_ssize_t, last=Py_ssize_t, node=Py_ssize_t,
        owner=cython.uint, used=Py_ssize_t, depth=Py_ssize_t, deepest=Py_ssize_t, short=cython.uint, named=cython.uint,
        most=Py_ssize_t, widest=Py_ssize_t, at=Py_ssize_t, limit=Py_ssize_t, in_object=bint, string=cython.uint, integer=cython.uint, header=cython.uint, index=Py_ssize_t,
        step=cython.int, after=Py_ssize_t, count=Py_ssize_t, length=Py_ssize_t)
    cdef int hop_on(self) except -1 nogil
    cdef int hop(self) except -1
    @cython.locals(length=Py_ssize_t, after=Py_ssize_t)
    cdef Py_ssize_t text_end(self, Py_ssize_t at) except -1 nogil
    cdef bint is_text(self, Py_ssize_t begin, Py_ssize_t length) except -1 nogil
    cdef bint move_window(self) except -1
    cpdef int leave(self) except -1
    @cython.locals(node=Py_ssize_t, owner=cython.uint)
    cdef int forget_unread(self) except -1

@cython.locals(lead=cython.uint, more=Py_ssize_t, low=cython.uint, high=cython.uint, k=Py_ssize_t)
cdef bint _is_utf8(const unsigned char[::1] raw, Py_ssize_t at, Py_ssize_t end) except -1 nogil

@cython.locals(view=cython.const_uchar[::1])
cdef bint _fits(raw) except -1

@cython.locals(k=Py_ssize_t)
cdef int _fill(unsigned int[::1] column, Py_ssize_t begin, Py_ssize_t end, unsigned int number) except -1

cimport cython

cdef int DOUBT, FAR, CLEAN, NOTHING, MOVE, ENTER, LEAVE, MIXED, FLOATS, STEPS, MOST_KEYS, PROBES
cdef int BOOL, FLOAT, WIDE_INT, WIDE_FLOAT, TEXT, ARRAY, TYPED, PAIRS, BYTES, PACKED, TEXTS, PATH
cdef Py_ssize_t ODD, SPAN, UNKNOWN
cdef unsigned int SHARED, INT_MAX, NOWHERE, SIGN, ALL_BITS, HIGH_BITS, LOW_BITS, SPACES
cdef unsigned int INFINITE, WIDE_INFINITE, BEYOND_F32
cdef unsigned long long MIX

cdef class Sieve:
    cdef object table, buffer
    cdef const unsigned char[::1] raw
    cdef const unsigned int[::1] words
    cdef const int[::1] steps, sizes, forms
    cdef unsigned int[::1] start, parent, first, found
    cdef unsigned long long[::1] slots
    cdef Py_ssize_t size, total, stretch, low, held, node, last, expected, left, count, room
    cdef unsigned int unseen, named, mask
    cdef bint climbing, done
    cdef list outer

    cdef int lay(self, Py_ssize_t pos) except -1
    cdef bint move(self, Py_ssize_t pos) except -1
    cdef list found_nodes(self)
    cdef int enter(self) except -1
    @cython.locals(
        start=cython.uint[::1], parent=cython.uint[::1], first=cython.uint[::1], found=cython.uint[::1],
        node=Py_ssize_t, last=Py_ssize_t, expected=Py_ssize_t, climbing=bint, named=cython.uint, unseen=cython.uint,
        total=Py_ssize_t, low=Py_ssize_t, left=Py_ssize_t, count=Py_ssize_t, room=Py_ssize_t, why=cython.int,
        pos=Py_ssize_t, after=Py_ssize_t, child=Py_ssize_t, inside=bint)
    cdef int hop(self) except -1
    cdef Py_ssize_t name(self, Py_ssize_t pos) except -2 nogil
    @cython.locals(header=cython.uint, at=Py_ssize_t, index=Py_ssize_t, step=cython.int, word=cython.uint, apart=cython.int, count=Py_ssize_t)
    cdef Py_ssize_t look(self, Py_ssize_t node, Py_ssize_t pos) except -2 nogil
    @cython.locals(low=cython.uint, high=cython.uint, odd=bint)
    cdef Py_ssize_t wide(self, int step, Py_ssize_t at) except -2 nogil
    @cython.locals(after=Py_ssize_t)
    cdef Py_ssize_t fill(self, Py_ssize_t at, Py_ssize_t count) except -2 nogil
    @cython.locals(child=Py_ssize_t, most=Py_ssize_t, pos=Py_ssize_t)
    cdef Py_ssize_t typed(self, Py_ssize_t node, Py_ssize_t at) except -2 nogil
    cdef Py_ssize_t texts(self, Py_ssize_t at, Py_ssize_t count) except -2 nogil
    @cython.locals(count=Py_ssize_t, flags=cython.uint)
    cdef Py_ssize_t path(self, Py_ssize_t at) except -2 nogil
    @cython.locals(
        length=Py_ssize_t, after=Py_ssize_t, whole=Py_ssize_t, k=Py_ssize_t, bits=cython.uint, gaps=cython.uint,
        word=cython.uint, mask=cython.uint)
    cdef Py_ssize_t text(self, Py_ssize_t at, int closed) except -2 nogil
    @cython.locals(key=Py_ssize_t, count=Py_ssize_t, mask=Py_ssize_t, k=Py_ssize_t, judged=cython.int)
    cdef int tell_apart(self, Py_ssize_t node) except -2 nogil
    @cython.locals(at=Py_ssize_t)
    cdef int form(self, Py_ssize_t pos) except -2 nogil
    @cython.locals(
        at=Py_ssize_t, after=Py_ssize_t, form=cython.int, mixed=cython.ulonglong, word=cython.uint, k=Py_ssize_t,
        slot=Py_ssize_t, _probe=Py_ssize_t)
    cdef int take_key(self, Py_ssize_t key, Py_ssize_t mask) except -2 nogil

cdef Py_ssize_t _index(unsigned int header) except -1 nogil

@cython.locals(at=Py_ssize_t, lead=cython.uint, more=Py_ssize_t, code=cython.uint, k=Py_ssize_t)
cdef bint _is_utf8(const unsigned char[::1] raw, Py_ssize_t begin, Py_ssize_t end) except -1 nogil

@cython.locals(view=cython.const_uchar[::1])
cdef bint _fits(raw) except -1

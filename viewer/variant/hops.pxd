cimport cython
from libc.string cimport memchr

cdef int TEXT, EXACT, BOOL, FLOATS, DOUBLES
cdef unsigned int SIGN, INFINITE, WIDE_INFINITE, FLAG, ONES, SIGNS, INT_MAX, NONE, NOWHERE
cdef int UNUSUAL, ARRAY, PAIRS, NUMBERS, CLOSED, TEXTS, LINK, PATH
cdef Py_ssize_t NOTHING, LINE

@cython.locals(at=Py_ssize_t, last=Py_ssize_t, behind=Py_ssize_t)
cdef Py_ssize_t _hop(
    const unsigned char[::1] raw, Py_ssize_t low, Py_ssize_t end, unsigned long long[::1] found, Py_ssize_t known,
    Py_ssize_t room) except -1

cdef inline Py_ssize_t line_at(const unsigned char[::1] raw, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Where the next LF is, *size* where there is none."""
    cdef const void* found = memchr(&raw[at], b'\n', size - at) if at < size else NULL
    return <const unsigned char*>found - &raw[0] if found != NULL else size

@cython.locals(at=Py_ssize_t, count=Py_ssize_t, most=Py_ssize_t, size=Py_ssize_t)
cpdef Py_ssize_t line_ends(const unsigned char[::1] raw, Py_ssize_t start, unsigned long long[::1] ends) except -1

@cython.locals(before=Py_ssize_t, longest=Py_ssize_t, k=Py_ssize_t)
cpdef Py_ssize_t longest_line(const unsigned long long[::1] ends) except -2

@cython.locals(k=Py_ssize_t)
cpdef int shift(unsigned int[::1] column, Py_ssize_t first, Py_ssize_t end, long long by) except -1

@cython.locals(
    text=cython.const_uchar[::1], count=Py_ssize_t, length=Py_ssize_t, key=Py_ssize_t, at=Py_ssize_t, k=Py_ssize_t)
cpdef Py_ssize_t equal_keys(
    const unsigned int[::1] start, Py_ssize_t first, Py_ssize_t stop, const unsigned char[::1] raw, Py_ssize_t low,
    Py_ssize_t size, unsigned int mask, unsigned int word, body, unsigned int[::1] found) except -1

@cython.locals(
    count=Py_ssize_t, types=Py_ssize_t, key=Py_ssize_t, at=Py_ssize_t, size=Py_ssize_t, odd=bint, header=cython.uint,
    number=cython.uint, index=Py_ssize_t)
cpdef Py_ssize_t odd_keys(
    const unsigned int[::1] start, Py_ssize_t first, Py_ssize_t stop, const unsigned char[::1] raw, Py_ssize_t low,
    unsigned int mask, const int[::1] forms, const int[::1] sizes, bint named, unsigned int[::1] found) except -1

@cython.locals(end=Py_ssize_t, high=cython.uint, wide=bint, step=Py_ssize_t, infinite=cython.uint)
cdef bint _is_plain(const unsigned char[::1] raw, Py_ssize_t at, Py_ssize_t size, int form) except -1 nogil

@cython.locals(length=Py_ssize_t)
cdef bint _is_plain_text(const unsigned char[::1] raw, Py_ssize_t at, Py_ssize_t size) except -1 nogil

@cython.locals(lead=cython.uint, four=cython.uint, more=Py_ssize_t, k=Py_ssize_t)
cdef bint _is_plain_run(const unsigned char[::1] raw, Py_ssize_t at, Py_ssize_t end) except -1 nogil

@cython.locals(surrogate=bint, long=bint, beyond=bint)
cdef Py_ssize_t _more(unsigned int lead, unsigned int second) except -1 nogil

@cython.locals(word=cython.uint)
cdef unsigned int _word(const unsigned char[::1] raw, Py_ssize_t at) except? 0xFFFFFFFF nogil

@cython.locals(
    at=Py_ssize_t, node=Py_ssize_t, owner=cython.uint, used=Py_ssize_t, depth=Py_ssize_t, held=Py_ssize_t,
    capacity=Py_ssize_t, last=Py_ssize_t, word=cython.uint, step=cython.int, after=Py_ssize_t, count=Py_ssize_t,
    k=Py_ssize_t)
cpdef hop_resource(
    long long[::1] state, const unsigned char[::1] raw, Py_ssize_t low, unsigned int[::1] start,
    unsigned int[::1] parent, unsigned int[::1] first, const int[::1] steps, const int[::1] sizes, unsigned int names,
    Py_ssize_t stop, unsigned int short, Py_ssize_t most, Py_ssize_t widest)

@cython.locals(size=Py_ssize_t, k=Py_ssize_t)
cdef Py_ssize_t _behind_parts(
    const unsigned char[::1] raw, Py_ssize_t at, int step, Py_ssize_t count, unsigned int names) except -1 nogil

@cython.locals(size=Py_ssize_t, length=Py_ssize_t, end=Py_ssize_t)
cdef Py_ssize_t _behind_text(const unsigned char[::1] raw, Py_ssize_t at) except -1 nogil

cimport cython
from libc.string cimport memchr

cdef int TEXT, EXACT, BOOL, FLOATS, DOUBLES
cdef unsigned int SIGN, INFINITE, WIDE_INFINITE, FLAG, ONES, SIGNS, INT_MAX, NONE, NOWHERE
cdef int UNUSUAL, ARRAY, PAIRS, NUMBERS, CLOSED, TEXTS, LINK, PATH
cdef int POS, NODE, OWNER, USED, DEPTH, NEXT, BASE, LEAST_RESOURCE
cdef Py_ssize_t NOTHING, LINE

@cython.locals(at=Py_ssize_t, last=Py_ssize_t, behind=Py_ssize_t)
cdef Py_ssize_t _hop(
    const unsigned char[::1] raw, Py_ssize_t low, Py_ssize_t end, unsigned long long[::1] found, Py_ssize_t known,
    Py_ssize_t room) except -1

cdef inline Py_ssize_t line_at(const unsigned char[::1] raw, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Where the next LF is, *size* where there is none."""
    cdef const void* found = memchr(&raw[at], b'\n', size - at) if at < size else NULL
    return <const unsigned char*>found - &raw[0] if found != NULL else size

cdef inline unsigned int word_at(const unsigned char* raw, Py_ssize_t at) noexcept nogil:
    """The unsigned little-endian word at *at*, of which somebody knows that it is there."""
    return raw[at] | <unsigned int>raw[at + 1] << 8 | <unsigned int>raw[at + 2] << 16 | <unsigned int>raw[at + 3] << 24

@cython.locals(at=Py_ssize_t, count=Py_ssize_t, most=Py_ssize_t, size=Py_ssize_t)
cpdef Py_ssize_t line_ends(
    const unsigned char[::1] raw, Py_ssize_t start, Py_ssize_t end, unsigned long long[::1] ends) except -1

@cython.locals(count=Py_ssize_t, k=Py_ssize_t)
cpdef Py_ssize_t letters(const unsigned char[::1] raw, Py_ssize_t start, Py_ssize_t end) except -1

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

cpdef hop_resource(
    long long[::1] state, const unsigned char[::1] raw, Py_ssize_t low, unsigned int[::1] start,
    unsigned int[::1] parent, unsigned int[::1] first, const int[::1] steps, const int[::1] sizes, unsigned int names,
    Py_ssize_t stop, unsigned int short, Py_ssize_t most, Py_ssize_t widest)

@cython.locals(
    at=Py_ssize_t, node=Py_ssize_t, owner=cython.uint, used=Py_ssize_t, depth=Py_ssize_t, held=Py_ssize_t,
    capacity=Py_ssize_t, last=Py_ssize_t, word=cython.uint, step=cython.int, after=Py_ssize_t, count=Py_ssize_t,
    k=Py_ssize_t)
cdef int _hop_values(
    long long[::1] state, const unsigned char[::1] raw, Py_ssize_t low, unsigned int[::1] start,
    unsigned int[::1] parent, unsigned int[::1] first, const int[::1] steps, const int[::1] sizes, unsigned int names,
    Py_ssize_t stop, unsigned int short, Py_ssize_t most, Py_ssize_t widest) except -1 nogil

@cython.locals(
    number=Py_ssize_t, base=Py_ssize_t, held=Py_ssize_t, capacity=Py_ssize_t, begin=Py_ssize_t,
    end=Py_ssize_t, size=Py_ssize_t, room=Py_ssize_t, at=Py_ssize_t, children=Py_ssize_t, k=Py_ssize_t,
    stop=Py_ssize_t, last=Py_ssize_t)
cpdef hop_resources(
    long long[::1] state, const unsigned char[::1] raw, Py_ssize_t low, const unsigned long long[::1] begins,
    const unsigned long long[::1] ends, unsigned int[::1] rows, unsigned int[::1] counts, unsigned int[::1] start,
    unsigned int[::1] parent, unsigned int[::1] first, const int[::1] steps, const int[::1] sizes, unsigned int names,
    Py_ssize_t of_all, Py_ssize_t longest)

@cython.locals(length=Py_ssize_t, behind=Py_ssize_t, k=Py_ssize_t)
cdef Py_ssize_t _behind_class(const unsigned char[::1] raw, Py_ssize_t at, Py_ssize_t end) except -1 nogil

@cython.locals(
    at=Py_ssize_t, number=Py_ssize_t, of_all=Py_ssize_t, size=Py_ssize_t, end=Py_ssize_t, high=cython.ulonglong)
cpdef hop_directory(
    long long[::1] state, const unsigned char[::1] raw, Py_ssize_t low, unsigned long long[::1] starts,
    unsigned long long[::1] targets)

@cython.locals(
    count=Py_ssize_t, many=Py_ssize_t, place=Py_ssize_t, target=cython.longlong, low=Py_ssize_t, high=Py_ssize_t,
    middle=Py_ssize_t, by=cython.longlong)
cpdef Py_ssize_t moved_places(
    const unsigned long long[::1] targets, const long long[::1] ends, const long long[::1] moved, long long size,
    unsigned int[::1] found, unsigned long long[::1] now) except -2

@cython.locals(k=Py_ssize_t, at=Py_ssize_t, number=cython.ulonglong, byte=cython.int)
cpdef Py_ssize_t put_words(
    unsigned char[::1] data, Py_ssize_t low, const unsigned long long[::1] starts, const unsigned int[::1] found,
    const unsigned long long[::1] now) except -2

@cython.locals(size=Py_ssize_t, k=Py_ssize_t)
cdef Py_ssize_t _behind_parts(
    const unsigned char[::1] raw, Py_ssize_t at, int step, Py_ssize_t count, unsigned int names) except -1 nogil

@cython.locals(size=Py_ssize_t, length=Py_ssize_t, end=Py_ssize_t)
cdef Py_ssize_t _behind_text(const unsigned char[::1] raw, Py_ssize_t at) except -1 nogil

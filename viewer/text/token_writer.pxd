cimport cython
from libc.string cimport memcpy

ctypedef const unsigned char *Raw
ctypedef const double *Reals

cdef unsigned char TAB, LINE, RETURN, BLANK, QUOTE, OPEN, CLOSE, PLUS, COMMA, MINUS, POINT
cdef unsigned char ZERO, NINE, SEMICOLON, EQUALS, UPPER_E, LOW_LINE, LOWER_E
cdef unsigned char BACKSLASH, UNSQUARE, DELETE, UPPER_A, UPPER_F, UPPER_Z, LOWER_U
cdef int HIGH_SURROGATE, LOW_SURROGATE, BEHIND_SURROGATES
cdef Py_ssize_t NOTHING, NO_ROOM, SLACK, WIDEST
cdef int NAMED, REALS, TEXTS, U8, I32, F32, F64
cdef int MOST_DIGITS
cdef Py_ssize_t MOST_EXPONENT
cdef long long EXACT, I32_MIN, I32_MAX, EXPONENT_BITS, EXPONENT_SIGN
cdef double F32_MAX

cdef class TokenWriter:
    cdef object owner
    cdef bytes text, sentinel, escape_table
    cdef bytearray written
    cdef list column_room
    cdef const unsigned char *raw
    cdef const unsigned char *escapes
    cdef const double *powers
    cdef unsigned char *out
    cdef unsigned int *inside
    cdef unsigned int *starts
    cdef unsigned int *ends
    cdef unsigned int *parents
    cdef bint is_json, is_resource
    cdef Py_ssize_t size, room, most, base, used, found, number, length
    cdef public Py_ssize_t at
    cdef unsigned int boolean, plan_type
    cdef Py_ssize_t plan_start, plan_end, plan_step
    cdef int plan_form, plan_width
    cdef long long whole
    cdef double decimal
    cdef bint is_simple, is_short, is_exact, is_whole

    cdef int take_room(self, Py_ssize_t size) except -1
    cdef unsigned int *words_of(self, bytearray room) except NULL
    @cython.locals(found=Py_ssize_t)
    cdef int add(self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t size) except -1
    cdef int head(self, unsigned int kind, unsigned int more) except -1
    @cython.locals(out=cython.p_uchar)
    cdef int word(self, Py_ssize_t to, unsigned int word) except -1
    cdef Py_ssize_t filled(self, Py_ssize_t to) except -3
    cdef int real(self, Py_ssize_t to, double real) except -1
    @cython.locals(narrow=cython.float)
    cdef int single(self, Py_ssize_t to, double real) except -1
    cdef int add_text(self, unsigned int kind, Py_ssize_t start, Py_ssize_t end) except -1
    @cython.locals(raw=Raw, out=cython.p_uchar, to=Py_ssize_t, length=Py_ssize_t, k=Py_ssize_t)
    cdef int copy(self, Py_ssize_t start, Py_ssize_t end) except -3
    @cython.locals(held=Raw, out=cython.p_uchar, to=Py_ssize_t, k=Py_ssize_t)
    cdef int put(self, bytes content) except -1
    @cython.locals(raw=Raw, at=Py_ssize_t, sign=cython.uchar)
    cdef int blank(self) except -1
    @cython.locals(
        raw=Raw, out=cython.p_uchar, begin=Py_ssize_t, size=Py_ssize_t, most=Py_ssize_t, is_simple=bint,
        sign=cython.uchar, code=cython.int, low=cython.int)
    cdef Py_ssize_t text_end(self, Py_ssize_t at, Py_ssize_t to) except -3
    @cython.locals(raw=Raw, code=cython.int, k=Py_ssize_t, sign=cython.uchar)
    cdef int code(self, Py_ssize_t at) except -3
    @cython.locals(out=cython.p_uchar)
    cdef Py_ssize_t put_sign(self, int code, Py_ssize_t to) except -3
    @cython.locals(
        raw=Raw, powers=Reals, mantissa=cython.longlong, digits=Py_ssize_t, power=Py_ssize_t, is_minus=bint,
        sign=cython.uchar, is_less=bint, raised=cython.longlong, decimal=cython.double, size=Py_ssize_t)
    cdef Py_ssize_t number_end(self, Py_ssize_t at) except -3
    @cython.locals(out=cython.p_uchar, number=cython.longlong)
    cdef Py_ssize_t put_number(self, Py_ssize_t to, int form) except -3
    @cython.locals(raw=Raw, length=Py_ssize_t, k=Py_ssize_t)
    cdef int take_plan(self, Py_ssize_t start, Py_ssize_t end) except -1
    @cython.locals(
        raw=Raw, out=cython.p_uchar, begin=Py_ssize_t, to=Py_ssize_t, count=Py_ssize_t, form=cython.int,
        step=Py_ssize_t, most=Py_ssize_t, length=Py_ssize_t)
    cdef Py_ssize_t call_end(self, Py_ssize_t start, Py_ssize_t at) except -3
    @cython.locals(length=Py_ssize_t, is_true=bint)
    cdef Py_ssize_t named(self, Py_ssize_t start, Py_ssize_t end) except -3
    @cython.locals(raw=Raw, held=Raw, k=Py_ssize_t)
    cdef bint reads(self, Py_ssize_t at, bytes word) except -1
    @cython.locals(raw=Raw, start=Py_ssize_t, is_call=bint)
    cdef Py_ssize_t tag_end(self, Py_ssize_t at) except -3
    cdef Py_ssize_t name_end(self, Py_ssize_t at) except -3

cdef bint is_word(unsigned char sign) noexcept
cdef bint is_space(unsigned char sign) noexcept
cdef const double *_reals(bytes room)
cdef unsigned char *_bytes(bytearray room)

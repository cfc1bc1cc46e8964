cimport cython
from viewer.text.token_writer cimport Raw, TokenWriter

cdef unsigned char TAB, RETURN, BLANK, QUOTE, AND, OPEN, CLOSE, PLUS, COMMA, MINUS, POINT, ZERO, NINE, COLON, EQUALS
cdef unsigned char SEMICOLON, DELETE
cdef unsigned char LOW_LINE, SQUARE, UNSQUARE, CURLY, UNCURLY, UPPER_A, UPPER_Z
cdef Py_ssize_t LEVEL, NOTHING, NO_ROOM, LONG_NUMBER
cdef int KEY, VALUE, BETWEEN, NUMBERS, GO, ON, FULL, ODD, DONE, TABLE, TYPED, SECTION, WHOLE, OTHER, PACKED

@cython.final
cdef class TokenHops(TokenWriter):
    cdef object places
    cdef bytearray result, levels
    cdef Py_ssize_t stretch, limit, first, stop, level, level_room, deepest, count_at, key_at, key_number, key_out
    cdef unsigned int table, array, string, integer, floating, name
    cdef bint was_closed
    cdef int state, kind
    cdef Py_ssize_t packed_step, packed_number, packed_at, packed_count
    cdef int packed_form
    cdef public Py_ssize_t section, count, section_end, sections, keys
    cdef public bint is_behind, is_done

    cdef int deepen(self) except -1
    cdef int bind(self) except -1
    cdef int flush(self) except -1
    cpdef int begin(self, Py_ssize_t at) except -1
    cpdef int begin_value(self, Py_ssize_t at) except -1
    cdef bint take_top(self) except -1
    cpdef bint step(self) except -1
    cdef int take_back(self) except -1
    cdef int take_one_back(self) except -1
    cdef int hand_over(self) except -1
    @cython.locals(words=cython.p_uint, sign=cython.uchar)
    cdef bint is_amid(self) except -1
    cdef int take_numbers_back(self) except -1
    @cython.locals(level=Py_ssize_t, top=Py_ssize_t, is_behind=bint)
    cdef int break_off(self) except -1
    @cython.locals(words=cython.p_uint, at=Py_ssize_t)
    cdef int restore(self) except -1
    @cython.locals(words=cython.p_uint, at=Py_ssize_t)
    cdef int remember(self) except -1
    cdef int close(self, Py_ssize_t number, Py_ssize_t end, Py_ssize_t count_at, Py_ssize_t count) except -1
    @cython.locals(sign=cython.uchar, why=cython.int)
    cdef int hop(self) except -1
    cdef bint is_over(self) except -1
    cdef int over(self) except -1
    @cython.locals(number=Py_ssize_t)
    cdef int open(self, int kind, Py_ssize_t start, Py_ssize_t at, Py_ssize_t header) except -1
    @cython.locals(raw=Raw, start=Py_ssize_t, end=Py_ssize_t, at=Py_ssize_t)
    cdef int section_or_key(self, unsigned char sign) except -1
    @cython.locals(raw=Raw)
    cdef int begin_section(self, Py_ssize_t at, Py_ssize_t end) except -1
    cdef int end_section(self) except -1
    @cython.locals(start=Py_ssize_t, end=Py_ssize_t, is_second=bint)
    cdef int value(self, unsigned char sign) except -1
    cdef int complete(self, Py_ssize_t end) except -1
    cdef int behind(self, unsigned char sign) except -1
    @cython.locals(raw=Raw, at=Py_ssize_t, held=Py_ssize_t)
    cdef int leave(self) except -1
    @cython.locals(at=Py_ssize_t)
    cdef Py_ssize_t plain_number(self, Py_ssize_t start, unsigned char sign) except -3
    @cython.locals(content=bytes, end=Py_ssize_t, is_table=bint)
    cdef int typed(self, Py_ssize_t start) except -1
    cdef int begin_packed(self, Py_ssize_t start, Py_ssize_t at) except -1
    @cython.locals(raw=Raw, at=Py_ssize_t, used=Py_ssize_t, size=Py_ssize_t)
    cdef int packed(self, unsigned char sign) except -1
    @cython.locals(content=bytes, end=Py_ssize_t)
    cdef Py_ssize_t spelled(self, Py_ssize_t start) except -3

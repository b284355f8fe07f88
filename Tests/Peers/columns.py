"""Prints the width of each assigned code point on a terminal, as ranges: first, last, columns.

Uses the package wcwidth if it is installed, else Python's Unicode data.
"""

import sys
import unicodedata

try:
    from wcwidth import wcwidth
except ImportError:

    def wcwidth(character):
        if "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7ff":
            return 0
        if character == "\u00ad":
            return 1
        if unicodedata.category(character) in ("Mn", "Me", "Cf", "Zl", "Zp"):
            return 0
        return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def columns(code):
    character = chr(code)
    if unicodedata.category(character) in ("Cn", "Cs", "Cc", "Co"):
        return None
    return max(0, wcwidth(character))


start, former = 0, None
for code in range(sys.maxunicode + 2):
    now = columns(code) if code <= sys.maxunicode else None
    if now != former:
        if former is not None:
            print(start, code - 1, former)
        start, former = code, now

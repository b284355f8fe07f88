#include "late_binding.h"

LATE_DECLARATION(idn_note, "libidn2.so.0", "recommended", "servers whose names contain non-ASCII letters");

#include "cutf8proc.h"

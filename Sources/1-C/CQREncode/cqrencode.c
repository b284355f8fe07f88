#include "cqrencode.h"

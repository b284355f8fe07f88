// The functions that are called must stand in cqrencode.c: the program is not linked with the library.
#pragma once
#include <stdlib.h>
#include <qrencode.h>

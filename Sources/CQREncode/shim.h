#pragma once
#include <stdlib.h>
#include <qrencode.h>

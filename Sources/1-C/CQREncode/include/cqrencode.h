// libqrencode. Programs that use this header are linked with it.
#pragma once
#include <stdlib.h>
#include <qrencode.h>

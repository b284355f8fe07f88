// libqrencode, which whatever uses this is linked with.
#pragma once
#include <stdlib.h>
#include <qrencode.h>

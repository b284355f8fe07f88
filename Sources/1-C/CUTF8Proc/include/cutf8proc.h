// libutf8proc. Programs that use this header are linked with it.
#pragma once
#include <utf8proc.h>

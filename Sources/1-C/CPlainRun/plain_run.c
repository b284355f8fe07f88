#include "plain_run.h"

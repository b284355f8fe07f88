#include "cbuildsettings.h"

const char *cbuildsettings_report_address(void) { return REPORT_ADDRESS; }

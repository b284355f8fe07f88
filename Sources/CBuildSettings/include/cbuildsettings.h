// Settings of the build, which Package.swift reads from environment variables.
#pragma once

/// REPORT_ADDRESS: the mail address for `homeline report`; empty if the build has none.
const char *cbuildsettings_report_address(void);

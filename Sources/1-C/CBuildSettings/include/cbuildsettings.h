// Build settings, which Package.swift reads from environment variables.
#pragma once

/// The email address for `homeline report`, from REPORT_ADDRESS; empty if the build sets none.
const char *cbuildsettings_report_address(void);

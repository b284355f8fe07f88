#pragma once

/// Whether opening this file fails.
int refuses_to_open(const char *path);

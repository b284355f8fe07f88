#pragma once

/// Whether a file of this name cannot be opened.
int refuses_to_open(const char *path);

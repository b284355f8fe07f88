#pragma once

/// Returns whether opening the given file fails.
int refuses_to_open(const char *path);

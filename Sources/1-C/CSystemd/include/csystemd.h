// The D-Bus client of libsystemd (sd-bus(3)), loaded at the first call. The program is not linked with the library and is built without its
// headers, so csystemd.c defines each function that is used. The declarations are those of systemd's stable interface (libsystemd.so.0,
// version 241 and later).
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;

/// The error of a call. The fields are NULL if the call succeeded.
typedef struct {
  const char *name;
  const char *message;
  int _need_free;
} sd_bus_error;

/// Loads libsystemd at the first call. Call it before any other function of this header. Returns NULL on success, otherwise an error
/// message, which the caller must copy immediately.
const char *csystemd_start(void);

// All functions that return int return a negative errno(3) on failure.

int sd_bus_new(sd_bus **bus);
int sd_bus_set_address(sd_bus *bus, const char *address);
int sd_bus_set_bus_client(sd_bus *bus, int isClient);
int sd_bus_set_method_call_timeout(sd_bus *bus, uint64_t microseconds);
int sd_bus_start(sd_bus *bus);
int sd_bus_is_ready(sd_bus *bus);
int sd_bus_process(sd_bus *bus, sd_bus_message **message);
int sd_bus_wait(sd_bus *bus, uint64_t microseconds);
int sd_bus_call(sd_bus *bus, sd_bus_message *message, uint64_t microseconds, sd_bus_error *error, sd_bus_message **reply);
int sd_bus_get_fd(sd_bus *bus);
/// Closes the connection without waiting, and releases it. Returns NULL.
sd_bus *sd_bus_close_unref(sd_bus *bus);
void sd_bus_error_free(sd_bus_error *error);

int sd_bus_message_new_method_call(
    sd_bus *bus, sd_bus_message **message, const char *destination, const char *path, const char *interface,
    const char *member);
int sd_bus_message_is_signal(sd_bus_message *message, const char *interface, const char *member);
int sd_bus_message_set_auto_start(sd_bus_message *message, int starts);
int sd_bus_message_append_basic(sd_bus_message *message, char type, const void *value);
int sd_bus_message_append_array(sd_bus_message *message, char type, const void *elements, size_t size);
int sd_bus_message_open_container(sd_bus_message *message, char type, const char *contents);
int sd_bus_message_close_container(sd_bus_message *message);
int sd_bus_message_read_basic(sd_bus_message *message, char type, void *value);
int sd_bus_message_read_array(sd_bus_message *message, char type, const void **elements, size_t *size);
int sd_bus_message_enter_container(sd_bus_message *message, char type, const char *contents);
int sd_bus_message_exit_container(sd_bus_message *message);
int sd_bus_message_skip(sd_bus_message *message, const char *types);
/// Releases the message. Returns NULL.
sd_bus_message *sd_bus_message_unref(sd_bus_message *message);

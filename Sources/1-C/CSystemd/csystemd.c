#include "late_binding.h"
#pragma GCC visibility push(hidden)
#include "csystemd.h"

LATE_BINDING(systemd, "libsystemd.so.0", "libsystemd0");

const char *csystemd_start(void) { return late_load(&systemd); }

int sd_bus_new(sd_bus **bus) { return LATE(systemd, sd_bus_new)(bus); }
int sd_bus_set_address(sd_bus *bus, const char *address) { return LATE(systemd, sd_bus_set_address)(bus, address); }
int sd_bus_set_bus_client(sd_bus *bus, int isClient) { return LATE(systemd, sd_bus_set_bus_client)(bus, isClient); }
int sd_bus_set_method_call_timeout(sd_bus *bus, uint64_t microseconds) {
  return LATE(systemd, sd_bus_set_method_call_timeout)(bus, microseconds);
}
int sd_bus_start(sd_bus *bus) { return LATE(systemd, sd_bus_start)(bus); }
int sd_bus_is_ready(sd_bus *bus) { return LATE(systemd, sd_bus_is_ready)(bus); }
int sd_bus_process(sd_bus *bus, sd_bus_message **message) { return LATE(systemd, sd_bus_process)(bus, message); }
int sd_bus_wait(sd_bus *bus, uint64_t microseconds) { return LATE(systemd, sd_bus_wait)(bus, microseconds); }
int sd_bus_call(sd_bus *bus, sd_bus_message *message, uint64_t microseconds, sd_bus_error *error, sd_bus_message **reply) {
  return LATE(systemd, sd_bus_call)(bus, message, microseconds, error, reply);
}
int sd_bus_get_fd(sd_bus *bus) { return LATE(systemd, sd_bus_get_fd)(bus); }
sd_bus *sd_bus_close_unref(sd_bus *bus) { return LATE(systemd, sd_bus_close_unref)(bus); }
void sd_bus_error_free(sd_bus_error *error) { LATE(systemd, sd_bus_error_free)(error); }

int sd_bus_message_new_method_call(
    sd_bus *bus, sd_bus_message **message, const char *destination, const char *path, const char *interface,
    const char *member) {
  return LATE(systemd, sd_bus_message_new_method_call)(bus, message, destination, path, interface, member);
}
int sd_bus_message_is_signal(sd_bus_message *message, const char *interface, const char *member) {
  return LATE(systemd, sd_bus_message_is_signal)(message, interface, member);
}
int sd_bus_message_set_auto_start(sd_bus_message *message, int starts) {
  return LATE(systemd, sd_bus_message_set_auto_start)(message, starts);
}
int sd_bus_message_append_basic(sd_bus_message *message, char type, const void *value) {
  return LATE(systemd, sd_bus_message_append_basic)(message, type, value);
}
int sd_bus_message_append_array(sd_bus_message *message, char type, const void *elements, size_t size) {
  return LATE(systemd, sd_bus_message_append_array)(message, type, elements, size);
}
int sd_bus_message_open_container(sd_bus_message *message, char type, const char *contents) {
  return LATE(systemd, sd_bus_message_open_container)(message, type, contents);
}
int sd_bus_message_close_container(sd_bus_message *message) {
  return LATE(systemd, sd_bus_message_close_container)(message);
}
int sd_bus_message_read_basic(sd_bus_message *message, char type, void *value) {
  return LATE(systemd, sd_bus_message_read_basic)(message, type, value);
}
int sd_bus_message_read_array(sd_bus_message *message, char type, const void **elements, size_t *size) {
  return LATE(systemd, sd_bus_message_read_array)(message, type, elements, size);
}
int sd_bus_message_enter_container(sd_bus_message *message, char type, const char *contents) {
  return LATE(systemd, sd_bus_message_enter_container)(message, type, contents);
}
int sd_bus_message_exit_container(sd_bus_message *message) {
  return LATE(systemd, sd_bus_message_exit_container)(message);
}
int sd_bus_message_skip(sd_bus_message *message, const char *types) {
  return LATE(systemd, sd_bus_message_skip)(message, types);
}
sd_bus_message *sd_bus_message_unref(sd_bus_message *message) { return LATE(systemd, sd_bus_message_unref)(message); }

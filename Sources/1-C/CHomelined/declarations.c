#include "late_binding.h"

LATE_DECLARATION(curl_note, "libcurl.so.4", "required", "requests to providers");
LATE_DECLARATION(idn_note, "libidn2.so.0", "recommended", "servers whose names contain non-ASCII letters");
LATE_DECLARATION(qrencode_note, "libqrencode.so.4", "recommended", "QR codes for logins");
LATE_DECLARATION(systemd_note, "libsystemd.so.0", "recommended", "the keyring and desktop notifications");
LATE_DECLARATION(yaml_note, "libyaml-0.so.2", "recommended", "tokens of other programs in YAML files");

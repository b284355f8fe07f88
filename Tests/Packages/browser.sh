#!/bin/bash
# Presses Authorise on the page of a simulated server, and follows the redirect. A minimal root has no other HTTP client.
#
#   browser.sh ADDRESS
set -euo pipefail

# request METHOD ADDRESS [BODY]: sends a request, and prints the response.
request() {
  local rest=${2#http://} body=${3:-}
  local host=${rest%%/*} path=/${rest#*/}
  exec {connection}<>"/dev/tcp/${host%:*}/${host#*:}"
  printf '%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
    "$1" "$path" "$host" "${#body}" "$body" >&"$connection"
  cat <&"$connection"
  exec {connection}>&-
}

response=$(request POST "${1%%\?*}" "${1#*\?}&action=allow")
location=$(sed -n 's/\r$//; s/^[Ll]ocation: //p' <<<"$response")
[ -n "$location" ] || { echo "no redirect: $response" >&2; exit 1; }
request GET "$location" >/dev/null

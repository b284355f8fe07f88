#!/bin/bash
# Presses Authorise on the page of a simulated server and follows the redirects. A minimal root has no other HTTP client.
# A page in a file is only recorded in ~/opened.
#
#   browser.sh ADDRESS
set -euo pipefail

case $1 in
  /* | file:*)
    echo "$1" >"$HOME/opened"
    exit
    ;;
esac

# request METHOD ADDRESS [BODY]: sends a request and prints the response.
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
# The listener waits a few seconds for a browser that has not fetched the final page.
while location=$(sed -n 's/\r$//; s/^[Ll]ocation: //p' <<<"$response") && [ -n "$location" ]; do
  previous=${address:-$1}
  case $location in
    http*) address=$location ;;
    *) address=$(sed -E 's|^(http://[^/]*).*|\1|' <<<"$previous")$location ;;
  esac
  response=$(request GET "$address")
done
grep -q 'Authorised as' <<<"$response" || { echo "the last page: $response" >&2; exit 1; }

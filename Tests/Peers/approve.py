#!/usr/bin/env python3
"""Approves at the sandbox's authorise page and follows the redirects, using only the standard library.

    approve.py ADDRESS

Prints the title of the last page. Exits with 0 if the page reports that the account is authorised, else with 1.
"""

import re
import sys
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import ProxyHandler, build_opener


def main():
    address = urlsplit(sys.argv[1])
    token = parse_qs(address.query)["oauth_token"][0]
    # All requests are sent to loopback, which a proxy would not reach.
    opener = build_opener(ProxyHandler({}))
    form = urlencode({"oauth_token": token, "action": "allow"}).encode()
    with opener.open(f"{address.scheme}://{address.netloc}{address.path}", form, timeout=30) as answer:
        title = re.search("<h1>(.*?)</h1>", answer.read().decode())
    print(title and title[1])
    sys.exit(0 if title and title[1].startswith("Authorised as ") else 1)


if __name__ == "__main__":
    main()

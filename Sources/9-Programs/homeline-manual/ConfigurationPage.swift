internal import Commands

extension ManualPage {
  /// homeline-config(5). A test checks that it contains every key of the configuration.
  static let configuration = ManualPage(
    name: "homeline-config", section: 5, summary: "configuration of homeline", synopsis: [],
    sections: [
      Section(
        "DESCRIPTION",
        [
          .text(
            """
            The configuration is a single JSON object in UTF-8, of at most 1 MiB. Only `homeline login SERVER`, `homeline account`,
            `homeline init`, `homeline keyring` and `homeline restore` change it. Unknown keys, repeated keys and values out of range are
            errors; `homeline-check(1)` prints them all. The file `config.example.json` shows every key and works without changes.
            """),
          .text(
            """
            An account can also have its own file: `config.d/NAME.json` in the same folder, or `FILE.d/NAME.json` with `--config
            FILE`. The file contains the object of the account NAME, which must not be in `config.json` too. If the folder exists,
            `config.json` and its `accounts` may be missing.
            """),
          .text("The top level has these keys; none is required:"),
          .definitions(top),
          .heading("Accounts"),
          .text("An account has these keys; only `provider` is required:"),
          .definitions(account),
          .heading("Timelines"),
          .text(
            """
            An object with a member for each timeline, at most 100. Its home timeline is always fetched, even if it is not named. Names are:
            """),
          .definitions(timelines),
          .text(
            """
            The value is an object, which can have the keys `refresh_seconds`, `keep_posts`, `first_fill_posts`, `keep_days`,
            `keep_archive`, `publish`, `feed_posts`, `on_new_posts`, `notify` and `apply_server_filters`. A timeline inherits the values
            that it lacks from the account, but `bookmarks` and `likes`, which are private, do not inherit `publish`, `on_new_posts` and
            `notify`.
            """),
          .heading("Secrets"),
          .text("The value of `consumer_secret` or `client_secret` is a string or an object with one of these keys:"),
          .definitions(secrets),
          .heading("Budget"),
          .text("Only for `x`. `null` removes a limit. The keys are:"),
          .definitions(budget),
          .text(
            """
            The maximum cost of a response is reserved before the request is sent and counts as spent if no response arrives.
            """),
          .heading("Endpoints"),
          .text("URLs that replace the provider's own, so that homeline works with compatible servers:"),
          .definitions(endpoints),
          .text(
            """
            Plain HTTP is accepted only for loopback addresses. If `access_token` is on another server, `invalidate_token` must be set
            too; otherwise `homeline-logout(1)` only deletes the token on this machine.
            """),
          .heading("Views"),
          .text("A view has these keys; none is required:"),
          .definitions(view),
        ]),
      Section(
        "FILES",
        [
          .definitions([
            ("$XDG_CONFIG_HOME/homeline/config.json", ["Default `~/.config`."]),
            ("$XDG_CONFIG_HOME/homeline/config.d/NAME.json", ["An account that a command added."]),
          ])
        ]),
      Section(
        "EXAMPLES",
        [
          .text("An account on a Mastodon server, with a page and a feed:"),
          .text(
            .code(
              """
              {
                "publish": ["html", "atom"],
                "accounts": {
                  "home": { "provider": "mastodon", "server": "social.example" }
                }
              }
              """)),
        ]),
    ],
    references: [Reference("homeline", 1), Reference("homeline-check", 1), Reference("homelined", 8)])

  private static let top: [(term: String, blocks: [TextBlock])] = [
    (
      "callback",
      [
        """
        An object with the keys `host`, `port` and `path`, which form the exact URL to register with the provider:
        `http://127.0.0.1:8765/callback` by default.
        """
      ]
    ),
    (
      "callback.host",
      [
        "`127.0.0.1` (the default) or `localhost`. In either case, the callback listener listens on both loopback addresses."
      ]
    ),
    ("callback.port", ["0 to 65535, 8765 by default; 0 uses a free port."]),
    (
      "callback.path",
      [
        """
        `/callback` by default. It begins with a slash, has at most 256 characters, which are letters, digits and `-._~/`, and no segment
        is empty, a dot or two dots.
        """
      ]
    ),
    (
      "web",
      [
        """
        An object with the keys `port` and `origins`. With it, even if it is empty, the service serves the web page whenever it runs.
        Without it, `homeline web` opens the page.
        """
      ]
    ),
    ("web.port", ["1 to 65535, 8766 by default: the page's port on 127.0.0.1 and ::1."]),
    (
      "web.origins",
      [
        """
        A list of at most 16 origins of front servers that run as this user or root and pass requests on to the page, such as
        `https://box.example`. Other values of `Host` are refused.
        """
      ]
    ),
    (
      "sandbox.port",
      [
        """
        0 to 65535: the simulated provider's port, for `sandbox` accounts; 0 uses a free port at each start. By
        default, it is 8767 or, if that was taken the first time, a free port, which is kept. A change takes effect at the next
        start of the service.
        """
      ]
    ),
    (
      "protect",
      [
        """
        How tokens are stored: `files`, the default, in private files, or `keyring`, in files encrypted with a key in the keyring of your
        session. Change it with `homeline keyring`, which also rewrites the stored tokens.
        """
      ]
    ),
    (
      "publish",
      [
        """
        A list of formats that every account and view publishes in addition to `home_timeline.json`: `jsonl`, `atom`, `feed.json`, `txt`,
        `bar.json`, `html`. None by default.
        """
      ]
    ),
    (
      "feed_posts",
      [
        "1 to 10000, 100 by default: the maximum number of posts in the feeds (`atom`, `feed.json`) of each account and view."
      ]
    ),
    ("on_new_posts", ["The default for accounts without this key; see the account keys."]),
    ("notify", ["The default for accounts without this key; see the account keys."]),
    (
      "media.megabytes",
      [
        """
        0 to 100000, 200 by default: how much space the pictures of published pages can occupy, in millions of bytes; 0 fetches none.
        """
      ]
    ),
    (
      "media.private_hosts",
      [
        """
        A list of at most 100 hosts, as names or IP addresses: pictures are fetched from them even if they are on this machine or
        in a private network.
        """
      ]
    ),
    (
      "views",
      ["An object with a member for each view, at most 100. View names follow the same rules as account names."]
    ),
    (
      "accounts",
      [
        """
        An object with a member for each account. A name has 1 to 64 of the characters `a-z`, `0-9`, `-`, `_` and `.`, and begins with a
        letter or digit.
        """
      ]
    ),
  ]

  private static let secrets: [(term: String, blocks: [TextBlock])] = [
    (
      "file",
      [
        "The path of a file that only you can read; the secret is its first line. The path begins with `/` or `~/`."
      ]
    ),
    ("credential", ["The name of a credential in `$CREDENTIALS_DIRECTORY`, which systemd sets."]),
    ("command", ["A program and its arguments; the secret is the first line that it prints within 30 seconds."]),
    (
      "keyring",
      [
        """
        The attribute `account` of an item in the keyring of your session, which also has the attributes `xdg:schema`
        `io.homeline.Secret`, `application` `homeline` and `kind` `client-secret`. To store it:
        """,
        .code(
          """
          secret-tool store --label='homeline: bird' xdg:schema io.homeline.Secret \\
            application homeline kind client-secret account bird
          """),
      ]
    ),
  ]

  private static let budget: [(term: String, blocks: [TextBlock])] = [
    ("posts_per_day", ["200 by default: how many posts can be delivered per day (UTC), including referenced posts."]),
    ("usd_per_day", ["1.00 by default: an amount in US dollars, with at most 6 decimals."]),
    ("usd_per_month", ["An amount in US dollars per calendar month; `null` by default."]),
  ]

  private static let endpoints: [(term: String, blocks: [TextBlock])] = [
    (
      "twitter",
      ["`request_token`, `authorize`, `access_token`, `verify_credentials`, `home_timeline`, `invalidate_token`."]
    ),
    (
      "x",
      [
        """
        With OAuth 1.0a, the same as for `twitter`, but `users_me` in place of `verify_credentials`; `{id}` in `home_timeline` is replaced
        with the user's id. With OAuth 2.0: `authorize`, `token`, `revoke`, `users_me`, `home_timeline`.
        """
      ]
    ),
    ("weibo", ["`authorize`, `token`, `token_info`, `users_show`, `home_timeline`, `revoke`."]),
    (
      "oauth2, google, microsoft, fastmail",
      [
        """
        `authorize`, `token`, `revoke`, `device_authorization`, `userinfo`. If `issuer` is set, each of them overrides the URL in the
        server's metadata.
        """
      ]
    ),
    ("oauth1", ["All of `request_token`, `authorize` and `access_token`; each can have a query."]),
  ]

  private static let view: [(term: String, blocks: [TextBlock])] = [
    (
      "accounts",
      [
        """
        A list of timelines, merged by time: ACCOUNT for an account's home timeline, or ACCOUNT/TIMELINE. By default the home timelines of
        all enabled accounts.
        """
      ]
    ),
    ("publish", ["Replaces the top-level list."]),
    ("feed_posts", ["Replaces the top-level value."]),
    ("posts", ["1 to 10000, 200 by default: the maximum number of posts."]),
    ("authors", ["A list of screen names: only posts that these users wrote or reposted."]),
    ("words", ["A list of words or phrases: only posts whose text contains one of them."]),
    (
      "languages",
      [
        "A list of languages: only posts in one of them. This list and the two above can each have up to 1000 entries of up to 200 characters."
      ]
    ),
    ("media_only", ["`true` omits posts without a picture, video or sound."]),
    ("replies", ["`false` omits replies."]),
    ("reposts", ["`false` omits reposts."]),
    (
      "mute",
      [
        """
        An object with two lists, `authors` and `words`: posts by these authors or with these words are omitted, even if someone else
        reposts or quotes them.
        """
      ]
    ),
    (
      "fold_cross_posts",
      [
        """
        `true` (the default) shows the same text by the same person only once; `false` shows it once for each account that it came through.
        """
      ]
    ),
  ]
}

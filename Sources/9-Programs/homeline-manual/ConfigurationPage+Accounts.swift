internal import Commands

/// The keys of an account and of its timelines.
extension ManualPage {
  static let account: [(term: String, blocks: [TextBlock])] = [
    (
      "provider",
      [
        .terms([
          TextBlock.Term("sandbox", "homeline's simulated provider, which needs no keys"),
          TextBlock.Term("twitter", "the v1.1 API, which other servers offer too"),
          TextBlock.Term("x", "X's v2 API, which charges for each post"),
          TextBlock.Term("weibo", "Weibo"),
          TextBlock.Term("mastodon", "Mastodon and compatible servers"),
          TextBlock.Term("oauth1", "any OAuth 1.0a server, such as MediaWiki (only for its token)"),
          TextBlock.Term("oauth2", "any OAuth 2.0 server (only for its token)"),
          TextBlock.Term("google", "Google, for mail programs (only for its token)"),
          TextBlock.Term("microsoft", "Microsoft, for mail programs (only for its token)"),
          TextBlock.Term("fastmail", "Fastmail, for mail programs (only for its token)"),
          TextBlock.Term(
            "gokuai", "the cloud drive Gokuai (YunKu), for homeline-drive(1), and the changes in a library"),
        ])
      ]
    ),
    ("enabled", ["`false` excludes the account from the service; `true` by default."]),
    ("consumer_key", ["Your application's key, from the provider, for OAuth 1.0a: `twitter`, `oauth1` and `x`."]),
    ("consumer_secret", ["The secret for this key."]),
    (
      "client_id",
      [
        """
        The key of your application for OAuth 2.0: `x`, `weibo`, `mastodon`, `oauth2` and the mail providers. For `mastodon`, it can be omitted: homeline
        registers itself with the server. An account has keys for OAuth 1.0a or OAuth 2.0, not both.
        """
      ]
    ),
    ("client_secret", ["The client's secret. A public client has none. `google`, `weibo` and `gokuai` need one."]),
    ("scopes", ["A list of the token's scopes (OAuth 2.0); by default, those that the provider needs."]),
    (
      "server",
      [
        """
        For `mastodon`, required: the host, such as `social.example`. For `gokuai`: `yk3.gokuai.com` by default. A host may have
        non-ASCII letters, here and in all other keys.
        """
      ]
    ),
    (
      "weibo.safe_domain",
      ["For `weibo` only: the domain registered for the application. Posts must contain a link to it."]
    ),
    ("weibo.rip", ["For `weibo` only: your public IP address, which is sent with each post."]),
    ("drive", ["For `gokuai` only: the settings of a cloud drive."]),
    (
      "drive.key",
      [
        """
        Whether `client_id` and `client_secret` are the key of a `library` (the default), of an `enterprise`, or of a client for the login
        of a `user` with a name and a password.
        """
      ]
    ),
    (
      "drive.library_id",
      [
        """
        The number of the library: required for an `enterprise`, for a `user` with more than one library, and for the changes in a
        user's library.
        """
      ]
    ),
    (
      "drive.dialect",
      [
        """
        `2013` uploads through the API of that year, in one request that cannot be resumed. For a `user` only; `today` by default.
        """
      ]
    ),
    ("drive.mount", ["For the dialect `2013`: `gokuai`, the default, or `team`."]),
    (
      "drive.hosts",
      [
        """
        Hosts that may receive uploads besides the server itself: names without a scheme or port, or `*.example.com`. By default
        `*.gokuai.com`; none if `server` is set.
        """
      ]
    ),
    (
      "issuer",
      [
        """
        For `oauth2`: the identifier of the authorisation server, exactly as in its metadata. Without it, `endpoints` needs `token` and
        at least one of `authorize` and `device_authorization`. For `google`, `microsoft` and `fastmail`, it replaces the known URLs, for
        example with a Microsoft tenant's.
        """
      ]
    ),
    (
      "authorize_parameters",
      [
        """
        For `oauth2`, `google`, `microsoft` and `fastmail`: an object of at most 32 strings added to the authorisation page's URL, such as
        `login_hint`. For `google`, `access_type=offline` and `prompt=consent` are sent by default.
        """
      ]
    ),
    (
      "client_authentication",
      [
        """
        For the same providers: `basic`, `post` or `none`, how the client authenticates at the token endpoint; by default what the
        server's metadata lists.
        """
      ]
    ),
    ("signature_method", ["HMAC-SHA1 (the default), HMAC-SHA256, HMAC-SHA512 or PLAINTEXT."]),
    (
      "refresh_seconds",
      [
        """
        15 to 86400, 90 by default: the time between two refreshes. For `x`, at least 60 and by default 900; for `weibo`, at least 900
        and by default 900; for `mastodon`, at least 30 and by default 60.
        """
      ]
    ),
    (
      "keep_posts",
      [
        """
        1 to 10000, 200 by default: the maximum number of posts in the published file. An account of version 0.1.0 keeps that version's
        default, 800.
        """
      ]
    ),
    (
      "first_fill_posts",
      [
        """
        1 to 10000: how many posts the first refresh of an empty account fetches. The default is 50 for `x`, and for other providers the
        value of `keep_posts`, or 800 without it. It is never more than the value of `keep_posts`.
        """
      ]
    ),
    ("publish", ["Replaces the top-level list; an empty list publishes none of the formats."]),
    ("feed_posts", ["Replaces the top-level value."]),
    (
      "keep_days",
      [
        "1 to 36500: after each refresh, posts older than this number of days are removed from the archive. By default, posts are kept forever."
      ]
    ),
    (
      "keep_archive",
      [
        "`false` stores only the newest posts, as many as `keep_posts` or, without it, 800; `true` by default."
      ]
    ),
    (
      "erase_deleted_days",
      [
        """
        0 to 36500, 30 by default: for how many days the text of a post deleted from its server stays in the database.
        """
      ]
    ),
    (
      "on_new_posts",
      [
        """
        A program and its arguments, at most 100 strings, or `null`. The program runs when there are new posts, and receives them on its
        standard input, one per line.
        """
      ]
    ),
    (
      "notify",
      [
        """
        `true` shows a desktop notification with the number of new posts, but not their content; `false` by default. Later posts replace
        the account's notification, and clicking it opens the timeline.
        """
      ]
    ),
    (
      "require_alt_text",
      ["`true` refuses to publish a file without a description (`--alt` of `homeline post`); `false` by default."]
    ),
    (
      "apply_server_filters",
      [
        """
        For `mastodon` only: `false` ignores your filters on the server and shows the posts they hide;
        `true` by default.
        """
      ]
    ),
    (
      "sync_marks",
      [
        """
        For `mastodon` only: `true` shares how far you have read the home timeline and notifications with your other clients; `false` by
        default. `homeline login` then asks for the scope `write:statuses`.
        """
      ]
    ),
    ("budget", ["How much the account can spend: see below."]),
    (
      "confirm_above_usd",
      [
        "For `x` only: a post that costs more US dollars than this, including the descriptions of its files, is published only if you agree; 0.05 by default, `null` never asks."
      ]
    ),
    ("timelines", ["The timelines that the account fetches: see below."]),
    ("endpoints", ["See below."]),
    (
      "require_callback_confirmation",
      ["`false` accepts servers that omit `oauth_callback_confirmed=true`; `true` by default."]
    ),
  ]

  static let timelines: [(term: String, blocks: [TextBlock])] = [
    ("home", ["The posts of the users that you follow; for every provider with a timeline."]),
    ("notifications", ["What others have done: mentions, likes, reposts, follows and other events; for `mastodon`."]),
    ("mentions", ["The posts that mention you; for `mastodon`, `twitter` and `sandbox`."]),
    ("list:NAME", ["The posts of a list's members, by its title or id; for `mastodon`, `twitter` and `sandbox`."]),
    ("tag:NAME", ["The posts with a hashtag, written without `#`; for `mastodon`."]),
    ("user:@NAME", ["The posts of one user; for `mastodon`, `twitter` and `sandbox`."]),
    ("bookmarks", ["The posts that you have bookmarked; for `mastodon`."]),
    ("likes", ["The posts that you like; for `mastodon`, `twitter` and `sandbox`."]),
  ]
}

/// What each command is for, in the words of its help.
extension CommandName {
  package var summary: String {
    switch self {
    case .login: "authorise an account"
    case .logout: "give an authorisation back and delete it here"
    case .daemon: "run the service in the foreground"
    case .status: "say how each account is"
    case .refresh: "ask the provider now"
    case .token: "print an access token that is good now"
    case .show: "print the newest posts"
    case .search: "find posts in the archive"
    case .open: "show the page in the browser"
    case .read: "mark posts as read"
    case .export: "print all that is kept"
    case .importing: "take posts into the archive"
    case .purge: "remove posts for good"
    case .sign: "print the Authorization header of a request"
    case .check: "check the configuration, or the archive"
    case .demo: "see it work, without any key"
    case .sandbox: "simulate a provider for clients under test"
    case .version: "print the version"
    case .help: "explain a command"
    }
  }

  /// A paragraph, in lines of at most 80 columns.
  package var explanation: String {
    switch self {
    case .login:
      """
      Prints the address where you authorise the account, on a line of its own, opens
      it in the browser ($BROWSER, else xdg-open) and waits for the redirect. The
      redirected URL or the verifier can also be pasted; whichever comes first wins.
      With --device a code is shown, to be typed in on a telephone or elsewhere, where
      the server has that; nothing is listened for.
      Ends after the account's first refresh. Where the service runs, it does the work.
      ACCOUNT can be left out when exactly one is enabled.
      """
    case .logout:
      """
      Revokes the token at the provider where that is possible, deletes it here either
      way, and says which of the two happened. The posts stay.
      """
    case .daemon:
      """
      The service in the foreground: refreshes every enabled account whenever it is due
      and does what other commands ask, until SIGTERM or Ctrl-C. SIGHUP reads the
      configuration again. systemd starts it: systemctl --user enable --now homeline.
      With --once it refreshes what is due a single time and ends, for cron; that none
      was due is no failure.
      """
    case .status:
      """
      For each account: as whom it is authorised, its last and next refresh, the last
      error, and where its files lie; and what the service, or another command, does
      with it now. Asks no provider, and works with a configuration that has mistakes.
      """
    case .refresh:
      """
      Asks the provider for new posts and waits for the end; all enabled accounts when
      none is named. Only a limit of the provider, or the account's budget, refuses
      it, with the time when it may be asked again. The exit code is the worst of the
      accounts.
      """
    case .token:
      """
      Prints an access token of an account with OAuth 2.0, and nothing else, for
      scripts and mail programs; one whose time is nearly over is renewed before.
      Who has it can act as you. With OAuth 1.0a requests are signed instead: see
      homeline help sign.
      """
    case .show:
      """
      Prints the newest posts from the published file. Needs no network, no service and
      no configuration. ACCOUNT can be left out when there is only one file.
      --account all merges every published account by time, --view shows a view. With
      --follow it stays, and prints each new post when it is published.
      """
    case .search:
      """
      Finds posts in what is kept, also those that are no longer published; newest
      first, in all accounts unless one is named. Letter case and accents do not
      matter.
        cat dog      both words         "full moon"  these words in this order
        cat OR dog   one of the two     cat -dog     the first without the second
        photo*       words that begin so
        @mia         in the names of its authors alone
      The words of QUERY can stand in one argument or in several. Quote what the shell
      would take for itself, and put -- before a QUERY with words to be left out:
        homeline search --since 7d -- '"full moon"' -eclipse
      \(Self.dateForms)
      """
    case .open:
      """
      Shows the account's page, home_timeline.html, in the browser ($BROWSER, else
      xdg-open), or prints its path where there is none. The page is there when the
      configuration has "html" under publish. Nothing is loaded from the network.
      """
    case .read:
      """
      Marks all posts up to a post as read, and the published files say so: bars count
      the rest, and homeline show --unread prints it. Nothing is told to the provider.
      """
    case .export:
      """
      Prints all that is kept of an account, newest first: with jsonl a post a line,
      as in the published file, and besides it the provider's own JSON (source), former
      texts (edits), and what is left of deleted posts (deleted_at). csv has fixed
      columns. homeline import reads jsonl back.
      \(Self.dateForms)
      """
    case .importing:
      """
      Takes posts from FILE, or with - from standard input: what homeline export has
      written (jsonl), home_timeline.jsonl, or a database of twitter-to-sqlite. What is
      kept already stays as it is. Where a line is bad, nothing is taken, and the line
      is named (65).
      """
    case .purge:
      """
      Removes posts for good: from the archive, from what homeline search finds, from
      the published files, and the pictures that nothing else shows. Posts named by
      --post or --author do not come back with the next refresh, and what others
      quoted of them goes too; with --before nothing older is taken again. Name one of
      the three, or --account alone for all posts of an account, after which only new
      ones are taken. See first with --dry-run what it would be. Without --account it
      is done in every account.
      \(Self.dateForms)
      """
    case .sign:
      """
      Prints one line "Authorization: OAuth ..." (OAuth 1.0a, RFC 5849) for a request
      and sends nothing. Without --account the keys come from HOMELINE_CONSUMER_KEY and
      HOMELINE_CONSUMER_SECRET, and the token, if any, from HOMELINE_TOKEN and
      HOMELINE_TOKEN_SECRET. Names and values of --data are plain text: homeline encodes
      them, and @ means nothing.
      """
    case .check:
      """
      Reads the configuration and says all that is wrong with it, each with the line,
      the column and the key's path, and then exits with 78. Runs no secret commands.
      With --archive it reads the databases of the posts through instead, and exits
      with 65 when one is damaged.
      """
    case .demo:
      """
      The whole job on a provider that is part of homeline: authorises through the real
      listener, refreshes, prints the newest posts and where the file lies. Has folders
      of its own, named in its output. Ends with Ctrl-C.
      """
    case .sandbox:
      """
      Serves a simulated provider on loopback until Ctrl-C, for trying out any client:
      OAuth 1.0a or 2.0 with PKCE, rotating refresh tokens and the device grant, its
      authorisation pages, and a home timeline that goes on by itself. Prints the
      addresses and the application's keys first. What it issues ends with it.
      The providers are twitter, gnusocial, x, weibo, mastodon, gotosocial, snac and
      oauth2. Any port of a loopback redirect URI is accepted.
      --fault NAME makes each request fail, --fault NAME=3 every third one. Faults of the
      API: rate-limited, token-revoked, account-locked, endpoint-closed,
      credits-depleted, usage-capped, not-enrolled, server-error, bad-gateway, gbk-page,
      captive-portal, empty, no-answer, cut-off, broken-off, wrong-type and slow. Faults
      of tokens: token-endpoint-error, refused-with-ok, callback-refused and pin-only.
      """
    case .version: "Prints the version."
    case .help: "Lists the commands, or explains one."
    }
  }
  private static let dateForms = """
    A DATE is a day (2026-11-20, its midnight in UTC), a time (2026-11-20T15:00:00Z)
    or an age (12h, 7d, 3w) counted back from now.
    """
}

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
    case .sign: "print the Authorization header of a request"
    case .check: "check the configuration"
    case .demo: "see it work, without any key"
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
      """
    case .demo:
      """
      The whole job on a provider that is part of homeline: authorises through the real
      listener, refreshes, prints the newest posts and where the file lies. Has folders
      of its own, named in its output. Ends with Ctrl-C.
      """
    case .version: "Prints the version."
    case .help: "Lists the commands, or explains one."
    }
  }
}

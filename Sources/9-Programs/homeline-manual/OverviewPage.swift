internal import Commands

extension ManualPage {
  /// homeline(1): the information that applies to all commands.
  static func overview(of registry: CommandRegistry) -> ManualPage {
    var commands: [Part] = []
    for group in CommandGroup.allCases {
      let members = registry.documented.filter { $0.documentation.group == group }
      if members.isEmpty { continue }
      commands += [
        .heading(group.rawValue),
        .commands(members.map { (Reference("homeline-\($0.name)", 1), $0.documentation.summary) }),
      ]
    }
    let command = Operand(ArgumentType<String>.text("COMMAND")).description
    let argument = Operand(ArgumentType<String>.text("ARGUMENT"), .zeroOrMore).description
    return ManualPage(
      name: "homeline", section: 1, summary: "authorise accounts and keep their home timelines in files",
      synopsis: [
        Synopsis("homeline", operands: [command, argument], options: GlobalOptions.all.prefix(2).map(\.description)),
        Synopsis("homeline", options: [GlobalOptions.help.description, GlobalOptions.version.description]),
      ],
      sections: [
        Section("DESCRIPTION", description + [.heading("Options of every command"), .options(globalOptions)] + owner),
        Section("COMMANDS", commands),
        Section("PUBLISHED FILE", publishedFile),
        Section("ENVIRONMENT", [.definitions(environment)]),
        Section("FILES", [.definitions(files)] + fileNotes),
        Section(
          "EXIT STATUS",
          [Part.text("The codes from 64 to 78 come from `sysexits.h`."), Part.exitCodes(exitCodes)] + signals),
        Section("EXAMPLES", examples),
        Section("STANDARDS", [.text("OAuth 1.0a (RFC 5849), OAuth 2.0 (RFC 6749, RFC 7636, RFC 8252, RFC 8628).")]),
        Section("HISTORY", [.text(.paragraph("This page describes version \(Version.number)."))]),
      ],
      references: registry.documented.map { Reference("homeline-\($0.name)", 1) } + [
        Reference("curl", 1), Reference("jq", 1), Reference("systemctl", 1), Reference("crontab", 5),
        Reference("homeline-config", 5), Reference("homelined", 8),
      ])
  }

  private static var globalOptions: [OptionDescription] { GlobalOptions.all.map(\.description) }

  private static let description: [Part] = [
    .text(
      """
      homeline authorises your accounts through a callback server on this machine, and then keeps the home timeline of each account in a
      file that any of your programs can read. This command demonstrates everything, without any keys:
      """),
    .text(.code("homeline demo")),
    .text(
      """
      A command writes its result to standard output and everything else to standard error. Secrets are never printed, except the
      token that `homeline-token(1)` prints. Without a command, homeline lists the commands on standard error and exits with 64.
      """),
  ]

  private static let owner: [Part] = [
    .text(
      """
      Options can come before or after the command's name. `--` ends the options, `=` can join an option and its value, and if an option
      is repeated, the last value counts.
      """),
    .text(
      """
      If an optional ACCOUNT is omitted and only one account is enabled, the command uses that account.
      """),
    .heading("The state owner"),
    .text(
      """
      Only one process at a time, the service or a command, works with the accounts. If there is one, it also does the work of
      other commands that change an account. Otherwise, the command becomes that process, and exits when its own work and that of other
      commands are done.
      """),
    .text(
      """
      A command that cannot run now exits with 75: a second service, `daemon --once` while another process owns the state, or a command
      whose `--config` differs from the owner's. `homeline-demo(1)` has a separate state.
      """),
  ]

  private static let publishedFile: [Part] = [
    .text(
      """
      The published timeline, `home_timeline.json`, is a single JSON object in UTF-8 that is replaced as a whole. Its members are `schema`,
      `account`, `provider`, `user`, `refreshed_at`, `fresh_until`, `stale_since`, `error` (with `code`, `message`, `retry_at`),
      `gaps` (with `after`, `before`, `fillable`) and `posts`, newest first. Ids are strings, times are in UTC, and the text of a post
      is plain text. Later versions can add members without changing `schema`.
      """),
    .text(
      """
      The file is replaced when posts, marks, gaps or errors change, and otherwise about once an hour. The posts are stale if
      `stale_since` is not null or `fresh_until` has passed. A failed refresh keeps the posts and gives the reason under `error`. While a
      service is running, `$XDG_RUNTIME_DIR/homeline/status.json` contains the times of the last and next refresh, limits and errors.
      """),
  ]

  private static let environment: [(term: String, blocks: [TextBlock])] = [
    ("HOMELINE_CONSUMER_KEY HOMELINE_CONSUMER_SECRET", ["The consumer key and its secret, for `homeline-sign(1)`."]),
    (
      "HOMELINE_TOKEN HOMELINE_TOKEN_SECRET",
      [
        """
        The token and its secret, for `homeline-sign(1)`. If they are not set, the request is signed without a token. A secret can be
        empty, but must be set if its key or token is set.
        """
      ]
    ),
    ("NO_COLOR", ["Turns colours off if not empty. Output that does not go to a terminal is never coloured."]),
    ("COLUMNS", ["The terminal width to use instead of the one the terminal reports."]),
    (
      "FORCE_HYPERLINK",
      ["0 turns hyperlinks off, and any other value turns them on, regardless of `$TERM` and similar variables."]
    ),
    (
      "BROWSER",
      [
        """
        Programs that open a login URL or a page, separated by colons. The first one that exists is used, and `%s` in
        its arguments is replaced with the URL.
        """
      ]
    ),
    ("CREDENTIALS_DIRECTORY", ["The folder of the service's credentials, set by systemd."]),
    ("CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR", ["Files or a folder with the certificates of trusted authorities."]),
    ("https_proxy no_proxy", ["A proxy, as in `curl(1)`. Loopback addresses are never requested through a proxy."]),
    (
      "XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR",
      [
        """
        The folders that contain the files below. Relative paths are ignored. Set these variables for systemd's user manager too: see `environment.d(5)`.
        """
      ]
    ),
  ]

  private static let files: [(term: String, blocks: [TextBlock])] = [
    ("$XDG_CONFIG_HOME/homeline/config.json", ["The configuration (default `~/.config`): see `homeline-config(5)`."]),
    ("$XDG_CONFIG_HOME/homeline/config.d/NAME.json", ["An account that a command added."]),
    (
      "$XDG_CACHE_HOME/homeline/ACCOUNT/home_timeline.json",
      [
        "The published timeline (default `~/.cache`). Readers never see an incomplete file. It can be deleted at any time."
      ]
    ),
    (
      "$XDG_CACHE_HOME/homeline/ACCOUNT/home_timeline.*",
      ["The same timeline in the other formats listed under `publish` in the configuration, and `bar.json`."]
    ),
    ("$XDG_CACHE_HOME/homeline/_views/NAME/", ["A view, in files with the same names."]),
    ("$XDG_CACHE_HOME/homeline/_media/", ["The pictures for published pages. They can be deleted at any time."]),
    ("$XDG_DATA_HOME/homeline/ACCOUNT/timeline.db", ["The account's database (default `~/.local/share`)."]),
    ("$XDG_STATE_HOME/homeline/ACCOUNT/token.json", ["The token (default `~/.local/state`)."]),
    ("$XDG_STATE_HOME/homeline/lock", ["The state owner and the path of its control socket."]),
    (
      "$XDG_RUNTIME_DIR/homeline/control.socket",
      ["The control socket of the state owner. Without `$XDG_RUNTIME_DIR`, the socket is next to the lock."]
    ),
    ("$XDG_CACHE_HOME/homeline/_demo", ["All files of `homeline-demo(1)`."]),
  ]

  private static let fileNotes: [Part] = [
    .text("Only you can read and write these files (mode 0600)."),
    .text(
      """
      homeline never deletes damaged files or a previous user's files. It moves them aside and reports where: `*.corrupt-TIME` and
      `ACCOUNT.was-USER-TIME`.
      """),
  ]

  private static let exitCodes: [(code: Int32, meaning: String)] = [
    (0, "success"),
    (1, "a check found a fault"),
    (64, "the command was used incorrectly"),
    (65, "a file has invalid content"),
    (69, "the provider or the network is not available, or the provider does not offer the timeline"),
    (70, "a bug, or an incomplete installation"),
    (73, "a file, a folder or a port cannot be created or opened"),
    (74, "an input/output error, such as a full disk"),
    (75, "try again later: a limit has been reached, or another process owns the state"),
    (
      77,
      "the account is not authorised, a login was refused, timed out or authorised a different user, or nothing is published yet"
    ),
    (78, "the configuration, here or with the provider, must be changed"),
    (130, "Ctrl-C ended the command, which ends by SIGINT"),
  ]

  private static let signals: [Part] = [
    .text("Like other programs, homeline is terminated by SIGPIPE if its output is closed.")
  ]

  private static let examples: [Part] = [
    .text("Write a short configuration, and add an account on your server:"),
    .text(
      .code(
        """
        homeline init
        homeline login social.example
        homeline show
        """)),
    .text("Start regular refreshes in one of two ways:"),
    .text(
      .code(
        """
        systemctl --user enable --now homeline
        */2 * * * * /usr/bin/homeline daemon --once >/dev/null    # crontab -e
        """)),
    .text("A signed request with `curl(1)`:"),
    .text(
      .code(
        """
        url='https://social.example/api/statuses/home_timeline.json?count=5'
        curl -H "$(homeline sign GET "$url" --account bird)" "$url"
        """)),
  ]
}

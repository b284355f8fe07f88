internal import Platform

extension Command {
  /// `homeline daemon`: the service in the foreground.
  package struct Daemon: CommandDeclaration {
    package static let name = "daemon"
    package static let documentation = CommandDocumentation(
      .service, "run the service in the foreground",
      description: [
        """
        Refreshes every enabled account when it is due and does what other commands ask, until SIGTERM or Ctrl-C. SIGHUP reloads the
        configuration. systemd starts the service: `systemctl --user enable --now homeline`.
        """,
        """
        With `--once` the command refreshes the accounts that are due one time and ends, for cron. It succeeds when none was due.
        """,
      ],
      details: [
        """
        The service waits for another command that owns the state; another service ends it with 75. It ends within two seconds. A
        configuration with mistakes is not reloaded, and the previous one stays in use.
        """,
        """
        Under `systemd` the service reports when it is ready and its status, feeds the watchdog, and takes over the sockets named
        `callback` and `control`; log lines carry their level where standard error is the journal. See `homelined(8)`.
        """,
        """
        With `--once` accounts that nobody has authorised are never due.
        """,
      ],
      examples: [
        CommandExample("systemctl --user enable --now homeline", "Run the service from now on."),
        CommandExample("*/2 * * * * homeline daemon --once >/dev/null", "Refresh from a crontab instead."),
      ],
      exitCodes: [(.temporary, "another process owns the state")])

    private static let onceFlag = Flag("--once", "refresh each due account one time and end")

    package static var options: [any DeclaredOption] { [onceFlag] }
    package static var program: LibexecProgram? { .daemon }

    package var once: Bool

    package init(once: Bool = false) { self.once = once }

    package init(_ arguments: Arguments) throws(UsageError) { once = arguments.has(Self.onceFlag) }
  }
}

internal import Platform

extension Command {
  /// `homeline daemon`: the service in the foreground.
  package struct Daemon: CommandDeclaration {
    package static let name = "daemon"
    package static let documentation = CommandDocumentation(
      .service, "run the service in the foreground",
      description: [
        """
        Refreshes every enabled account when it is due and serves other commands, until SIGTERM or Ctrl-C. SIGHUP reloads the
        configuration. systemd starts the service: `systemctl --user enable --now homeline`.
        """,
        """
        With `--once`, for cron, the command refreshes each account that is due, then exits. It succeeds even if no account is due.
        `homeline doctor` prints the line for crontab with the path of this installation.
        """,
        """
        With `--reload`, the command makes the running service read its configuration again and waits until it has done so.
        `systemctl --user reload homeline` runs it.
        """,
      ],
      details: [
        """
        At startup, the service waits for any command that owns the state to finish. If another service owns the state, the command exits
        with 75. After a signal, the service exits within two seconds. A configuration with errors is not reloaded, and the previous one
        stays in use.
        """,
        """
        Under `systemd`, the service reports when it is ready and its status, notifies the watchdog, and takes over the sockets named
        `callback` and `control`. Log lines contain their level if standard error is the journal. See `homelined(8)`.
        """,
        """
        With `--once`, accounts that are not authorised are never due.
        """,
      ],
      examples: [
        CommandExample("systemctl --user enable --now homeline", "Start the service now and at each login."),
        CommandExample("*/2 * * * * /usr/bin/homeline daemon --once >/dev/null", "Refresh from a crontab instead."),
      ],
      exitCodes: [
        (.unavailable, "with `--reload`: no service is running"), (.temporary, "another process owns the state"),
        (.configuration, "the configuration has errors; with `--reload`, the previous one stays in use"),
      ])

    private static let onceFlag = Flag("--once", "refresh each due account once and exit")
    private static let reloadFlag = Flag("--reload", "make the running service read its configuration again")

    package static var options: [any DeclaredOption] { [onceFlag, reloadFlag] }
    package static var program: LibexecProgram? { .daemon }

    package var once: Bool
    package var reloads: Bool

    init(once: Bool = false, reloads: Bool = false) {
      self.once = once
      self.reloads = reloads
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(once: arguments.has(Self.onceFlag), reloads: arguments.has(Self.reloadFlag))
      if once, reloads { throw arguments.error("--once and --reload cannot be combined") }
    }
  }
}

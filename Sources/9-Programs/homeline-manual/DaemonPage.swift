internal import Commands

extension ManualPage {
  /// homelined(8): the service.
  static let daemon = ManualPage(
    name: "homelined", section: 8, summary: "refresh homeline's accounts and serve its commands",
    synopsis: [Synopsis("homeline daemon", options: Command.Daemon.options.map(\.description))],
    sections: [
      Section(
        "DESCRIPTION",
        [
          .text(
            """
            homelined is the program that becomes the state owner: it holds the lock, the accounts and the control socket. It is
            installed in `libexec/homeline` and should not be run directly: `homeline(1)` runs it, as the service or for a command when no
            service is running.
            """),
          .text(
            """
            As the service, it refreshes every enabled account when it is due, serves the control socket, and fetches the pictures of
            published pages. It keeps running until it receives a signal.
            """),
          .heading("Signals"),
          .text(
            .terms([
              TextBlock.Term("SIGTERM SIGINT", "exit with 0 within two seconds"),
              TextBlock.Term("SIGHUP", "reload the configuration, unless it has errors"),
            ])),
          .heading("systemd"),
          .text(
            """
            `make install` installs a user unit and its sockets. These commands start the service now and at each login, and show its
            log:
            """),
          .text(.code("systemctl --user enable --now homeline\njournalctl --user -u homeline")),
          .text(
            """
            The service tells systemd when it is ready and what its status is, and notifies the watchdog. It takes over the sockets named
            `callback` and `control`, and one named `peers`, used to ask the kernel which user opened a connection to the callback port. Log
            lines include their level if standard error is the journal.
            """),
          .heading("Other processes"),
          .text(
            """
            If a command owns the state, the service waits for it, however long that takes. If another service does, homelined exits with
            75. The control socket accepts requests only from the same user's processes; root counts as another user.
            """),
        ]),
      Section(
        "ENVIRONMENT",
        [
          .definitions([
            (
              "NOTIFY_SOCKET WATCHDOG_USEC LISTEN_FDS JOURNAL_STREAM",
              [
                """
                And related variables, set by systemd: see `sd_notify(3)`, `sd_listen_fds(3)` and `systemd.exec(5)`. The first three are
                not passed to programs that print secrets.
                """
              ]
            )
          ]),
          .text("The other variables are described in `homeline(1)`."),
        ]),
      Section("FILES", [.text("The files are listed in `homeline(1)`.")]),
      Section("EXIT STATUS", [.text("The exit codes are listed in `homeline(1)`.")]),
    ],
    references: [
      Reference("homeline", 1), Reference("homeline-daemon", 1), Reference("systemctl", 1),
      Reference("homeline-config", 5), Reference("systemd.unit", 5),
    ])
}

internal import Commands

extension ManualPage {
  /// homelined(8): the service.
  static let daemon = ManualPage(
    name: "homelined", section: 8, summary: "refresh the accounts of homeline and serve its commands",
    synopsis: [Synopsis("homeline daemon", options: Command.Daemon.options.map(\.description))],
    sections: [
      Section(
        "DESCRIPTION",
        [
          .text(
            """
            homelined is the program that becomes the owner of the state: it holds the lock, the accounts and the control socket. It is
            installed in `libexec/homeline` and not run by hand: `homeline(1)` runs it, as the service or for a command where no service
            runs.
            """),
          .text(
            """
            As the service it refreshes every enabled account when it is due, serves the control socket, and fetches the pictures of
            published pages. It stays until a signal ends it.
            """),
          .heading("Signals"),
          .text(
            .terms([
              TextBlock.Term("SIGTERM SIGINT", "end within two seconds, with 0"),
              TextBlock.Term("SIGHUP", "reload the configuration; one with mistakes is not reloaded"),
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
            The service reports when it is ready and its status in one line, and feeds the watchdog. It takes over the sockets named
            `callback` and `control`, and one named `peers` that answers which user opened a connection to the callback port. Log lines
            carry their level where standard error is the journal.
            """),
          .heading("Other processes"),
          .text(
            """
            The service waits for a command that owns the state, however long that takes. Where another service owns it, homelined ends
            with 75. Requests on the control socket are accepted from processes of the same user only; root is another user.
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
                And related variables, set by systemd: see `sd_notify(3)`, `sd_listen_fds(3)` and `systemd.exec(5)`. A program that
                prints a secret gets none of the first three.
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

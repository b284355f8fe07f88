internal import Platform

extension Command {
  /// `homeline web`.
  package struct Web: CommandDeclaration {
    package enum Action: Sendable, Hashable {
      case open, print, close, forget
    }

    package static let name = "web"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .reading, "read the whole archive in the browser",
      description: [
        """
        Makes the service serve the web page on a port of this machine, and opens it in the browser (`$BROWSER`, otherwise `xdg-open`).
        Only your own programs can connect, and a browser must enter with a ticket: an address that is valid once, for a minute. The
        browser then stays entered for 30 days.
        """,
        """
        With `--print`, the addresses with tickets are printed instead: for this machine, and for each front server in `web.origins`.
        With `--close`, the service closes the port. With `--forget`, all browsers must enter again.
        """,
      ],
      details: [
        """
        The port is 8766 on 127.0.0.1 and ::1, or a free one if that is taken. The service opens it again at each start until
        `homeline web --close`. To choose the port, set `web.port` in the configuration; the page is then open whenever the service runs.
        """
      ],
      examples: [
        CommandExample("homeline web", "Open the page in the browser."),
        CommandExample("homeline web --print", "Print the address for a browser, for example over ssh -L."),
        CommandExample("homeline web --close", "Close the port."),
      ],
      exitCodes: [
        (.unavailable, "the browser could not be started, or exited with an error"),
        (.cannotCreate, "another program uses the port"),
        (.temporary, "no service is running"),
      ])

    private static let printFlag = Flag("--print", "print the addresses with tickets, each on a line")
    private static let closeFlag = Flag("--close", "close the port, and keep it closed")
    private static let forgetFlag = Flag("--forget", "make all browsers enter again")

    package static var options: [any DeclaredOption] { [printFlag, closeFlag, forgetFlag] }
    package static let json: JSONOutput? = JSONOutput(schema: "web")

    package var action: Action

    init(_ action: Action = .open) { self.action = action }

    package init(_ arguments: Arguments) throws(UsageError) {
      let given: [(Flag, Action)] = [
        (Self.printFlag, .print), (Self.closeFlag, .close), (Self.forgetFlag, .forget),
      ].filter { arguments.has($0.0) }
      guard given.count <= 1 else { throw arguments.error("give only one of --print, --close and --forget") }
      self.init(given.first?.1 ?? .open)
      if arguments.isJSON, action == .open { throw arguments.error("--json needs --print, --close or --forget") }
    }
  }
}

internal import Platform
internal import Settings

extension Command {
  /// `homeline demo`.
  package struct Demo: CommandDeclaration {
    package static let name = "demo"
    package static let documentation = CommandDocumentation(
      .development, "show how homeline works, without any keys",
      description: [
        """
        Authorises an account with a simulated provider through the real callback listener, refreshes it, and prints the newest posts and
        the path of the published file. It uses separate folders, which it prints. Press Ctrl-C to end it.
        """
      ],
      details: [
        """
        Without a browser, homeline presses the button on the authorisation page itself. All providers except `twitter` use OAuth 2.0 and
        start empty each time. With `--once`, the command exits when the page's pictures have been fetched, at most 30 seconds after the
        first refresh.
        """
      ],
      examples: [
        CommandExample("homeline demo", "Try out homeline."),
        CommandExample(
          "homeline demo --provider mastodon --once", "Simulate Mastodon and exit after the first refresh."),
      ],
      exitCodes: [
        (.cannotCreate, "another program uses the port"), (.temporary, "another demonstration is running"),
      ])

    private static let providerOption = Option<DemoProvider>(
      "--provider", .choice, placeholder: "NAME", default: .twitter, "simulate twitter, x, weibo or mastodon")
    private static let onceFlag = Flag("--once", "exit after the first refresh")
    private static let portOption = Option<UInt16>(
      "--port", .number("PORT", in: 1...65_535), "wait for the redirect on this port (default: any free port)")
    private static let sandboxPortOption = Option<UInt16>(
      "--sandbox-port", .number("PORT", in: 0...65_535),
      "serve the simulated provider on this port; 0 picks a free one (default: \(ProgramDefaults.sandboxPort), or a free one if that is taken)"
    )

    package static var options: [any DeclaredOption] { [providerOption, onceFlag, portOption, sandboxPortOption] }
    package static let json: JSONOutput? = JSONOutput(schema: "demo")
    package static var program: LibexecProgram? { .daemon }

    package var provider: DemoProvider
    /// Whether to exit after the first refresh.
    package var once: Bool
    /// The callback port; nil selects a free one.
    package var port: UInt16?
    /// The port of the simulated provider; 0 selects a free one, and nil the previous run's port.
    package var sandboxPort: UInt16?

    init(provider: DemoProvider = .twitter, once: Bool = false, port: UInt16? = nil, sandboxPort: UInt16? = nil) {
      self.provider = provider
      self.once = once
      self.port = port
      self.sandboxPort = sandboxPort
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(once: arguments.has(Self.onceFlag), port: try arguments.value(Self.portOption))
      if arguments.isJSON, !once { throw arguments.error("--json needs --once") }
      if let provider = try arguments.value(Self.providerOption) { self.provider = provider }
      sandboxPort = try arguments.value(Self.sandboxPortOption)
    }
  }
}

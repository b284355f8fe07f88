internal import Platform
package import Settings

extension Command {
  /// `homeline sandbox`: a simulated provider for other programs.
  package struct Sandbox: CommandDeclaration {
    package static let name = "sandbox"
    package static let documentation = CommandDocumentation(
      .development, "simulate a provider for testing other clients",
      description: [
        """
        Serves a simulated provider on loopback until Ctrl-C, for testing any client. It supports OAuth 1.0a, or OAuth 2.0 with PKCE,
        rotating refresh tokens and the device grant. It has authorisation pages, and timelines with new posts. At startup, it prints
        the URLs and the application's keys. All tokens become invalid when it exits.
        """,
        """
        The providers are `twitter`, `gnusocial`, `x`, `weibo`, `mastodon`, `gotosocial`, `snac`, `oauth2` and the drive `gokuai`.
        Any port of a loopback redirect URI is accepted.
        """,
        .paragraph(
          "With `--fault NAME`, every request fails; with `--fault NAME=3`, every third one. \(Fault.list)"),
      ],
      examples: [
        CommandExample("homeline sandbox --provider oauth2 --fault slow=5", "Delay every fifth request."),
        CommandExample("homeline sandbox -v", "Show each request on standard error."),
      ],
      exitCodes: [(.cannotCreate, "another program uses the port")])

    /// The providers that can be simulated.
    package enum Provider: String, Sendable, Hashable, CaseIterable {
      case twitter, gnusocial, x, weibo, mastodon, gotosocial, snac, oauth2, gokuai
    }

    /// A deliberate failure.
    package struct Fault: Sendable, Hashable {
      /// The names in groups, as sentences.
      fileprivate static var list: String {
        FaultName.Group.allCases.map { group in
          let names = group.names.map { "`\($0.rawValue)`" }
          return "\(group.rawValue): \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")."
        }.joined(separator: " ")
      }

      package var name: FaultName
      /// The interval of the failures: with 1, every request fails; with 3, every third request.
      package var every: Int

      init(name: FaultName, every: Int = 1) {
        self.name = name
        self.every = every
      }
    }

    /// The port without `--port`, unless it is taken.
    package static let usualPort = ProgramDefaults.sandboxPort

    private static let providerOption = Option<Provider>(
      "--provider", .choice, placeholder: "NAME", default: .twitter, "simulate this provider")
    private static let portOption = Option<UInt16>(
      "--port", .number("PORT", in: 0...65_535),
      "serve on this loopback port; 0 picks a free one (default: \(ProgramDefaults.sandboxPort), or a free one if that is taken)"
    )
    private static let redirectOption = Option(
      "--redirect-uri", .text("URI"), "register this redirect URI (default http://127.0.0.1/callback); repeatable")
    private static let faultOption = Option(
      "--fault", .fault, "make every request fail, or every Nth one; repeatable")

    package static var options: [any DeclaredOption] { [providerOption, portOption, redirectOption, faultOption] }
    package static var program: LibexecProgram? { .sandbox }

    package var provider: Provider
    /// The loopback port; 0 selects a free one, and nil the default port, or a free one if that is taken.
    package var port: UInt16?
    /// The application's redirect URIs; empty means the default.
    package var redirects: [String]
    package var faults: [Fault]

    init(
      provider: Provider = .twitter, port: UInt16? = nil, redirects: [String] = [], faults: [Fault] = []
    ) {
      self.provider = provider
      self.port = port
      self.redirects = redirects
      self.faults = faults
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(redirects: try arguments.values(Self.redirectOption))
      if let provider = try arguments.value(Self.providerOption) { self.provider = provider }
      port = try arguments.value(Self.portOption)
      faults = try arguments.values(Self.faultOption)
    }
  }
}

extension ArgumentType where Value == Command.Sandbox.Fault {
  /// A fault `NAME`, or `NAME=N` for every Nth request.
  static var fault: ArgumentType {
    let known = FaultName.allCases.map(\.rawValue)
    return ArgumentType("NAME[=N]", .choices(known), text: { "\($0.name.rawValue)=\($0.every)" }) {
      (given) throws(ArgumentError) in
      let parts = given.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = FaultName(rawValue: String(parts[0])) else {
        throw ArgumentError(
          "--fault must be one of \(known.joined(separator: ", ")), not \(DisplayText.quoted(String(parts[0])))")
      }
      guard parts.count == 2 else { return Command.Sandbox.Fault(name: name) }
      guard let every = Int(parts[1]), (1...1_000_000).contains(every) else {
        throw ArgumentError(
          "the N of --fault \(name.rawValue)=N must be a whole number from 1 to 1000000, not \(DisplayText.quoted(String(parts[1])))"
        )
      }
      return Command.Sandbox.Fault(name: name, every: every)
    }
  }
}

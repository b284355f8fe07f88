internal import Settings

extension Command {
  /// The arguments of `demo`.
  package struct Demo: Sendable, Hashable {
    package var provider: DemoProvider
    /// Whether it ends after the first refresh.
    package var once: Bool
    /// Where the redirect is listened for; nil picks a free port.
    package var port: UInt16?
    /// Where the simulated provider serves; 0 picks a free port.
    package var sandboxPort: UInt16

    package init(
      provider: DemoProvider = .twitter, once: Bool = false, port: UInt16? = nil,
      sandboxPort: UInt16 = ProgramDefaults.sandboxPort
    ) {
      self.provider = provider
      self.once = once
      self.port = port
      self.sandboxPort = sandboxPort
    }
  }
  /// The arguments of `sandbox`.
  package struct Sandbox: Sendable, Hashable {
    /// What can be simulated.
    package enum Provider: String, Sendable, Hashable, CaseIterable {
      case twitter, gnusocial, x, weibo, mastodon, gotosocial, snac, oauth2
    }

    /// What goes wrong on purpose.
    package struct Fault: Sendable, Hashable {
      package enum Name: String, Sendable, Hashable, CaseIterable {
        case rateLimited = "rate-limited"
        case tokenRevoked = "token-revoked"
        case serverError = "server-error"
        case captivePortal = "captive-portal"
        case noAnswer = "no-answer"
        case cutOff = "cut-off"
        case slow
        case tokenEndpointError = "token-endpoint-error"
      }

      package var name: Name
      /// It meets each so-manieth request.
      package var every: Int

      package init(name: Name, every: Int = 1) {
        self.name = name
        self.every = every
      }
    }

    package var provider: Provider
    /// 0 picks a free port.
    package var port: UInt16
    /// Registered for the application; none stands for the default.
    package var redirects: [String]
    package var faults: [Fault]

    package init(
      provider: Provider = .twitter, port: UInt16 = ProgramDefaults.sandboxPort, redirects: [String] = [],
      faults: [Fault] = []
    ) {
      self.provider = provider
      self.port = port
      self.redirects = redirects
      self.faults = faults
    }
  }
}

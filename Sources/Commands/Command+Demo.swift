extension Command {
  /// The arguments of `demo`.
  package struct Demo: Sendable, Hashable {
    package var provider: DemoProvider
    /// Whether it ends after the first refresh.
    package var once: Bool
    /// Where the redirect is listened for; nil picks a free port.
    package var port: UInt16?

    package init(provider: DemoProvider = .twitter, once: Bool = false, port: UInt16? = nil) {
      self.provider = provider
      self.once = once
      self.port = port
    }
  }
}

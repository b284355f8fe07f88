/// The built-in provider for accounts with `"provider": "sandbox"`.
package struct SandboxSettings: Sendable, Hashable {
  /// The TCP port on loopback for the provider's API, pages and pictures; 0 selects a free one at each start. `nil` selects the same port
  /// at each start: `ProgramDefaults.sandboxPort`, or a free one if that was taken the first time.
  ///
  /// The same port keeps tokens, and the addresses of posts and pictures, valid after a restart.
  package var port: UInt16?

  package init(port: UInt16? = nil) { self.port = port }
}

extension SandboxSettings {
  static let keys = ["port"]

  init?(_ member: ConfigurationTree.Member, _ problems: inout Problems) {
    guard
      let values = KeyedValues(member.value, path: member.name, offset: member.offset, keys: Self.keys, &problems)
    else { return nil }
    self.init(port: values.integer("port", in: 0...65535, &problems).map { UInt16($0) })
  }
}

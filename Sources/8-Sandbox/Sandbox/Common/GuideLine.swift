/// A line of the text that `homeline sandbox` prints when it starts.
package struct GuideLine: Sendable {
  package let name: String
  package let value: String

  init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Describes how the provider's predefined applications are registered.
  static func registration(scopes: [String], redirects: [String]) -> [GuideLine] {
    [GuideLine("scopes", scopes.joined(separator: " "))]
      + redirects.map { GuideLine("redirect URI", "\($0) (any port, if its host is a loopback address)") }
  }
}

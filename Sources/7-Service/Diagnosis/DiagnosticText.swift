/// The text of a finding. Each part states whether it can identify the user.
///
/// Each interpolated value states its kind, so that `homeline report` can replace it with a placeholder. Values without a kind cannot be
/// interpolated.
package struct DiagnosticText: Sendable, Hashable, ExpressibleByStringInterpolation {
  package enum Part: Sendable, Hashable {
    /// Text that does not identify the user.
    case literal(String)
    /// The name of an account or a view.
    case name(String)
    /// A host, with or without a port.
    case host(String)
    case path(String)
    /// Text from elsewhere, such as an error message, which can contain names, hosts and paths.
    case foreign(String)
  }

  package let parts: [Part]

  package init(stringLiteral text: String) { parts = [.literal(text)] }
  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The text for the user, with all values.
  package var plain: String {
    parts.map { part in
      switch part {
      case .literal(let text), .name(let text), .host(let text), .path(let text), .foreign(let text): text
      }
    }.joined()
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ text: String) { if !text.isEmpty { parts.append(.literal(text)) } }
    package mutating func appendInterpolation(_ number: some BinaryInteger) { parts.append(.literal("\(number)")) }
    package mutating func appendInterpolation(_ text: DiagnosticText) { parts += text.parts }
    /// Appends text that needs no placeholder.
    /// - Parameter harmless: text that does not identify the user, such as a version.
    package mutating func appendInterpolation(harmless: String) { parts.append(.literal(harmless)) }
    package mutating func appendInterpolation(name: String) { parts.append(.name(name)) }
    package mutating func appendInterpolation(host: String) { parts.append(.host(host)) }
    package mutating func appendInterpolation(path: String) { parts.append(.path(path)) }
    package mutating func appendInterpolation(foreign: String) { parts.append(.foreign(foreign)) }
  }
}

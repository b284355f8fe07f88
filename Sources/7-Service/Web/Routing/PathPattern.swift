/// The path of a route. A component in braces is a parameter, as in `/a/{account}/p/{id}`.
struct PathPattern: Sendable, ExpressibleByStringLiteral {
  private enum Component: Sendable {
    case word(String)
    case parameter(String)
  }

  private let components: [Component]

  init(stringLiteral pattern: String) {
    precondition(pattern.hasPrefix("/"), "a path begins with /")
    components = pattern.split(separator: "/").map { part in
      part.hasPrefix("{") && part.hasSuffix("}") ? .parameter(String(part.dropFirst().dropLast())) : .word(String(part))
    }
  }

  /// Returns the values of the parameters; nil if the path does not match.
  func match(_ path: WebPath) -> [String: String]? {
    guard path.components.count == components.count else { return nil }
    var parameters: [String: String] = [:]
    for (component, text) in zip(components, path.components) {
      switch component {
      case .word(let word): guard word == text else { return nil }
      case .parameter(let name): parameters[name] = text
      }
    }
    return parameters
  }
}

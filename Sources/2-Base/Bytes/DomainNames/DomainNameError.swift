/// The reason a name with non-ASCII letters cannot be used.
package enum DomainNameError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name is not valid (RFC 5891 §5).
  case invalid(String, reason: String)
  /// libidn2 cannot be loaded. The text is the dynamic loader's message.
  case missingLibrary(String, String)

  package var description: String {
    switch self {
    case .invalid(let name, let reason): "\(Self.quoted(name)) cannot be the name of a server: \(reason)"
    case .missingLibrary(let name, let message):
      "\(Self.quoted(name)) has non-ASCII letters, and libidn2, which converts such names, cannot be loaded (\(message)). Install the "
        + "package libidn2-0, or its equivalent on your system, or write the name in its ASCII form, which begins with xn--"
    }
  }

  /// Returns the name in quotation marks, without characters that could control a terminal, and with at most 80 characters.
  private static func quoted(_ name: String) -> String {
    let shown = name.unicodeScalars.prefix(80).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: "\u{fffd}"
      default: String(scalar)
      }
    }
    return "“\(shown.joined())”"
  }
}

/// Reads the scopes that an account requests (RFC 6749 §3.3).
enum Scopes {
  /// Returns the account's own scopes; nil if it uses the provider's scopes.
  static func list(_ values: KeyedValues, _ problems: inout Problems) -> [String]? {
    guard let node = values["scopes"]?.value else { return nil }
    guard case .array(let elements) = node.content, !elements.isEmpty else {
      let found = if case .array = node.content { "an empty one" } else { node.content.kind }
      values.note("expected a list of scopes: [\"read\", …], found \(found)", at: "scopes", &problems)
      return nil
    }
    var scopes: [String] = []
    for (index, element) in elements.enumerated() {
      let path = values.path(of: "scopes") + "[\(index)]"
      guard case .string(let scope) = element.content else {
        problems.add("expected a string, found \(element.content.kind)", at: element.offset, path: path)
        continue
      }
      if scope.utf8.contains(UInt8(ascii: " ")) {
        problems.add("write each scope as a separate string", at: element.offset, path: path)
      } else if scope.isEmpty || !scope.utf8.allSatisfy(isScopeCharacter) {
        problems.add(
          "a scope consists of visible ASCII characters other than \" and \\", at: element.offset, path: path)
      }
      scopes.append(scope)
    }
    return scopes
  }

  /// Returns whether a byte is NQCHAR (RFC 6749 Appendix A.4).
  private static func isScopeCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21, 0x23...0x5b, 0x5d...0x7e: true
    default: false
    }
  }
}

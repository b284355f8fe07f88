package import Bytes
internal import HomelineOAuth
internal import Timeline

/// A line that the user pastes or types because the redirect cannot reach this machine or the provider shows a PIN.
package enum LoginPaste: Sendable, Equatable {
  /// The address that the browser was redirected to.
  case callback(LoginCallback)
  /// A verifier or a code without an address. It belongs to the login in whose terminal it was entered.
  case proof(Secret)
  /// The last of the lines that the user types: the password, or a token.
  case password(Secret)
  /// The first of two lines; the second must follow.
  case partial
  case notUnderstood

  /// Returns whether text may be a verifier or a code. These are random, so they contain a digit or are longer than any word that someone
  /// would type.
  static func looksRandom(_ proof: Secret) -> Bool {
    proof.withExposed { bytes in
      bytes.count >= 16 || bytes.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
  }

  package init(oauth1 line: String) {
    if let mixed = Self.parameterOfOther(than: .oauth1, in: line) {
      self = mixed
      return
    }
    switch PastedRedirect(line) {
    case .callback(let callback): self = .callback(LoginCallback(callback))
    case .verifier(let verifier): self = .proof(verifier)
    case .unrecognized: self = .notUnderstood
    }
  }

  package init(oauth2 line: String) {
    if let mixed = Self.parameterOfOther(than: .oauth2, in: line) {
      self = mixed
      return
    }
    switch PastedAuthorization(line) {
    case .response(let response): self = .callback(LoginCallback(response))
    case .code(let code): self = .proof(code)
    case .unrecognized: self = .notUnderstood
    }
  }

  /// Returns an unusable callback if the address has parameters from the other OAuth version; otherwise nil.
  private static func parameterOfOther(than version: OAuthVersion, in line: String) -> LoginPaste? {
    guard let mark = line.firstIndex(of: "?") else { return nil }
    let query = line[line.index(after: mark)...].prefix { $0 != "#" }
    let decoded = CallbackQuery(String(query))
    return decoded.mark(of: version.other) == nil ? nil : .callback(decoded.callback(of: version))
  }
}

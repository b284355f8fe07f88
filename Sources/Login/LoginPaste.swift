package import HomelineOAuth
internal import Timeline

/// What a user pastes or types where no redirect could arrive.
package enum LoginPaste: Sendable, Equatable {
  /// The address that the browser was sent to.
  case callback(LoginCallback)
  /// The verifier or the code alone; it belongs to the one login that is pending.
  case proof(Secret)
  case notUnderstood

  /// Whether a text may be a verifier or a code: these are random, so that they have a digit, or are longer than words are.
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

  /// An address with parameters of the other version of OAuth, as no provider sends it; nil for anything else.
  private static func parameterOfOther(than version: OAuthVersion, in line: String) -> LoginPaste? {
    guard let mark = line.firstIndex(of: "?") else { return nil }
    let query = line[line.index(after: mark)...].prefix { $0 != "#" }
    guard OAuthVersion.parameters(in: String(query))[version.other] != nil else { return nil }
    return .callback(LoginCallback(query: String(query), version: version))
  }
}

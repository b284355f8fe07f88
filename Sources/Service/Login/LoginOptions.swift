package import HomelineOAuth
package import Timeline

/// How a login is to be done.
package struct LoginOptions: Sendable {
  /// How long to wait for the user.
  package var timeout: Duration
  /// Whether the provider shows a PIN instead of sending the browser back.
  package var isOutOfBand: Bool
  /// Whether the user types a code in on another device (RFC 8628), and no browser comes back.
  package var usesDevice: Bool
  /// Whether another user than before may take the account over; the former one's files are set aside.
  package var switchesUser: Bool
  /// Whether homeline presses the button of the authorisation page itself, which only the sandbox allows.
  package var pressesAuthorise: Bool

  package init(
    timeout: Duration = .seconds(300), isOutOfBand: Bool = false, usesDevice: Bool = false, switchesUser: Bool = false,
    pressesAuthorise: Bool = false
  ) {
    self.timeout = timeout
    self.isOutOfBand = isOutOfBand
    self.usesDevice = usesDevice
    self.switchesUser = switchesUser
    self.pressesAuthorise = pressesAuthorise
  }
}

/// What a login tells whoever asked for it, while it goes on.
package enum LoginNews: Sendable {
  /// Send the user here. `callbackPort`: where the browser will come back to; `nil` when a PIN is to be typed in.
  case address(RequestURL, callbackPort: Int?)
  /// Have the user type this code in at this address, on any machine (RFC 8628 §3.3); `complete` has the code in it already.
  case code(String, at: String, complete: String?)
  /// Something the user should know.
  case notice(String)
  case authorised(User)
  /// Where the former user's files went.
  case setAside([String])
  /// The token is stored in this file.
  case stored(String)
  /// The first refresh has ended.
  case refreshed(RefreshReport)
}

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
    case .notUnderstood: self = .notUnderstood
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
    case .notUnderstood: self = .notUnderstood
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

/// What the browser is told at the end of a login.
extension ResultPage {
  init(authorised user: User?, account: String) {
    let who = user.map { "@\($0.screenName)" } ?? "the account"
    self.init(
      "Authorised as \(who)", "The token is stored for the account “\(account)” on this computer.",
      "You can close this window; homeline fetches the timeline now.")
  }

  init(failure: Failure, _ end: LoginEnd) {
    switch end {
    case .refused(let reason):
      self.init("You refused", "Nothing was authorised and nothing was stored.", "The provider says: \(reason)")
    case .refusedUnnamed(let reason):
      self.init(
        "The browser came back with a refusal", "Nothing was authorised and nothing was stored.", "It says: \(reason)",
        "Any web page can send a browser here with such words. If you did not refuse, log in again.")
    case .timedOut: self.init("Too late", "The login had ended before this page was asked for.")
    case .authorised, .failed: self.init("Not authorised", failure.message, "Nothing was stored.")
    }
  }
}

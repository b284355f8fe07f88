package import HTTP

/// What can be asked of the owner of the state, over its control socket.
package enum ControlRequest: Sendable, Hashable {
  /// How each account is, or one of them; the answer is a ``ControlStatus``.
  case status(account: String?)
  /// Ask the providers of these accounts now; none named means all that are enabled.
  case refresh(accounts: [String])
  case login(Login)
  /// What the user typed or pasted, for the login that ``ControlEvent/begun(_:)`` named. Answered with 204.
  case input(login: String, Input)
  case logout(account: String)
  /// An access token that is good now; nil means the only enabled account's.
  case token(account: String?)
  /// Mark posts as read.
  case mark(Mark)
  case importing(Import)
  case purge(Removal)
  /// Read the configuration again.
  case reload

  package struct Login: Sendable, Hashable {
    /// Nil means the only enabled account.
    package var account: String?
    /// How long the redirect is waited for: 1 to 86400.
    package var timeoutSeconds: Int
    /// Whether the provider shows a PIN instead of redirecting.
    package var usesPIN: Bool
    /// Whether the user types a code in on another device; not together with a PIN.
    package var usesDevice: Bool
    /// Whether another user than before may take the account over.
    package var switchesUser: Bool
    /// Whether the owner presses the button of the authorisation page itself, which only the sandbox allows.
    package var pressesAuthorise: Bool

    package init(
      account: String? = nil, timeoutSeconds: Int = 300, usesPIN: Bool = false, usesDevice: Bool = false,
      switchesUser: Bool = false, pressesAuthorise: Bool = false
    ) {
      self.account = account
      self.timeoutSeconds = timeoutSeconds
      self.usesPIN = usesPIN
      self.usesDevice = usesDevice
      self.switchesUser = switchesUser
      self.pressesAuthorise = pressesAuthorise
    }

    package static let timeouts = 1...86400
  }

  package enum Input: Sendable, Hashable {
    case line(String)
    /// There will be nothing more to paste.
    case end
  }

  /// How the answer to this request comes, unless it is a ``ControlRefusal``.
  package enum AnswerForm: Sendable, Hashable {
    /// One JSON document.
    case document
    /// One ``ControlEvent`` a line, ``ControlEvent/end(_:)`` being the last.
    case events
    /// Nothing but the status 204.
    case nothing
  }

  package var answerForm: AnswerForm {
    switch self {
    case .status: .document
    case .input: .nothing
    case .refresh, .login, .logout, .token, .mark, .importing, .purge, .reload: .events
    }
  }

  package var method: RequestMethod {
    switch self {
    case .status: .get
    case .refresh, .login, .input, .logout, .token, .mark, .importing, .purge, .reload: .post
    }
  }
}

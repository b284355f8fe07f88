internal import HTTP
package import JSON

/// Authorises an account.
package struct LoginRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/login")
  package static var response: ControlResponseForm {
    .events([
      BegunEvent.self, AddressEvent.self, CodeEvent.self, PasswordEvent.self, TokenWantedEvent.self,
      AuthorisedEvent.self, SetAsideEvent.self,
      StoredEvent.self,
      ProgressEvent.self, RefreshedEvent.self,
    ])
  }

  static let timeouts = 1...86400

  /// The account; nil means the only enabled account.
  package var account: String?
  /// How long to wait for the redirect: 1 to 86400 seconds.
  package var timeoutSeconds: Int
  /// Whether the provider shows a PIN instead of redirecting.
  package var usesPIN: Bool
  /// Whether the user types a code on another device. This option cannot be combined with `usesPIN`.
  package var usesDevice: Bool
  /// Whether the user types a token that another program obtained. This option cannot be combined with the two above.
  package var usesToken: Bool
  /// Whether a user other than the account's current one can log in.
  package var switchesUser: Bool
  /// Whether the account was added for this login. If the user has an account already, that one gets the token.
  package var isForNewAccount: Bool
  /// Whether the owner of the state presses the button on the authorisation page. Only the sandbox allows this.
  package var pressesAuthorise: Bool

  package init(
    account: String? = nil, timeoutSeconds: Int = 300, usesPIN: Bool = false, usesDevice: Bool = false,
    usesToken: Bool = false, switchesUser: Bool = false, isForNewAccount: Bool = false, pressesAuthorise: Bool = false
  ) {
    self.isForNewAccount = isForNewAccount
    self.usesToken = usesToken
    self.account = account
    self.timeoutSeconds = timeoutSeconds
    self.usesPIN = usesPIN
    self.usesDevice = usesDevice
    self.switchesUser = switchesUser
    self.pressesAuthorise = pressesAuthorise
  }

  private static let members: [RequestMember<Self>] = [
    RequestMember("account", \.account), RequestMember("timeout_seconds", \.timeoutSeconds),
    RequestMember("pin", \.usesPIN), RequestMember("device", \.usesDevice),
    RequestMember("switch_user", \.switchesUser),
    RequestMember("with_token", \.usesToken, isOmittedIfFalse: true),
    RequestMember("new_account", \.isForNewAccount, isOmittedIfFalse: true),
    RequestMember("press_authorise", \.pressesAuthorise, isOmittedIfFalse: true),
  ]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init()
    try received.read(Self.members, into: &self)
    guard Self.timeouts.contains(timeoutSeconds) else {
      throw ControlError(.badRequest, "timeout_seconds must be from 1 to 86400")
    }
    guard !usesPIN || !usesDevice else {
      throw ControlError(.badRequest, "pin and device cannot be combined; use one of them")
    }
    guard !usesToken || !usesPIN && !usesDevice else {
      throw ControlError(.badRequest, "with_token cannot be combined with pin or device")
    }
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}

/// A line typed or pasted by the user, for the login identified in `BegunEvent`.
package struct LoginInputRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/logins/{login}/input")
  package static var response: ControlResponseForm { .nothing }

  package enum Input: Sendable, Hashable {
    case line(String)
    /// The user's input has ended.
    case end
  }

  package var login: String
  package var input: Input

  package init(login: String, _ input: Input) {
    self.login = login
    self.input = input
  }

  package init(_ received: ReceivedRequest) throws(ControlError) {
    var line: String?
    var isEnd = false
    try received.members { json, name in
      switch name {
      case "line": line = try json.string()
      case "end": isEnd = try json.boolean()
      default: return false
      }
      return true
    }
    login = received.parameters["login"] ?? ""
    switch (line, isEnd) {
    case (let line?, false): input = .line(line)
    case (nil, true): input = .end
    default: throw ControlError(.badRequest, "the content must be {\"line\":TEXT} or {\"end\":true}")
    }
  }

  package var parameters: [String: String] { ["login": login] }

  package func write(to json: inout JSONWriter) {
    switch input {
    case .line(let line): json.member("line", line)
    case .end: json.member("end", true)
    }
  }
}

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
  /// Whether the account was added for this login. If the user already has an account, that account gets the token.
  package var isForNewAccount: Bool
  /// Whether the state owner presses the button on the authorisation page. Only the sandbox allows this.
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

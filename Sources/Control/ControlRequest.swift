package import CivilTime
package import HTTP
internal import JSON

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

/// What can be asked of what is kept.
extension ControlRequest {
  package struct Mark: Sendable, Hashable {
    /// Nil means the only enabled account.
    package var account: String?
    /// A post's id; nil means the newest one.
    package var upTo: String?

    package init(account: String?, upTo: String?) {
      self.account = account
      self.upTo = upTo
    }
  }

  /// Posts that lie in a file of the account's data folder, put there for this.
  package struct Import: Sendable, Hashable {
    /// Nil means the only enabled account.
    package var account: String?
    /// The file's name in that folder.
    package var file: String

    package init(account: String?, file: String) {
      self.account = account
      self.file = file
    }
  }

  package struct Removal: Sendable, Hashable {
    package enum What: Sendable, Hashable {
      case post(String)
      case author(String)
      case before(Timestamp)
      case everything
    }

    /// Nil means all that are configured; everything is removed of a named one only.
    package var account: String?
    package var what: What
    /// Whether it is only told what would be removed.
    package var isDryRun: Bool

    package init(account: String?, what: What, isDryRun: Bool) {
      self.account = account
      self.what = what
      self.isDryRun = isDryRun
    }
  }
}

extension ControlRequest.Mark {
  init(body: [UInt8]) throws(ControlRefusal) {
    var mark = ControlRequest.Mark(account: nil, upTo: nil)
    try ControlBody.read(body) { json, name in
      switch name {
      case "account": mark.account = try json.stringOrNull()
      case "up_to": mark.upTo = try json.stringOrNull()
      default: return false
      }
      return true
    }
    self = mark
  }

  func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("up_to", upTo)
  }
}

extension ControlRequest.Import {
  init(body: [UInt8]) throws(ControlRefusal) {
    var asked = ControlRequest.Import(account: nil, file: "")
    try ControlBody.read(body) { json, name in
      switch name {
      case "account": asked.account = try json.stringOrNull()
      case "file": asked.file = try json.string()
      default: return false
      }
      return true
    }
    guard !asked.file.isEmpty, !asked.file.contains("/"), !asked.file.hasPrefix(".") else {
      throw ControlRefusal(.badRequest, "file must be the name of a file in the account's data folder")
    }
    self = asked
  }

  func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("file", file)
  }
}

extension ControlRequest.Removal {
  init(body: [UInt8]) throws(ControlRefusal) {
    var account: String?
    var found: [What] = []
    var isDryRun = false
    var isTime = true
    try ControlBody.read(body) { json, name in
      switch name {
      case "account": account = try json.stringOrNull()
      case "post": found.append(.post(try json.string()))
      case "author": found.append(.author(try json.string()))
      case "before":
        let moment = Timestamp(rfc3339: try json.string())
        isTime = moment != nil
        found.append(.before(moment ?? Timestamp(seconds: 0)))
      case "everything": if try json.boolean() { found.append(.everything) }
      case "dry_run": isDryRun = try json.boolean()
      default: return false
      }
      return true
    }
    guard isTime else { throw ControlRefusal(.badRequest, "before must be a time as RFC 3339 has it") }
    guard found.count == 1 else {
      throw ControlRefusal(.badRequest, "the content must have one of post, author, before and everything")
    }
    guard account != nil || found[0] != .everything else {
      throw ControlRefusal(.badRequest, "everything is removed of an account that is named")
    }
    self.init(account: account, what: found[0], isDryRun: isDryRun)
  }

  func write(to json: inout JSONWriter) {
    json.member("account", account)
    switch what {
    case .post(let id): json.member("post", id)
    case .author(let name): json.member("author", name)
    case .before(let moment): json.member("before", moment.rfc3339)
    case .everything: json.member("everything", true)
    }
    json.member("dry_run", isDryRun)
  }
}

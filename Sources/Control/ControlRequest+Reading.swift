package import HTTP
internal import JSON

extension ControlRequest {
  /// Understands a request as it came. The type of its content is not asked for, so that `curl -d` will do.
  package init(_ request: Request) throws(ControlRefusal) {
    let target = request.target
    let path = target.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { String($0) }
    switch path {
    case ["v1", "status"]:
      try ControlRequest.judge(request, method: .get, takesQuery: true)
      self = .status(account: try ControlRequest.account(inQuery: target.query))
    case ["v1", "refresh"]:
      try ControlRequest.judge(request, method: .post)
      self = .refresh(accounts: try ControlRequest.accounts(in: request.body))
    case ["v1", "login"]:
      try ControlRequest.judge(request, method: .post)
      self = .login(try Login(body: request.body))
    case ["v1", "logout"]:
      try ControlRequest.judge(request, method: .post)
      self = .logout(account: try ControlRequest.account(in: request.body))
    case ["v1", "token"]:
      try ControlRequest.judge(request, method: .post)
      self = .token(account: try ControlRequest.accountOrNone(in: request.body))
    case ["v1", "read"]:
      try ControlRequest.judge(request, method: .post)
      self = .mark(try Mark(body: request.body))
    case ["v1", "import"]:
      try ControlRequest.judge(request, method: .post)
      self = .importing(try Import(body: request.body))
    case ["v1", "purge"]:
      try ControlRequest.judge(request, method: .post)
      self = .purge(try Removal(body: request.body))
    case ["v1", "reload"]:
      try ControlRequest.judge(request, method: .post)
      try ControlBody.read(request.body) { _, _ in false }
      self = .reload
    default:
      guard path.count == 4, path[...1] == ["v1", "logins"], path[3] == "input", ControlRequest.isLogin(path[2]) else {
        throw ControlRefusal(.notFound, "there is nothing at \(target.path)")
      }
      try ControlRequest.judge(request, method: .post)
      self = .input(login: path[2], try Input(body: request.body))
    }
  }

  /// What a login may be called: so it fits into a path as it is.
  static func isLogin(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  private static func judge(
    _ request: Request, method: RequestMethod, takesQuery: Bool = false
  ) throws(ControlRefusal) {
    guard request.method == method else {
      throw ControlRefusal(.methodNotAllowed, "\(request.target.path) takes \(method) only", allowed: method)
    }
    guard takesQuery || request.target.query == nil else {
      throw ControlRefusal(.badRequest, "\(request.target.path) takes no query: what it needs is JSON in the content")
    }
  }

  private static func account(inQuery query: String?) throws(ControlRefusal) -> String? {
    guard let query, !query.isEmpty else { return nil }
    let parts = query.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "account", !parts[1].contains("&") else {
      throw ControlRefusal(.badRequest, "the query takes account=NAME, once, and nothing else")
    }
    guard let name = PercentEncoding.decoded(parts[1]) else {
      throw ControlRefusal(.badRequest, "the account in the query has a broken escape")
    }
    return name
  }

  private static func accounts(in body: [UInt8]) throws(ControlRefusal) -> [String] {
    var accounts: [String] = []
    try ControlBody.read(body) { json, name in
      guard name == "accounts" else { return false }
      accounts = try json.list { json in try json.string() }
      return true
    }
    return accounts
  }

  private static func accountOrNone(in body: [UInt8]) throws(ControlRefusal) -> String? {
    var account: String?
    try ControlBody.read(body) { json, name in
      guard name == "account" else { return false }
      account = try json.stringOrNull()
      return true
    }
    return account
  }

  private static func account(in body: [UInt8]) throws(ControlRefusal) -> String {
    var account: String?
    try ControlBody.read(body) { json, name in
      guard name == "account" else { return false }
      account = try json.string()
      return true
    }
    guard let account else {
      throw ControlRefusal(.badRequest, "the content must name the account: {\"account\":NAME}")
    }
    return account
  }
}

extension ControlRequest.Login {
  fileprivate init(body: [UInt8]) throws(ControlRefusal) {
    var login = ControlRequest.Login()
    try ControlBody.read(body) { json, name in
      switch name {
      case "account": login.account = try json.stringOrNull()
      case "timeout_seconds": login.timeoutSeconds = Int(try json.integer())
      case "pin": login.usesPIN = try json.boolean()
      case "device": login.usesDevice = try json.boolean()
      case "switch_user": login.switchesUser = try json.boolean()
      case "press_authorise": login.pressesAuthorise = try json.boolean()
      default: return false
      }
      return true
    }
    guard ControlRequest.Login.timeouts.contains(login.timeoutSeconds) else {
      throw ControlRefusal(.badRequest, "timeout_seconds takes 1 to 86400")
    }
    guard !login.usesPIN || !login.usesDevice else {
      throw ControlRefusal(.badRequest, "pin and device are two ways to log in; take one")
    }
    self = login
  }
}

extension ControlRequest.Input {
  fileprivate init(body: [UInt8]) throws(ControlRefusal) {
    var line: String?
    var isEnd = false
    try ControlBody.read(body) { json, name in
      switch name {
      case "line": line = try json.string()
      case "end": isEnd = try json.boolean()
      default: return false
      }
      return true
    }
    switch (line, isEnd) {
    case (let line?, false): self = .line(line)
    case (nil, true): self = .end
    default: throw ControlRefusal(.badRequest, "the content must be {\"line\":TEXT} or {\"end\":true}")
    }
  }
}

package import HTTP
internal import JSON

extension ControlRequest {
  /// The request as it is sent, by HTTP/1.0: each has a connection of its own, whose end is the end of the events.
  package var httpRequest: Request {
    let text: String =
      switch self {
      case .status(let account): "/v1/status" + (account.map { "?account=\(PercentEncoding.encoded($0))" } ?? "")
      case .refresh: "/v1/refresh"
      case .login: "/v1/login"
      case .input(let login, _): "/v1/logins/\(login)/input"
      case .logout: "/v1/logout"
      case .token: "/v1/token"
      case .mark: "/v1/read"
      case .importing: "/v1/import"
      case .purge: "/v1/purge"
      case .reload: "/v1/reload"
      }
    guard let target = RequestTarget(text, of: method) else {
      preconditionFailure("a login's name came from begun and fits into a path")
    }
    // The socket's path says whom it is for; `Host` is there for servers that want one.
    var headers: HeaderFields = [.host: "localhost"]
    if !body.isEmpty { headers.append(.contentType, "application/json") }
    return Request(method: method, target: target, version: .http10, headers: headers, body: body)
  }

  private var body: [UInt8] {
    var writer = JSONWriter()
    switch self {
    case .status, .reload: return []
    case .refresh(let accounts):
      writer.object { json in json.member("accounts", list: accounts) { $0.string($1) } }
    case .login(let login):
      writer.object { json in
        json.member("account", login.account)
        json.member("timeout_seconds", login.timeoutSeconds)
        json.member("pin", login.usesPIN)
        json.member("device", login.usesDevice)
        json.member("switch_user", login.switchesUser)
        // Only where it is asked for: a service of an earlier version does not know it.
        if login.pressesAuthorise { json.member("press_authorise", true) }
      }
    case .input(_, .line(let line)): writer.object { json in json.member("line", line) }
    case .input(_, .end): writer.object { json in json.member("end", true) }
    case .mark(let mark): writer.object { json in mark.write(to: &json) }
    case .importing(let asked): writer.object { json in asked.write(to: &json) }
    case .purge(let removal): writer.object { json in removal.write(to: &json) }
    case .token(let account): writer.object { json in json.member("account", account) }
    case .logout(let account): writer.object { json in json.member("account", account) }
    }
    return writer.bytes
  }
}

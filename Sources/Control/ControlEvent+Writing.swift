internal import CivilTime
internal import HomelineOAuth
internal import JSON
internal import Platform

extension ControlEvent {
  /// The event as a line, with its line feed.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("event", name)
      write(to: &json)
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private var name: String {
    switch self {
    case .begun: "begun"
    case .address: "address"
    case .code: "code"
    case .notice: "notice"
    case .authorised: "authorised"
    case .setAside: "set_aside"
    case .stored: "stored"
    case .refreshed: "refreshed"
    case .loggedOut: "logged_out"
    case .token: "token"
    case .progress: "progress"
    case .marked: "marked"
    case .imported: "imported"
    case .purged: "purged"
    case .end: "end"
    }
  }

  private func write(to json: inout JSONWriter) {
    switch self {
    case .begun(let begun):
      json.member("login", begun.login)
      json.member("account", begun.account)
    case .address(let address):
      json.member("url", address.url)
      json.member("callback_port", address.callbackPort)
    case .code(let code):
      json.member("code", code.code)
      json.member("url", code.url)
      json.member("complete_url", code.completeURL)
    case .notice(let message): json.member("message", message)
    case .authorised(let user):
      json.name("user")
      json.object { json in
        json.member("id", user.id)
        json.member("screen_name", user.screenName)
        json.member("name", user.name)
      }
    case .setAside(let paths): json.member("paths", list: paths) { $0.string($1) }
    case .stored(let path): json.member("path", path)
    case .refreshed(let report):
      json.member("account", report.account)
      json.member("new", report.new)
      json.member("message", report.message)
      json.member("exit", report.exit.rawValue)
      json.member("warnings", list: report.warnings) { $0.string($1) }
      json.member("timeline", report.timeline)
    case .loggedOut(let report):
      json.member("account", report.account)
      json.member("outcome", report.outcome.rawValue)
      json.member("message", report.message)
    case .token(let token):
      json.member("account", token.account)
      token.accessToken.withExposedText { json.member("access_token", $0) }
      json.member("expires_at", token.expiresAt?.rfc3339)
    case .progress(let progress):
      json.member("account", progress.account)
      json.member("done", progress.done)
      json.member("of", progress.of)
      json.member("posts", progress.posts)
    case .marked(let marked):
      json.member("account", marked.account)
      json.member("up_to", marked.upTo)
      json.member("unread", marked.unread)
    case .imported(let report):
      json.member("account", report.account)
      json.member("new", report.new)
      json.member("known", report.known)
    case .purged(let report):
      json.member("account", report.account)
      json.member("posts", report.posts)
      json.member("quotes", report.quotes)
    case .end(let end):
      json.member("exit", end.exit.rawValue)
      json.member("message", end.message)
      json.member("retry_at", end.retryAt?.rfc3339)
    }
  }
}

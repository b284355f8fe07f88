internal import HTTP
package import JSON

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

internal import HTTP
package import JSON

/// Opens or closes the web page, or makes its browsers enter again. Only the service serves the page.
package struct WebPageRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/web")
  package static var response: ControlResponseForm { .events([WebPageEvent.self]) }

  package enum Action: String, Sendable, Hashable, CaseIterable {
    /// Opens the page if it is closed, and makes an address for a browser's arguments.
    case open
    /// Opens the page if it is closed, and makes addresses to print.
    case print
    case close
    /// Makes all browsers enter again.
    case forget
  }

  package var action: Action

  package init(_ action: Action) { self.action = action }

  package init(_ received: ReceivedRequest) throws(ControlError) {
    var text: String?
    try received.members { json, name in
      guard name == "action" else { return false }
      text = try json.string()
      return true
    }
    guard let action = text.flatMap({ Action(rawValue: $0) }) else {
      let names = Action.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError(.badRequest, "the content must be {\"action\":ACTION}, with one of the actions \(names)")
    }
    self.action = action
  }

  package func write(to json: inout JSONWriter) { json.member("action", action.rawValue) }
}

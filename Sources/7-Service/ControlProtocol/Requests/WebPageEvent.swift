package import JSON

/// The outcome of a request about the web page.
package struct WebPageEvent: ControlEvent {
  package static let name = "web_page"
  /// The page's address on loopback; nil if it was closed already.
  package var page: String?
  /// The addresses that let a browser enter, each once, within a minute. They are secrets.
  package var entries: [String]
  /// The number of browsers that must enter again.
  package var forgotten: Int

  package init(page: String?, entries: [String] = [], forgotten: Int = 0) {
    self.page = page
    self.entries = entries
    self.forgotten = forgotten
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      page: members.textOrNull("page"), entries: try members.list("entries"), forgotten: try members.number("forgotten")
    )
  }

  package func write(to json: inout JSONWriter) {
    json.member("page", page)
    json.member("entries", list: entries) { $0.string($1) }
    json.member("forgotten", forgotten)
  }
}

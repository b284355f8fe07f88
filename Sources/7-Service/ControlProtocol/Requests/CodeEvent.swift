package import JSON

/// A code that the user types on any device.
package struct CodeEvent: ControlEvent {
  package static let name = "code"
  package static let isResult = false
  package var code: String
  /// The address of the page that accepts the code.
  package var url: String
  /// An address that includes the code; nil if the server offers none.
  package var completeURL: String?

  package init(code: String, url: String, completeURL: String?) {
    self.code = code
    self.url = url
    self.completeURL = completeURL
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      code: try members.text("code"), url: try members.text("url"), completeURL: members.textOrNull("complete_url"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("code", code)
    json.member("url", url)
    json.member("complete_url", completeURL)
  }
}

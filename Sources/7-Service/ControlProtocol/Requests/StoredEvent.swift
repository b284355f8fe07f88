package import JSON

/// Reports that the token has been stored.
package struct StoredEvent: ControlEvent {
  package static let name = "stored"
  package var path: String

  package init(path: String) { self.path = path }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) { path = try members.text("path") }

  package func write(to json: inout JSONWriter) { json.member("path", path) }
}

package import JSON

/// Reports that the files of the account's previous user have been moved aside.
package struct SetAsideEvent: ControlEvent {
  package static let name = "set_aside"
  package var paths: [String]

  package init(paths: [String]) { self.paths = paths }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) { paths = try members.list("paths") }

  package func write(to json: inout JSONWriter) { json.member("paths", list: paths) { $0.string($1) } }
}

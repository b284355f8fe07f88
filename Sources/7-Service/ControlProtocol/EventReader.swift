/// Decodes the events of a response.
package enum EventReader {
  /// Decodes a line as an event of one of these types.
  /// - Parameter line: the line, with or without its line feed.
  /// - Returns: nil for an event of an unknown type.
  package static func event(
    _ line: [UInt8], among types: [any ControlEvent.Type]
  ) throws(ControlFormatError) -> (any ControlEvent)? {
    do {
      let members = try EventMembers(line: line)
      let name = try members.text("event")
      let type = types.first { $0.name == name } ?? [NoticeEvent.self, EndEvent.self].first { $0.name == name }
      return try type?.init(members)
    } catch { throw ControlFormatError("an event of the owner", "\(error)") }
  }
}

/// Where the service serves the web page from its start. Without these settings, it is served only after `homeline web`.
package struct WebSettings: Sendable, Hashable {
  /// The port on 127.0.0.1 and ::1.
  package var port: UInt16
  /// The origins of front servers, without duplicates.
  package var origins: [WebOrigin]

  package init(port: UInt16 = ProgramDefaults.webPort, origins: [WebOrigin] = []) {
    self.port = port
    self.origins = origins
  }
}

extension WebSettings {
  static let keys = ["port", "origins"]

  init?(_ member: ConfigurationTree.Member, _ problems: inout Problems) {
    guard
      let values = KeyedValues(member.value, path: member.name, offset: member.offset, keys: Self.keys, &problems)
    else { return nil }
    let port = values.integer("port", in: 1...65_535, &problems).map { UInt16($0) }
    let origins = TextList(
      "origins", in: values, expecting: "a list of origins, such as [\"https://box.example\"]",
      atMost: ProgramDefaults.webOrigins, &problems)
    origins?.check(&problems) { text in
      WebOrigin(text) == nil
        ? "\(DisplayText.quoted(text)) is not an origin: expected https, a host and an optional port, such as \"https://box.example\""
        : nil
    }
    var unique: [WebOrigin] = []
    for origin in (origins?.elements ?? []).compactMap({ WebOrigin($0.text) }) where !unique.contains(origin) {
      unique.append(origin)
    }
    self.init(port: port ?? ProgramDefaults.webPort, origins: unique)
  }
}

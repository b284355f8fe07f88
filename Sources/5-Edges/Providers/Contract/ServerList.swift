package import Timeline

/// A list of users that the user has made on the server.
package struct ServerList: Sendable, Hashable {
  package let id: String
  package let title: String
  /// Whether the posts of the list's members do not appear in the home timeline.
  package let isExclusive: Bool

  package init(id: String, title: String, isExclusive: Bool = false) {
    self.id = id
    self.title = title
    self.isExclusive = isExclusive
  }
}

extension [ServerList] {
  /// Returns the name of a list for an account's settings. It contains the title or, if the title also finds another list or cannot be part
  /// of a name, the id.
  package func name(of list: ServerList) -> TimelineName? {
    if let name = try? TimelineName(.list, list.title), (try? self.list(named: list.title))?.id == list.id {
      return name
    }
    return try? TimelineName(.list, list.id)
  }

  /// Returns the list with this id, or else the only list with this title.
  package func list(named name: String) throws(ProviderFailure) -> ServerList {
    if let list = first(where: { $0.id == name }) { return list }
    let named = filter { $0.title == name }
    if named.count == 1 { return named[0] }
    if named.isEmpty {
      let titles = prefix(Self.mostNamed).map { "“\($0.title)”" }.joined(separator: ", ")
      let rest = count > Self.mostNamed ? " and \(count - Self.mostNamed) more" : ""
      throw .configuration(
        isEmpty
          ? "There is no list “\(name)”: the user has no lists on the server."
          : "There is no list “\(name)” on the server. It has \(titles)\(rest).")
    }
    let ids = named.map { "list:\($0.id)" }.joined(separator: " or ")
    throw .configuration("The server has \(named.count) lists “\(name)”. Write \(ids).")
  }

  /// The maximum number of lists in an error message.
  private static var mostNamed: Int { 10 }
}

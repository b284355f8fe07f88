internal import CivilTime
internal import Settings

extension ArgumentMeaning {
  func search() throws(UsageError) -> Command.Search {
    let (since, until) = try stretch()
    var search = Command.Search(
      query: words.operands.joined(separator: " "), account: try account(of: "--account"), since: since, until: until,
      author: try author("--from"))
    if let limit = try number("--limit", in: 1...1_000_000) { search.limit = Int(limit) }
    if let format = try choice("--format", as: Command.Search.Format.self) { search.format = format }
    return search
  }

  func export() throws(UsageError) -> Command.Export {
    let (since, until) = try stretch()
    var export = Command.Export(account: try firstAccount(), since: since, until: until)
    if let format = try choice("--format", as: Command.Export.Format.self) { export.format = format }
    return export
  }

  func importing() throws(UsageError) -> Command.Import {
    if words.operands[0].isEmpty { throw error("the name of the file is empty; - is standard input") }
    return Command.Import(file: words.operands[0], account: try account(of: "--account"))
  }

  func purge() throws(UsageError) -> Command.Purge {
    let given = ["--post", "--author", "--before"].filter { words.value($0) != nil }
    if given.count > 1 { throw error("\(given[0]) and \(given[1]) are two purges; take one after the other") }
    return Command.Purge(
      what: try purged(), account: try account(of: "--account"), isDryRun: words.has("--dry-run"))
  }

  private func purged() throws(UsageError) -> Command.Purge.What {
    if let id = try text("--post") { return .post(id) }
    if let author = try author("--author") { return .author(author) }
    if let moment = try moment("--before") {
      // Nothing older is taken again: the account would stay empty until then.
      if moment > now { throw error("--before is in the future, so that no new post would be kept either") }
      return .before(moment)
    }
    if words.value("--account") != nil { return .everything }
    throw error(
      "name what to remove: --post ID, --author NAME, --before DATE, or --account ACCOUNT alone for all of its posts")
  }

  /// A screen name without the @ that people write before one.
  private func author(_ option: String) throws(UsageError) -> String? {
    guard let given = try text(option) else { return nil }
    let name = given.hasPrefix("@") ? String(given.dropFirst()) : given
    if name.isEmpty { throw error("\(option): the value is empty") }
    return name
  }

  /// From when to when; both may be left out.
  private func stretch() throws(UsageError) -> (since: Timestamp?, until: Timestamp?) {
    let since = try moment("--since")
    let until = try moment("--until")
    if let since, let until, since >= until {
      throw error("--since \(since.rfc3339) is not before --until \(until.rfc3339), so nothing lies between")
    }
    return (since, until)
  }
}

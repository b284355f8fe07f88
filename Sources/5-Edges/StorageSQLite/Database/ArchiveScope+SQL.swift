internal import Storage
internal import Timeline

extension AccountDatabase {
  /// Returns the condition on `posts` that is true for the posts of a scope; `nil` if it is true for all.
  /// - Parameter isShown: whether a post that the user's filters hide in all timelines of the scope is left out. `posts.post` is already NULL
  ///   for a post that they hide in home.
  func condition(of scope: ArchiveScope, isShown: Bool) throws(StorageError) -> String? {
    guard try seesOthers() else { return scope.includes(.home) ? nil : "FALSE" }
    if scope == .everything, !isShown { return nil }
    let entry = try entryCondition(of: scope, isShown ? "filter_action IS NOT 'hide'" : nil)
    return scope.includes(.home) ? "(\(StoredKey.isHome) OR \(entry))" : entry
  }

  /// Returns the condition on `posts` that is true for the posts that have an entry in another timeline of the scope.
  /// - Parameter further: a condition on the entry.
  func entryCondition(of scope: ArchiveScope, _ further: String? = nil) throws(StorageError) -> String {
    let numbers = try OtherTimelineTables.names(in: connection).filter { scope.includes($0.value) }.keys.sorted()
    let list = numbers.map(String.init).joined(separator: ", ")
    let isIncluded = scope == .everything ? "" : " AND timeline IN (\(list))"
    return """
      EXISTS (SELECT 1 FROM entries WHERE entries.row = posts.row\(isIncluded)\(further.map { " AND \($0)" } ?? ""))
      """
  }

  /// Returns the form of a post that the scope shows. Only home's filters are part of the stored form.
  func shownForm(
    _ json: [UInt8], ofRow row: Int64, isInHome: Bool, _ scope: ArchiveScope
  ) throws(StorageError) -> [UInt8] {
    if isInHome, scope.includes(.home) { return json }
    guard try seesOthers() else { return json }
    let condition = try entryCondition(of: scope)
    let filters = try connection.all(
      """
      SELECT filter_action, filter_title FROM posts JOIN entries ON entries.row = posts.row
      WHERE posts.row = ? AND \(condition) AND filter_action IS NOT 'hide' ORDER BY timeline LIMIT 1
      """, [.integer(row)]
    ) { ServerFilter($0, from: 0) }
    return ServerFilter.replaced(in: json, by: filters.first ?? nil)
  }
}

internal import Settings
internal import Store

extension AccountStatus {
  /// Looks at the account's files and changes nothing. What cannot be read is said, and the rest is still read.
  init(name: String, settings: AccountSettings?, isOrphan: Bool, layout: FileLayout) {
    self.name = name
    self.settings = settings
    self.isOrphan = isOrphan
    files = layout.files(of: name)
    var problems: [String] = []
    do throws(TokenStoreError) {
      token =
        try TokenStore(files).read().map { .held(by: $0.identity.user, since: $0.authorisedAt, TokenOutlook($0)) }
        ?? .none
    } catch {
      token = .unreadable
      problems.append("\(error)")
    }
    do {
      let database = try AccountDatabase.openForReading(files, isSnapshot: true)
      defer { database?.close() }
      (state, spending) = (try database?.state(), try database?.spending())
    } catch {
      (state, spending) = (nil, nil)
      problems.append("\(files.database): \(error)")
    }
    self.problems = problems
  }
}

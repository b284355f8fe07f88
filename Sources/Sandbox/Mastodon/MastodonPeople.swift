/// Where the writers of the sandbox are at home: some on the server, some on another one.
enum MastodonPeople {
  private static let farHost = "far.example"

  static func isFar(_ author: Author) -> Bool { author.id != Author.mira.id && author.id % 2 == 0 }

  /// `acct`: with the host for those of another server.
  static func address(_ author: Author) -> String { author.screenName + (isFar(author) ? "@" + farHost : "") }

  static func page(_ author: Author, base: String) -> String {
    (isFar(author) ? "https://\(farHost)" : base) + "/@" + author.screenName
  }
}

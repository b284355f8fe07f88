extension Command {
  /// `homeline delete`.
  package struct Delete: PostActionCommand {
    package static let name = "delete"
    package static let participle = "deleted"
    package static let documentation: CommandDocumentation = documented(
      "delete one of your posts",
      "Deletes one of the account user's posts from the server, and removes it from the archive.",
      repetition:
        "homeline checks the post first and refuses to delete another user's, even if you are a moderator. On X, where each check costs "
        + "money, homeline relies on the archive and on X itself. A post of yours that the server no longer has is removed from the archive."
    )
    package static var options: [any DeclaredOption] { [PostActionArguments.accountOption] }

    package let arguments: PostActionArguments
    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = try PostActionArguments(arguments) }
  }

  /// `homeline repost`.
  package struct Repost: PostActionCommand {
    package static let name = "repost"
    package static let participle = "reposted"
    package static let documentation: CommandDocumentation = documented(
      "repost a post", "Reposts a post as the account's user, or undoes the repost.")

    package let arguments: PostActionArguments
    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = try PostActionArguments(arguments) }
  }

  /// `homeline like`.
  package struct Like: PostActionCommand {
    package static let name = "like"
    package static let participle = "liked"
    package static let documentation: CommandDocumentation = documented(
      "like a post", "Likes a post as the account's user, or removes the like.")

    package let arguments: PostActionArguments
    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = try PostActionArguments(arguments) }
  }

  /// `homeline bookmark`.
  package struct Bookmark: PostActionCommand {
    package static let name = "bookmark"
    package static let participle = "bookmarked"
    package static let documentation: CommandDocumentation = documented(
      "bookmark a post",
      "Bookmarks a post for the account's user, or removes the bookmark. Servers with Mastodon's API and X support bookmarks."
    )

    package let arguments: PostActionArguments
    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = try PostActionArguments(arguments) }
  }
}

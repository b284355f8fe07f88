package import Control
internal import Platform
internal import Settings

/// A command that performs an action on a published post.
package protocol PostActionCommand: OwnerCommand where Request == PostActionRequest {
  var arguments: PostActionArguments { get }
}

/// The arguments of a command that performs an action on a published post.
package struct PostActionArguments: Sendable, Hashable {
  fileprivate static let postOperand = Operand(.filledText("POST"))
  fileprivate static let accountOption = Option("--account", .account, "as the user of this account")
  fileprivate static let undoFlag = Flag("--undo", "undo the action")

  fileprivate let post: String
  fileprivate let account: AccountName?
  fileprivate let undo: Bool

  fileprivate init(_ arguments: Arguments) throws(UsageError) {
    post = try arguments.required(Self.postOperand)
    account = try arguments.value(Self.accountOption)
    undo = arguments.has(Self.undoFlag)
  }
}

extension PostActionCommand {
  package static var operands: [OperandDescription] { [PostActionArguments.postOperand.description] }
  package static var options: [any DeclaredOption] {
    [PostActionArguments.accountOption, PostActionArguments.undoFlag]
  }

  package static var json: JSONOutput? { JSONOutput(schema: "post-action") }

  package var request: PostActionRequest {
    PostActionRequest(
      account: arguments.account?.text, action: Self.name, post: arguments.post, undo: arguments.undo)
  }

  package func makeDisplay(_ context: DisplayContext) -> any EventDisplay { EventPrinter { _ in } }

  /// Returns the documentation of an action command.
  /// - Parameter effect: a sentence that describes the command.
  fileprivate static func documented(_ summary: String, _ effect: String) -> CommandDocumentation {
    CommandDocumentation(
      .posting, summary,
      description: [
        .paragraph(effect),
        """
        POST is the URL of a post in the published timeline, or an id as printed by `homeline show --ids`. Repeating the command is
        harmless.
        """,
      ],
      details: [
        .paragraph(
          """
          With OAuth 2.0, the token must allow this: `homeline login ACCOUNT --allow posting`. If it does not, homeline offers that login on
          a terminal and goes on.
          """
        )
      ],
      examples: [CommandExample("homeline \(name) 115586 --account bird", "Name the post by its id.")],
      exitCodes: [
        (.badData, "the server has no such post"), (.unavailable, "the provider or the network is not available"),
        (.notAuthorised, "the account is not authorised, or its token does not allow it"),
      ])
  }
}

extension Command {
  /// `homeline delete`.
  package struct Delete: PostActionCommand {
    package static let name = "delete"
    package static let documentation: CommandDocumentation = documented(
      "delete one of your posts",
      "Deletes one of the account user's posts from the server, and removes it from the archive.")
    package static var options: [any DeclaredOption] { [PostActionArguments.accountOption] }

    package let arguments: PostActionArguments
    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = try PostActionArguments(arguments) }
  }

  /// `homeline repost`.
  package struct Repost: PostActionCommand {
    package static let name = "repost"
    package static let documentation: CommandDocumentation = documented(
      "repost a post", "Reposts a post as the account's user, or undoes the repost.")

    package let arguments: PostActionArguments
    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = try PostActionArguments(arguments) }
  }

  /// `homeline like`.
  package struct Like: PostActionCommand {
    package static let name = "like"
    package static let documentation: CommandDocumentation = documented(
      "like a post", "Likes a post as the account's user, or removes the like.")

    package let arguments: PostActionArguments
    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = try PostActionArguments(arguments) }
  }

  /// `homeline bookmark`.
  package struct Bookmark: PostActionCommand {
    package static let name = "bookmark"
    package static let documentation: CommandDocumentation = documented(
      "bookmark a post",
      "Bookmarks a post for the account's user, or removes the bookmark. Servers with Mastodon's API and X have bookmarks."
    )

    package let arguments: PostActionArguments
    package init(_ arguments: Arguments) throws(UsageError) { self.arguments = try PostActionArguments(arguments) }
  }
}

package import ControlProtocol
internal import Platform
internal import Settings

/// A command that performs an action on a published post.
package protocol PostActionCommand: OwnerCommand where Request == PostActionRequest {
  /// What the action makes of a post, such as `reposted`.
  static var participle: String { get }
  var arguments: PostActionArguments { get }
}

extension PostActionCommand {
  package static var isPrepared: Bool { true }
  package static var operands: [OperandDescription] { [PostActionArguments.postOperand.description] }
  package static var options: [any DeclaredOption] {
    [PostActionArguments.accountOption, PostActionArguments.undoFlag]
  }

  package static var json: JSONOutput? { JSONOutput(schema: "post-action") }

  package var request: PostActionRequest {
    PostActionRequest(
      account: arguments.account?.text, action: Self.name, post: arguments.post, undo: arguments.undo)
  }

  package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
    EventPrinter { event in
      guard let acted = event as? PostActionEvent, acted.wasAlready else { return }
      Terminal.say("homeline: \(acted.account): \(Self.note(acted.isUndone))")
    }
  }

  /// Returns the message if there was nothing to do.
  private static func note(_ isUndone: Bool) -> String {
    isUndone ? "not \(participle), so there is nothing to undo" : "already \(participle)"
  }

  /// Returns the documentation of an action command.
  /// - Parameters:
  ///   - effect: a sentence that describes the command.
  ///   - repetition: sentences about what the command checks first.
  static func documented(
    _ summary: String, _ effect: String,
    repetition: String =
      "homeline checks the post first. If there is nothing to do, it reports this, sends nothing and exits with 0. "
      + "On X, where each check costs money, the request is sent anyway: repeating it has no effect there."
  ) -> CommandDocumentation {
    CommandDocumentation(
      .posting, summary,
      description: [
        .paragraph(effect),
        """
        POST is the URL of a post in the published timeline, or an id as printed by `homeline show --ids`.
        """,
        .paragraph(repetition),
      ],
      details: [
        .paragraph(
          """
          With OAuth 2.0, the token must allow this: `homeline login ACCOUNT --allow posting`. If it does not, homeline offers that login on
          a terminal, then continues.
          """
        )
      ],
      examples: [CommandExample("homeline \(name) 115586 --account bird", "Name the post by its id.")],
      exitCodes: [
        (.badData, "the server does not have the post, or refuses the action; or the post to delete is not yours"),
        (.unavailable, "the provider or the network is not available"),
        (.notAuthorised, "the account is not authorised, or its token does not allow it"),
      ])
  }
}

internal import Settings

/// The arguments of a command that performs an action on a published post.
package struct PostActionArguments: Sendable, Hashable {
  static let postOperand = Operand(.filledText("POST"))
  static let accountOption = Option("--account", .account, "as the user of this account")
  static let undoFlag = Flag("--undo", "undo the action")

  let post: String
  let account: AccountName?
  let undo: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    post = try arguments.required(Self.postOperand)
    account = try arguments.value(Self.accountOption)
    undo = arguments.has(Self.undoFlag)
  }
}

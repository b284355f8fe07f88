internal import Commands
internal import Control
internal import Platform
internal import PostText
internal import Settings

/// The cost of a command at a provider that charges, which is said before it is spent.
struct PostCost {
  let account: AccountSettings

  /// Says what a post costs, and asks the user to confirm it if it costs more than the account's `confirm_above_usd`.
  /// - Returns: the command, confirmed if the user has agreed.
  /// - Throws: the user did not agree, or there is no terminal to ask on.
  func confirmed(_ command: Command.Post) throws(CommandError) -> Command.Post {
    guard let prices = account.prices?.writing, let text = command.text else { return command }
    let hasLink = TextLinks.mayBe(in: text)
    let cost = prices.cost(ofPostWithLink: hasLink)
    let amount = "\(MicroUSD.text(cost)) USD"
    let reason = hasLink ? " because it contains a link" : ""
    Terminal.say("homeline: \(account.name): this post costs \(amount)\(reason)")
    guard account.mustConfirm(cost), !command.isDryRun, !command.isConfirmed else { return command }
    guard Terminal.inputIsTerminal, Terminal.errorIsTerminal else {
      throw CommandError(
        .usage,
        "the post costs \(amount), more than the account's \"confirm_above_usd\"; add --yes to publish it anyway")
    }
    let isAgreed: Bool
    do throws(SystemError) { isAgreed = try Terminal.asksYes("Publish it for \(amount)?") } catch {
      throw CommandError(.inputOutput, "\(error)")
    }
    guard isAgreed else { throw CommandError(.badData, "the post was not published") }
    var command = command
    command.isConfirmed = true
    return command
  }
}

/// Says what an action costs before the owner of the state is asked to perform it.
extension PreparedCommand where Self: PostActionCommand {
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    let request = request
    let account = try context.readableAccount(request.account.flatMap { AccountName($0) })
    if let account, let prices = account.prices?.writing {
      let cost = prices.cost(ofAction: request.action, isUndone: request.undo)
      Terminal.say("homeline: \(account.name): this costs \(MicroUSD.text(cost)) USD")
    }
    return .ask(self, arguments: context.arguments, cleanUp: { _ in })
  }
}

extension Command.Delete: PreparedCommand {}
extension Command.Repost: PreparedCommand {}
extension Command.Bookmark: PreparedCommand {}

extension CommandContext {
  /// The named account, otherwise the only enabled one; nil if the configuration cannot be read, which the owner of the state reports.
  func readableAccount(_ name: AccountName?) throws(CommandError) -> AccountSettings? {
    do throws(CommandError) { return try account(name) } catch {
      if error.code == .configuration { return nil }
      throw error
    }
  }
}

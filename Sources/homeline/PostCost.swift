internal import CivilTime
internal import Commands
internal import Control
internal import Platform
internal import PostText
internal import Posting
internal import Settings
internal import Storage

/// The cost of a post at a provider that charges, which is printed before the money is spent.
struct PostCost {
  private let account: AccountSettings
  /// The cost in millionths of a US dollar.
  private let cost: Int64
  private let costOfDescriptions: Int64
  private let hasLink: Bool
  private let descriptions: Int

  /// - Parameter descriptions: the number of its files whose descriptions have to be sent.
  /// - Returns: nil if the account's provider does not charge.
  init?(of text: String, descriptions: Int, by account: AccountSettings) {
    guard let prices = account.prices?.writing else { return nil }
    self.account = account
    self.descriptions = descriptions
    hasLink = TextLinks.mayBe(in: text)
    cost = prices.cost(ofPostWithLink: hasLink, descriptions: descriptions)
    costOfDescriptions = cost - prices.cost(ofPostWithLink: hasLink)
  }

  private var amount: String { "\(MicroUSD.text(cost)) USD" }

  /// Prints the cost of the post.
  func say() {
    let reason = hasLink ? " because it contains a link" : ""
    let share = descriptions == 1 ? "a description" : "\(descriptions) descriptions"
    let included = descriptions == 0 ? "" : ", including \(MicroUSD.text(costOfDescriptions)) USD for \(share)"
    Terminal.say("homeline: \(account.name): this post costs \(amount)\(reason)\(included)")
  }

  /// Asks the user to confirm the cost if it is more than the account's `confirm_above_usd`.
  /// - Throws: an error if the user did not agree, or if there is no terminal on which to ask.
  func confirm() throws(CommandError) {
    guard account.mustConfirm(cost) else { return }
    guard Terminal.inputIsTerminal, Terminal.errorIsTerminal else {
      throw CommandError(
        .usage,
        "the post costs \(amount), more than the account's \"confirm_above_usd\"; add --yes to publish it anyway")
    }
    let isAgreed: Bool
    do throws(SystemError) { isAgreed = try Terminal.asksYes("Publish it for \(amount)?") } catch {
      throw CommandError(error)
    }
    guard isAgreed else { throw CommandError(.badData, "the post was not published") }
  }
}

/// Prints the cost of another attempt before the process that owns the state is requested to send the post.
extension Command.Outbox: PreparedCommand {
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    var command = self
    if case .retry(let id) = action, let cost = try costOfRetry(id, in: context) {
      cost.say()
      if !isConfirmed {
        try cost.confirm()
        command.isConfirmed = true
      }
    }
    var arguments = context.arguments
    if command.isConfirmed, !isConfirmed { arguments.add(option: "--yes") }
    return .ask(command, arguments: arguments, cleanUp: { _ in })
  }

  /// Returns the cost of another attempt; nil if it costs nothing, or if the process that owns the state will not send the post.
  private func costOfRetry(_ id: String, in context: CommandContext) throws(CommandError) -> PostCost? {
    guard let id = IntentID(id) else { return nil }
    let accounts: [AccountSettings]
    if let account {
      accounts = try [context.readableAccount(account)].compactMap(\.self)
    } else {
      // The owner of the state reports what is wrong with the configuration.
      accounts = (try? context.configurationFiles().load().accounts) ?? []
    }
    let storage = try context.storage()
    for account in accounts where account.prices != nil {
      guard let intent = storage.outbox(of: account.name).intent(id) else { continue }
      switch intent.state {
      case .sending, .posted: return nil
      case .queued, .uploading, .refused, .unknown:
        let descriptions = intent.descriptionsOfRetry(at: WallClock.system.now)
        return PostCost(of: intent.draft.text, descriptions: descriptions, by: account)
      }
    }
    return nil
  }
}

/// Prints the cost of an action before the request is sent to the owner of the state.
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
  /// Returns the named account, otherwise the only enabled one; nil if the configuration cannot be read, which the owner of the state
  /// reports.
  func readableAccount(_ name: AccountName?) throws(CommandError) -> AccountSettings? {
    do throws(CommandError) { return try account(name) } catch {
      if error.exitCode == .configuration { return nil }
      throw error
    }
  }
}

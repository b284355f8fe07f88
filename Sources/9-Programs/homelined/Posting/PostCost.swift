internal import Commands
internal import ControlProtocol
internal import LocalCommands
internal import Platform
internal import Posting
internal import Settings
internal import Storage
internal import Time

/// The cost of a post with a provider that charges. It is printed before the money is spent.
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
  /// - Throws: an error if the user did not agree, or if there is no terminal to ask on.
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

/// Prints the cost of another attempt before the state owner is requested to send the post.
extension Command.Outbox: PreparedCommand {
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    var command = self
    let retried = try retried(in: context)
    if let (account, intent) = retried {
      let uses: [APIScopes.Use] = [.post] + (intent.draft.media.isEmpty ? [] : [.attachFiles])
      try PostingPermission(account: account, context: context).offer(for: uses)
    }
    if let (account, intent) = retried,
      let cost = PostCost(
        of: intent.draft.text, descriptions: intent.descriptionsOfRetry(at: WallClock.system.now), by: account)
    {
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

  /// Returns the post that is to be sent again, and its account; nil if the state owner will not send it.
  private func retried(in context: CommandContext) throws(CommandError) -> (AccountSettings, PostIntent)? {
    guard case .retry(let text) = action, let id = IntentID(text) else { return nil }
    let accounts: [AccountSettings]
    if let account {
      accounts = try [context.readableAccount(account)].compactMap(\.self)
    } else {
      // The state owner reports what is wrong with the configuration.
      accounts = (try? context.configurationFiles().load().accounts) ?? []
    }
    let storage = try context.storage()
    for account in accounts {
      guard let intent = storage.outbox(of: account.name).intent(id) else { continue }
      switch intent.state {
      case .sending, .posted: return nil
      case .queued, .uploading, .refused, .unknown: return (account, intent)
      }
    }
    return nil
  }
}

/// Offers the login that allows an action, and prints its cost, before the request is sent to the state owner.
extension PreparedCommand where Self: PostActionCommand {
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    let request = request
    let account = try context.readableAccount(request.account.flatMap { AccountName($0) })
    if let account, let kind = PostAction.Kind(rawValue: request.action),
      let action = PostAction(kind, isUndone: request.undo)
    {
      try PostingPermission(account: account, context: context).offer(for: [APIScopes.Use(action)])
    }
    if let account, let prices = account.prices?.writing {
      let cost = prices.cost(ofAction: request.action, isUndone: request.undo)
      Terminal.say("homeline: \(account.name): this costs \(MicroUSD.text(cost)) USD")
    }
    return .ask(self, arguments: context.arguments, cleanUp: { _ in })
  }
}

extension Command.Delete: PreparedCommand {}
extension Command.Repost: PreparedCommand {}
extension Command.Like: PreparedCommand {}
extension Command.Bookmark: PreparedCommand {}

extension CommandContext {
  /// Returns the named account, otherwise the only enabled one that can have posts; nil if the configuration cannot be read, which the
  /// state owner reports.
  func readableAccount(_ name: AccountName?) throws(CommandError) -> AccountSettings? {
    do throws(CommandError) { return try account(name, isForPosting: true) } catch {
      if error.exitCode == .configuration { return nil }
      throw error
    }
  }
}

internal import Commands
internal import Folders
internal import Formats
internal import LocalCommands
internal import Platform
internal import Posting
internal import Settings
internal import TerminalText
internal import Timeline

extension Command.Post: PreparedCommand {
  /// Offers the login that allows posting, reads the text, or lets the user write it, and prints the cost of the post. A `homelined` that
  /// becomes the state owner then gets the text on standard input, because other users could see an argument (`/proc/PID/cmdline`).
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    let account = try context.readableAccount(account)
    if let account, !isDryRun {
      let uses: [APIScopes.Use] = [.post] + (files.isEmpty ? [] : [.attachFiles])
      try PostingPermission(account: account, context: context).offer(for: uses)
    }
    guard source == .editor, Terminal.inputIsTerminal, Terminal.outputIsTerminal else {
      let command = try confirmed(try completed(), account)
      if source == .standardInput { try command.passText() }
      return .ask(command, arguments: arguments(of: command, context), cleanUp: { _ in })
    }
    let editor = PostEditor(environment: context.environment, layout: try context.layout())
    let written = try editor.write(notes: try PostNotes(account: account).lines(replyingTo: replyTo, in: context))
    var command = self
    command.text = written.text
    do throws(CommandError) {
      command = try confirmed(try command.completed(), account)
      try command.passText()
    } catch {
      written.close(error.exitCode)
      throw error
    }
    var arguments = arguments(of: command, context)
    arguments.add(operand: "-")
    return .ask(command, arguments: arguments, waits: true, cleanUp: { written.close($0) })
  }

  private func confirmed(_ command: Command.Post, _ account: AccountSettings?) throws(CommandError) -> Command.Post {
    guard let account, let text = command.text,
      let cost = PostCost(of: text, descriptions: command.descriptions, by: account)
    else { return command }
    cost.say()
    if command.isDryRun || command.isConfirmed { return command }
    try cost.confirm()
    var command = command
    command.isConfirmed = true
    return command
  }

  /// Returns the arguments for `homelined`, with the user's agreement to the cost.
  private func arguments(of command: Command.Post, _ context: CommandContext) -> SettledArguments {
    var arguments = context.arguments
    if command.isConfirmed, !isConfirmed { arguments.add(option: "--yes") }
    return arguments
  }

  private func passText() throws(CommandError) {
    do throws(SystemError) { try StandardInput.replace(with: text ?? "") } catch {
      throw CommandError(error)
    }
  }
}

/// The lines below the text in the editor: what is left out, the account, the limits, and the post that this post replies to.
private struct PostNotes {
  /// The account; nil if the configuration cannot be read.
  let account: AccountSettings?

  func lines(replyingTo reply: String?, in context: CommandContext) throws(CommandError) -> [String] {
    var lines = [
      "Write the post above. Lines starting with \"# \", or just \"#\", are comments;",
      "hashtags are kept. Leave the text empty to cancel.",
      "",
    ]
    guard let account else { return lines }
    lines += ["Account: \(account.name) (\(account.provider))"] + limits(of: account)
    guard let reply else { return lines }
    lines += ["", "In reply to \(reply)"]
    let path = try context.layout().files(of: account.name.text).timeline
    // If the post is not in the published file, only its id is shown.
    let posts = (try? PublishedFile.read(path))?.posts ?? []
    guard let post = posts.first(where: { $0.id.text == reply || $0.url == reply }) else { return lines }
    lines[lines.count - 1] += " by @\(VisibleText.of(post.author.screenName)):"
    let text = post.text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines + text.map { "  \(VisibleText.of(String($0)))" }
  }

  private func limits(of account: AccountSettings) -> [String] {
    var lines: [String] = []
    switch account.provider {
    case "x": lines.append("Length: at most 280 characters, as X counts them; a link counts as 23.")
    case "weibo":
      lines.append("Length: at most 140 Chinese characters; two ASCII characters count as one.")
      lines.append("Required: a link to \(account.weibo.safeDomain ?? "the application's safe domain").")
    default: lines.append("Length: the server's own limit applies.")
    }
    if let prices = account.prices?.writing {
      lines.append(
        "Cost: \(MicroUSD.text(prices.post)) USD, or \(MicroUSD.text(prices.postWithLink)) USD with a link; "
          + "\(MicroUSD.text(prices.description)) USD for each file description.")
    }
    return lines
  }
}

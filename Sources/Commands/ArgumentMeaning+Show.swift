internal import Settings

extension ArgumentMeaning {
  func show() throws(UsageError) -> Command.Show {
    var show = Command.Show(
      account: try firstAccount(), view: try view(), onlyUnread: words.has("--unread"), follows: words.has("--follow"))
    if let text = words.value("--account") {
      if let operand = show.account {
        throw error("name the account once: \(operand), or --account \(Shown.plain(text))")
      }
      show.mergesAll = text == "all"
      if !show.mergesAll { show.account = try account(text) }
    }
    if show.view != nil, show.account != nil || show.mergesAll { throw eitherViewOrAccount }
    if let limit = try number("--limit", in: 1...1_000_000) { show.limit = Int(limit) }
    if let format = try choice("--format", as: Command.Show.Format.self) { show.format = format }
    if show.follows, show.format == .json {
      throw error("--follow has no end, and json is one array; take --format jsonl")
    }
    return show
  }

  func open() throws(UsageError) -> Command.Open {
    let open = Command.Open(account: try firstAccount(), view: try view(), onlyPrints: words.has("--print"))
    if open.view != nil, open.account != nil { throw eitherViewOrAccount }
    return open
  }

  private var eitherViewOrAccount: UsageError { error("name an account or a --view, not both") }

  private func view() throws(UsageError) -> AccountName? {
    guard let text = words.value("--view") else { return nil }
    if let name = AccountName(text) { return name }
    throw error("\(Shown.quoted(text)) is no view's name: \(AccountName.rule)")
  }
}

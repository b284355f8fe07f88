internal import CivilTime
internal import Settings

/// Turns the sorted arguments of a command into its values.
struct ArgumentMeaning {
  let words: ArgumentWords
  let name: CommandName
  /// What ages are counted back from.
  let now: Timestamp

  init(_ words: ArgumentWords, of name: CommandName, now: Timestamp) {
    self.words = words
    self.name = name
    self.now = now
  }

  func firstAccount() throws(UsageError) -> AccountName? {
    guard let text = words.operands.first else { return nil }
    return try account(text)
  }

  func accounts() throws(UsageError) -> [AccountName] {
    var accounts: [AccountName] = []
    for text in words.operands {
      let account = try account(text)
      if !accounts.contains(account) { accounts.append(account) }
    }
    return accounts
  }

  /// The account of an option.
  func account(of option: String) throws(UsageError) -> AccountName? {
    guard let text = words.value(option) else { return nil }
    return try account(text)
  }

  func account(_ text: String) throws(UsageError) -> AccountName {
    guard let name = AccountName(text) else {
      throw error("\(Shown.quoted(text)) is no account's name: \(AccountName.rule)")
    }
    return name
  }

  func number(_ option: String, in range: ClosedRange<Int64>) throws(UsageError) -> Int64? {
    guard let text = words.value(option) else { return nil }
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isPlain, let value = Int64(text), range.contains(value) else {
      let upper = range.upperBound == .max ? "on" : "to \(range.upperBound)"
      throw error("\(option) is a whole number from \(range.lowerBound) \(upper), not \(Shown.quoted(text))")
    }
    return value
  }

  /// The value of an option that is one of a few words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: String, as type: Choice.Type
  ) throws(UsageError) -> Choice? {
    guard let text = words.value(option) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw error("\(option) is \(known), not \(Shown.quoted(text))")
  }

  /// The value of an option that must not be empty.
  func text(_ option: String) throws(UsageError) -> String? {
    guard let text = words.value(option) else { return nil }
    if text.isEmpty { throw error("\(option): the value is empty") }
    return text
  }

  func moment(_ option: String) throws(UsageError) -> Timestamp? {
    guard let text = words.value(option) else { return nil }
    if let moment = Moment.parse(text, now: now) { return moment }
    throw error("\(option) is \(Moment.forms), not \(Shown.quoted(text))")
  }

  func error(_ message: String) -> UsageError { UsageError(message, in: name) }
}

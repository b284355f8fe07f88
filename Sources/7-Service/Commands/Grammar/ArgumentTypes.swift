package import Bytes
package import OAuthValues
package import Settings
package import Time
internal import Timeline

extension ArgumentType where Value == AccountName {
  package static var account: ArgumentType<AccountName> { account(orElse: "specify its account") }
  package static var view: ArgumentType<AccountName> {
    ArgumentType("NAME", .view, text: \.text) { (given) throws(ArgumentError) in
      if let name = AccountName(given.text) { return name }
      throw ArgumentError("\(DisplayText.quoted(given.text)) is not a valid view name: \(AccountName.rule)")
    }
  }

  /// Returns the type of an account that must not be one of its timelines.
  /// - Parameter advice: what to do instead of naming a timeline; the account's name follows.
  package static func account(orElse advice: String) -> ArgumentType<AccountName> {
    ArgumentType("ACCOUNT", .account, text: \.text) { (given) throws(ArgumentError) in
      try AccountName(given: given.text, orElse: advice)
    }
  }
}

extension AccountName {
  /// Reads the name of an account. Whether the account exists is not checked.
  /// - Parameter advice: what to do instead of naming a timeline; the account's name follows.
  init(given text: String, orElse advice: String = "specify its account") throws(ArgumentError) {
    if let name = AccountName(text) {
      self = name
      return
    }
    let (account, timeline) = TimelineKey.parts(of: text)
    if timeline != nil, let account = AccountName(account) {
      throw ArgumentError("\(DisplayText.quoted(text)) is a timeline; \(advice): \(account)")
    }
    throw ArgumentError("\(DisplayText.quoted(text)) is not a valid account name: \(Self.rule)")
  }
}

extension ArgumentType where Value == TimelineOperand {
  /// An account, or one of its timelines.
  package static var timeline: ArgumentType<TimelineOperand> {
    ArgumentType("ACCOUNT[/TIMELINE]", .timeline) { (given) throws(ArgumentError) in
      try TimelineOperand(given: given.text)
    }
  }
}

extension TimelineOperand {
  /// Reads an operand. Whether the account and its timeline exist is not checked.
  init(given text: String) throws(ArgumentError) {
    let (name, timeline) = TimelineKey.parts(of: text)
    guard let account = AccountName(name) else {
      throw ArgumentError("\(DisplayText.quoted(text)) is not a valid account name: \(AccountName.rule)")
    }
    guard let timeline else {
      self.init(account)
      return
    }
    do throws(TimelineNameError) { self.init(account, try TimelineName(timeline)) } catch {
      var suggestion = ""
      if case .unknownKind(let kind) = error {
        suggestion = DisplayText.suggestion(for: kind, among: TimelineName.Kind.allCases.map(\.rawValue))
      }
      throw ArgumentError("\(DisplayText.quoted(text)) is not a timeline\(suggestion): \(error)")
    }
  }
}

extension ArgumentType where Value == String {
  /// Returns the type of an argument that can be any text.
  package static func text(_ placeholder: String, _ completion: CompletionKind = .none) -> ArgumentType {
    ArgumentType(placeholder, completion) { (given) throws(ArgumentError) in given.text }
  }

  /// Returns the type of an argument that can be any text except an empty one.
  package static func filledText(_ placeholder: String) -> ArgumentType {
    ArgumentType(placeholder) { (given) throws(ArgumentError) in
      if given.text.isEmpty { throw ArgumentError("\(given.label): the value is empty") }
      return given.text
    }
  }

  /// Returns the type of a screen name. An @ before it is removed.
  package static func screenName(_ placeholder: String) -> ArgumentType {
    ArgumentType(placeholder) { (given) throws(ArgumentError) in
      let name = given.text.hasPrefix("@") ? String(given.text.dropFirst()) : given.text
      if name.isEmpty { throw ArgumentError("\(given.label): the value is empty") }
      return name
    }
  }

  package static var file: ArgumentType {
    ArgumentType("FILE", .file) { (given) throws(ArgumentError) in
      if given.text.isEmpty { throw ArgumentError("the file name is empty; use - for standard input") }
      return given.text
    }
  }
}

extension ArgumentType where Value: FixedWidthInteger {
  /// Returns the type of a whole number in decimal digits, without a sign.
  package static func number(_ placeholder: String, in range: ClosedRange<Value>) -> ArgumentType {
    ArgumentType(placeholder) { (given) throws(ArgumentError) in
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      let isPlain = !given.text.isEmpty && given.text.utf8.allSatisfy { digits.contains($0) }
      if isPlain, let value = Value(given.text), range.contains(value) { return value }
      let isOpen = range.upperBound == .max && Value.self == Int64.self
      throw ArgumentError(
        "\(given.label) must be a whole number "
          + (isOpen ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)")
          + ", not \(DisplayText.quoted(given.text))")
    }
  }
}

extension ArgumentType where Value: RawRepresentable<String> & CaseIterable {
  /// An argument that must be one of several fixed values.
  package static var choice: ArgumentType {
    let choices = Value.allCases.map(\.rawValue)
    return ArgumentType(choices.joined(separator: "|"), .choices(choices), text: \.rawValue) {
      (given) throws(ArgumentError) in
      if let choice = Value(rawValue: given.text) { return choice }
      throw ArgumentError(
        "\(given.label) must be one of \(choices.joined(separator: ", ")), not \(DisplayText.quoted(given.text))")
    }
  }
}

extension ArgumentType where Value == Timestamp {
  /// A time, which is usually in the past.
  package static var date: ArgumentType<Timestamp> {
    ArgumentType("DATE", text: \.rfc3339) { (given) throws(ArgumentError) in
      if let moment = given.time(toward: .past) { return moment }
      throw ArgumentError(
        "\(given.label) must be a time such as 18:00, yesterday, \"monday 9:00\", 2026-11-20, \"2026-11-20 15:00\" or 7d, "
          + "not \(DisplayText.quoted(given.text))")
    }
  }

  /// A time in the future.
  package static var future: ArgumentType<Timestamp> {
    ArgumentType("TIME", text: \.rfc3339) { (given) throws(ArgumentError) in
      guard let moment = given.time(toward: .future) else {
        throw ArgumentError(
          "\(given.label) must be a time such as 18:00, 30m, \"tomorrow 9:00\", \"friday 18:00\" or \"2026-12-24 18:00\", "
            + "not \(DisplayText.quoted(given.text))")
      }
      if moment <= given.now {
        throw ArgumentError(
          "\(given.label) \(DisplayText.quoted(given.text)) has passed: it was \(given.local(moment))")
      }
      return moment
    }
  }
}

extension GivenArgument {
  fileprivate func time(toward direction: TypedTime.Direction) -> Timestamp? {
    TypedTime(at: now, in: zone, toward: direction).read(text)
  }

  fileprivate func local(_ moment: Timestamp) -> String { zone.date(at: moment).dayAndMinute }
}

extension ArgumentType where Value == RequestURL {
  package static var url: ArgumentType<RequestURL> {
    ArgumentType("URL") { (given) throws(ArgumentError) in
      do throws(WrittenURLError) { return try WrittenURL.url(given.text) } catch { throw ArgumentError("\(error)") }
    }
  }
}

extension ArgumentType where Value == SignatureMethod {
  package static var signatureMethod: ArgumentType<SignatureMethod> {
    let known = SignatureMethod.allCases.map(\.rawValue)
    return ArgumentType("M", .choices(known), text: \.rawValue) { (given) throws(ArgumentError) in
      if let method = SignatureMethod(named: given.text) { return method }
      throw ArgumentError(
        "\(given.label) must be one of \(known.joined(separator: ", ")), not \(DisplayText.quoted(given.text))")
    }
  }
}

extension ArgumentType where Value == Parameter {
  /// A parameter `NAME=VALUE`, which is split at the first equals sign.
  package static var parameter: ArgumentType<Parameter> {
    ArgumentType("NAME=VALUE") { (given) throws(ArgumentError) in
      let bytes = Array(given.text.utf8)
      guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
        throw ArgumentError("\(given.label) NAME=VALUE: there is no = in \(DisplayText.quoted(given.text))")
      }
      return Parameter(name: Array(bytes[..<equals]), value: Array(bytes[(equals + 1)...]))
    }
  }
}

package import CivilTime
internal import Settings

/// Gives the arguments of a program their meaning.
package enum CommandParser {
  /// - Parameters:
  ///   - arguments: without the program's own name.
  ///   - now: what ages, such as `7d`, are counted back from.
  package static func parse(_ arguments: [String], now: Timestamp) throws(UsageError) -> Invocation {
    // Asking for help is never wrong, whatever else stands there.
    let beforeDashes = arguments.prefix { $0 != "--" }
    if beforeDashes.contains("--help") || beforeDashes.contains("-h") {
      return Invocation(.help(beforeDashes.lazy.compactMap { CommandName(rawValue: $0) }.first))
    }
    if beforeDashes.contains("--version") { return Invocation(.version) }

    let (before, name, after) = try split(arguments)
    let words = try ArgumentWords(before + after, options: name.options + Option.global, of: name)
    let count = words.operands.count
    if count > name.operandCount.upperBound {
      throw UsageError(
        "unexpected argument \(Shown.quoted(words.operands[name.operandCount.upperBound]))", in: name)
    }
    if count < name.operandCount.lowerBound {
      throw UsageError("\(name.rawValue) needs \(name.operands)", in: name)
    }
    return Invocation(
      try ArgumentMeaning(words, of: name, now: now).command(), configurationFile: words.value("--config"),
      isVerbose: words.has("-v"))
  }

  /// The command's name and what stands before and behind it. Only what every command takes may stand before it.
  private static func split(
    _ arguments: [String]
  ) throws(UsageError) -> (before: ArraySlice<String>, CommandName, after: ArraySlice<String>) {
    var index = arguments.startIndex
    while index < arguments.endIndex, arguments[index].hasPrefix("-") {
      index += arguments[index] == "--config" ? 2 : 1
    }
    let before = arguments[..<min(index, arguments.endIndex)]
    _ = try ArgumentWords(before, options: Option.global, of: nil)
    guard index < arguments.endIndex else { throw UsageError("name a command") }
    let word = arguments[index]
    guard let name = CommandName(rawValue: word) else {
      let known = CommandName.allCases.map(\.rawValue)
      throw UsageError("unknown command \(Shown.quoted(word))" + Shown.suggestion(for: word, among: known))
    }
    return (before, name, arguments[(index + 1)...])
  }
}

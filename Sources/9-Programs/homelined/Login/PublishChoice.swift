internal import Commands
internal import Platform
internal import Settings
internal import Timeline

/// Asks which formats a new account publishes: a page, feeds, a line for a status bar.
enum PublishChoice {
  /// The offered formats, by the word that the user types.
  private static let offers: [(word: String, formats: [PublishedFormat], explanation: String)] = [
    ("page", [.html], "for your browser"), ("feeds", [.atom, .jsonFeed], "for feed readers"),
    ("bar", [.bar], "for a status bar"),
  ]

  /// - Returns: the formats, in their usual order; empty for none of them.
  static func ask() throws(CommandError) -> [PublishedFormat] {
    Terminal.say("homeline: homeline can also publish")
    for (word, _, explanation) in offers {
      Terminal.say("  \(word)\(String(repeating: " ", count: 7 - word.count))\(explanation)")
    }
    let names = offers.map(\.word).joined(separator: ", ")
    while true {
      let line: String?
      do throws(SystemError) { line = try Terminal.ask("Publish [\(names)], or none: ") } catch {
        throw CommandError(error)
      }
      guard let line else { throw CommandError(.usage, "the input ended; no account was added") }
      if let formats = formats(line) { return formats }
      Terminal.say("homeline: type some of \(names), or none")
    }
  }

  /// Returns the formats that a line names; nil if it contains another word.
  static func formats(_ line: String) -> [PublishedFormat]? {
    let typed = line.lowercased().split { $0 == "," || $0.isWhitespace }.map { String($0) }.filter { $0 != "and" }
    if typed.isEmpty || typed == ["all"] || typed == ["y"] || typed == ["yes"] {
      return sorted(offers.flatMap(\.formats))
    }
    if typed == ["none"] || typed == ["n"] || typed == ["no"] { return [] }
    var chosen: [PublishedFormat] = []
    for word in typed {
      if let offer = offers.first(where: { $0.word == word || $0.word == word + "s" }) {
        chosen += offer.formats
      } else if let format = PublishedFormat(rawValue: word) {
        chosen.append(format)
      } else {
        return nil
      }
    }
    return sorted(chosen)
  }

  private static func sorted(_ formats: [PublishedFormat]) -> [PublishedFormat] {
    PublishedFormat.allCases.filter { formats.contains($0) }
  }
}

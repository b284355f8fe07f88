/// Completes the words of a command line, by the declarations of a registry.
///
/// The shells' scripts pass every word to `homeline complete`, so that they need no change for a new command or option.
package struct Completion: Sendable {
  /// A word that a shell can offer.
  package struct Candidate: Sendable, Hashable {
    package let word: String
    /// A short explanation; empty for none.
    package let explanation: String

    package init(_ word: String, _ explanation: String = "") {
      self.word = word
      self.explanation = explanation
    }
  }

  /// The words that a shell can offer at the cursor.
  package enum Offer: Sendable, Hashable {
    case candidates([Candidate])
    /// The names of files.
    case files
  }

  private let registry: CommandRegistry
  private let names: @Sendable (CompletionKind) -> [String]

  /// - Parameter names: the accounts or views that there are, for `.account` and `.view`.
  package init(_ registry: CommandRegistry, names: @escaping @Sendable (CompletionKind) -> [String]) {
    self.registry = registry
    self.names = names
  }

  /// - Parameter words: the arguments up to the cursor; the last is the one to complete, and may be empty.
  package func offer(for words: [String]) -> Offer {
    guard let current = words.last else { return .candidates([]) }
    var state = CommandLineState(registry)
    for word in words.dropLast() { state.take(word) }
    let offer = self.offer(for: current, in: state)
    guard case .candidates(let candidates) = offer else { return offer }
    return .candidates(candidates.filter { $0.word.hasPrefix(current) })
  }

  private func offer(for current: String, in state: CommandLineState) -> Offer {
    if let option = state.pending { return values(option.completion) }
    if !state.endsOptions, current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
      let name = String(current[..<equals])
      guard let option = state.options.first(where: { $0.name == name }) else { return .candidates([]) }
      guard case .candidates(let candidates) = values(option.completion) else { return .files }
      return .candidates(candidates.map { Candidate("\(name)=\($0.word)", $0.explanation) })
    }
    if !state.endsOptions, current.hasPrefix("-") {
      return .candidates(state.options.map { Candidate($0.name, $0.help) })
    }
    guard let command = state.command else { return values(.command) }
    let operands = command.operands.map(\.description)
    guard let last = operands.last else { return .candidates([]) }
    if state.operandCount < operands.count { return values(operands[state.operandCount].completion) }
    return last.count.isRepeated ? values(last.completion) : .candidates([])
  }

  private func values(_ kind: CompletionKind) -> Offer {
    switch kind {
    case .none: .candidates([])
    case .file: .files
    case .account, .view: .candidates(names(kind).map { Candidate($0) })
    case .accountOrAll: .candidates(names(.account).map { Candidate($0) } + [Candidate("all", "every account")])
    case .choices(let words): .candidates(words.map { Candidate($0) })
    case .command: .candidates(registry.documented.map { Candidate($0.name, $0.documentation.summary) })
    }
  }
}

/// The state of a command line before the word at the cursor.
private struct CommandLineState {
  private let registry: CommandRegistry
  private(set) var command: (any CommandDeclaration.Type)?
  private(set) var operandCount = 0
  private(set) var endsOptions = false
  /// The option whose value comes next.
  private(set) var pending: OptionDescription?

  init(_ registry: CommandRegistry) { self.registry = registry }

  /// The options that can come here.
  var options: [OptionDescription] { ((command?.options ?? []) + GlobalOptions.all).map(\.description) }

  mutating func take(_ word: String) {
    if pending != nil {
      pending = nil
    } else if !endsOptions, word == "--" {
      endsOptions = true
    } else if !endsOptions, word.hasPrefix("-"), word != "-" {
      pending = options.first { $0.name == word && $0.placeholder != nil }
    } else if command == nil {
      command = registry.command(named: word)
    } else {
      operandCount += 1
    }
  }
}

/// Completes the arguments of a command line using the command declarations in a registry.
///
/// The completion scripts pass all arguments to `homeline complete`, so a new command or option does not change the scripts.
package struct Completion: Sendable {
  /// A completion that a shell can offer.
  package struct Candidate: Sendable, Hashable {
    package let text: String
    /// A short explanation, which may be empty.
    package let explanation: String

    init(_ text: String, _ explanation: String = "") {
      self.text = text
      self.explanation = explanation
    }
  }

  /// The completions that a shell can offer at the cursor.
  package enum Offer: Sendable, Hashable {
    case candidates([Candidate])
    /// File names, which the shell completes itself.
    case files
  }

  private let registry: CommandRegistry
  private let names: @Sendable (CompletionKind) -> [String]

  /// - Parameter names: returns the existing accounts for `.account`, with their timelines for `.timeline`, and the existing views for
  ///   `.view`.
  package init(_ registry: CommandRegistry, names: @escaping @Sendable (CompletionKind) -> [String]) {
    self.registry = registry
    self.names = names
  }

  /// Returns the completions for the last argument.
  /// - Parameter arguments: the arguments up to the cursor. The last argument is completed; it may be empty.
  package func offer(for arguments: [String]) -> Offer {
    guard let current = arguments.last else { return .candidates([]) }
    var state = CommandLineState(registry)
    for argument in arguments.dropLast() { state.consume(argument) }
    let offer = self.offer(for: current, in: state)
    guard case .candidates(let candidates) = offer else { return offer }
    return .candidates(candidates.filter { $0.text.hasPrefix(current) })
  }

  private func offer(for current: String, in state: CommandLineState) -> Offer {
    if let option = state.pending { return values(option.completion) }
    if !state.endsOptions, current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
      let name = String(current[..<equals])
      guard let option = state.options.first(where: { $0.name == name }) else { return .candidates([]) }
      guard case .candidates(let candidates) = values(option.completion) else { return .files }
      return .candidates(candidates.map { Candidate("\(name)=\($0.text)", $0.explanation) })
    }
    if !state.endsOptions, current.hasPrefix("-") {
      return .candidates(state.options.map { Candidate($0.name, $0.help) })
    }
    guard let command = state.command else { return values(.command) }
    let operands = command.operands
    guard let last = operands.last else { return .candidates([]) }
    if state.operandCount < operands.count { return values(operands[state.operandCount].completion) }
    return last.count.isRepeated ? values(last.completion) : .candidates([])
  }

  private func values(_ kind: CompletionKind) -> Offer {
    switch kind {
    case .none: .candidates([])
    case .file: .files
    case .account, .timeline, .view: .candidates(names(kind).map { Candidate($0) })
    case .timelineOrAll: .candidates(names(.timeline).map { Candidate($0) } + [Candidate("all", "every account")])
    case .accountOrServer:
      .candidates(
        names(.account).map { Candidate($0) }
          + Command.Login.otherTargets.map { Candidate($0.name, $0.explanation) }.filter { other in
            !names(.account).contains(other.text)
          })
    case .choices(let choices): .candidates(choices.map { Candidate($0) })
    case .command: .candidates(registry.documented.map { Candidate($0.name, $0.documentation.summary) })
    }
  }
}

/// The parse state of a command line before the argument at the cursor.
private struct CommandLineState {
  private let registry: CommandRegistry
  private(set) var command: (any CommandDeclaration.Type)?
  private(set) var operandCount = 0
  private(set) var endsOptions = false
  /// The option whose value is the next argument.
  private(set) var pending: OptionDescription?

  init(_ registry: CommandRegistry) { self.registry = registry }

  /// The options that are valid here.
  var options: [OptionDescription] { ((command?.allOptions ?? []) + GlobalOptions.all).map(\.description) }

  mutating func consume(_ argument: String) {
    if pending != nil {
      pending = nil
    } else if !endsOptions, argument == "--" {
      endsOptions = true
    } else if !endsOptions, argument.hasPrefix("-"), argument != "-" {
      pending = options.first { $0.name == argument && $0.placeholder != nil }
    } else if command == nil {
      command = registry.command(named: argument)
    } else {
      operandCount += 1
    }
  }
}

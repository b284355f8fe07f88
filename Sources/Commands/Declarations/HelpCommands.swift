extension Command {
  /// `homeline help`.
  package struct Help: CommandDeclaration {
    package static let name = "help"
    package static let documentation = CommandDocumentation(
      .help, "explain a command",
      description: ["Lists the commands, or explains one."],
      examples: [CommandExample("homeline help login", "Explain login.")])

    private static let commandOperand = Operand(.text("COMMAND", .command), .optional)

    package static var operands: [any DeclaredOperand] { [commandOperand] }

    /// The command to explain; nil lists all.
    package var topic: String?

    package init(topic: String? = nil) { self.topic = topic }

    package init(_ arguments: Arguments) throws(UsageError) {
      topic = try arguments.value(Self.commandOperand)
      if let topic, !arguments.commandNames.contains(topic) {
        throw .unknownCommand(topic, among: arguments.commandNames)
      }
    }
  }

  /// `homeline version`.
  package struct Version: CommandDeclaration {
    package static let name = "version"
    package static let documentation = CommandDocumentation(
      .help, "print the version", description: ["Prints the version."])

    package init() {}
    package init(_ arguments: Arguments) throws(UsageError) {}
  }

  /// `homeline complete`, which the shells' completion scripts run.
  package struct Complete: CommandDeclaration {
    package static let name = "complete"
    package static let documentation = CommandDocumentation(
      nil, "complete a command line",
      description: [
        """
        Prints the words that can come at the cursor, each on a line with a tab and an explanation after it. The operands are the words
        of a command line after homeline, up to the cursor. The line `:files` means the names of files.
        """
      ])

    private static let wordOperand = Operand(.text("WORD"), .zeroOrMore)

    package static var operands: [any DeclaredOperand] { [wordOperand] }

    package var words: [String]

    package init(_ arguments: Arguments) throws(UsageError) { words = try arguments.values(Self.wordOperand) }
  }
}

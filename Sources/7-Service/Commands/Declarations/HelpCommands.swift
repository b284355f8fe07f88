extension Command {
  /// `homeline help`.
  package struct Help: CommandDeclaration {
    package static let name = "help"
    package static let documentation = CommandDocumentation(
      .help, "explain a command",
      description: [
        """
        Lists all commands, or explains one of them. On a terminal, the manual page of the command is opened if it is installed; `config` is
        the page about the configuration. Otherwise, the command prints a short explanation.
        """
      ],
      examples: [CommandExample("homeline help login", "Explain login.")])

    private static let commandOperand = Operand(.text("TOPIC", .command), .optional)
    /// The topic that is not a command.
    package static let configuration = "config"

    package static var operands: [OperandDescription] { [commandOperand.description] }

    /// The command to explain, or ``configuration``; nil lists all commands.
    package var topic: String?

    package init(topic: String? = nil) { self.topic = topic }

    package init(_ arguments: Arguments) throws(UsageError) {
      topic = try arguments.value(Self.commandOperand)
      guard let topic, topic != Self.configuration else { return }
      let names = arguments.commandNames
      if !names.contains(topic) { throw .unknownCommand(topic, among: names) }
    }
  }

  /// `homeline completions`.
  package struct Completions: CommandDeclaration {
    package static let name = "completions"
    package static let documentation = CommandDocumentation(
      .help, "print a completion script for a shell",
      description: [
        """
        Prints the script that completes the arguments of `homeline` in bash, zsh or fish. The installed files contain the same scripts, so
        this is only needed if your shell does not find them.
        """
      ],
      examples: [
        CommandExample(
          ". <(homeline completions bash)", "Complete in this bash; put the line into ~/.bashrc to keep it."),
        CommandExample(
          "homeline completions fish > ~/.config/fish/completions/homeline.fish", "Install the script for fish."),
      ])

    private static let shellOperand = Operand<CompletionShell>(.choice, placeholder: "SHELL")

    package static var operands: [OperandDescription] { [shellOperand.description] }

    package var shell: CompletionShell

    package init(_ arguments: Arguments) throws(UsageError) { shell = try arguments.required(Self.shellOperand) }
  }

  /// `homeline version`.
  package struct Version: CommandDeclaration {
    package static let name = "version"
    package static let documentation = CommandDocumentation(
      .help, "print the version", description: ["Prints the version."])
    package static let json: JSONOutput? = JSONOutput(schema: "version")

    package init() {}
    package init(_ arguments: Arguments) throws(UsageError) {}
  }

  /// `homeline complete`, which the shell completion scripts run.
  package struct Complete: CommandDeclaration {
    package static let name = "complete"
    package static let documentation = CommandDocumentation(
      nil, "complete a command line",
      description: [
        """
        Prints the possible completions at the cursor, one per line, each followed by a tab and an explanation. The operands are the
        arguments of a command line after homeline, up to the cursor. The line `:files` means file names.
        """
      ])

    private static let argumentOperand = Operand(.text("ARGUMENT"), .zeroOrMore)

    package static var operands: [OperandDescription] { [argumentOperand.description] }

    /// The arguments up to the cursor.
    package var arguments: [String]

    package init(_ arguments: Arguments) throws(UsageError) {
      self.arguments = try arguments.values(Self.argumentOperand)
    }
  }
}

package import ControlProtocol
internal import Platform
internal import Posting
package import Settings
internal import Time

extension Command {
  /// `homeline post`.
  package struct Post: OwnerCommand {
    package static let name = "post"
    package static let isPrepared = true
    package static let documentation = CommandDocumentation(
      .posting, "publish a post",
      description: [
        """
        Publishes a post as the account's user, and prints its URL. The post is stored in the outbox before it is sent. If the server
        or the network is not available, the post waits there until the service sends it, or, if no service is running, the next
        command that uses the account. `-` reads the text from standard input.
        """,
        """
        If the post has to wait, the command immediately reports why and until when. It waits for 30 s in all, or as long as `--wait` sets,
        then exits with 75. Do not repeat the command: the post stays in the outbox, and homeline continues automatically.
        """,
        """
        Without text, the command opens your editor (terminal only): `$VISUAL`, `$EDITOR`, `editor` or `vi`. Lines starting with `# `, or
        just `#`, are comments; hashtags are kept. Leave the text empty to cancel. The file with the text is deleted only once the post is
        in the outbox.
        """,
        """
        A single operand without spaces is taken as an account name if it can be one. To post such a word, name the account too.
        """,
        """
        If the server's response is lost, homeline checks whether the post was published. It sends the post again on its own only if the
        server detects duplicates. See `homeline help outbox`.
        """,
      ],
      details: [
        """
        With OAuth 2.0, the token must allow posting: `homeline login ACCOUNT --allow posting`. If it does not, homeline offers that login
        on a terminal, then continues. Otherwise, the post waits in the outbox until that login.
        """,
        """
        If the server would silently ignore or replace something, such as a visibility it does not support, the post is refused before it
        is sent. A post that is too long is refused before it is stored: homeline requests the server's limit and measures the post as the
        server does. `--dry-run` prints the length. homeline compares the published post with what it sent and reports any differences.
        """,
        """
        If homeline does not know the server's software, it cannot tell whether the server keeps a visibility other than `public`, a warning
        or a language. On a terminal, homeline then asks before it publishes the post. Otherwise, the post needs `--trust-server`.
        """,
        """
        homeline removes the location and other metadata from pictures and videos before it sends them. Without `--keep-metadata`, a
        file whose metadata homeline cannot remove is refused. Files are uploaded before the post is sent. An interrupted upload is
        continued if the server allows that. A file that changes before its upload has ended is not published.
        """,
        """
        X charges for each post and each file description. homeline prints a post's cost and asks for confirmation if it exceeds the
        account's `confirm_above_usd` (0.05 by default, so posts with a link). Without a terminal, such a post needs `--yes`.
        """,
        """
        With `--at`, the post waits in the outbox until the given time. The service must be running then.
        """,
        .futureTimes,
      ],
      examples: [
        CommandExample("homeline post bird \"Good morning.\"", "Publish a post."),
        CommandExample("homeline post bird", "Write a post in your editor."),
        CommandExample("fortune | homeline post bird -", "Publish the output of a command."),
        CommandExample(
          "homeline post bird \"On the summit.\" --media a.jpg --alt \"Snow\" --media b.jpg --alt \"Fog\"",
          "Publish pictures with descriptions."),
        CommandExample("homeline post bird --reply-to 115586 --visibility unlisted \"Indeed.\"", "Reply to a post."),
      ],
      exitCodes: [
        (.badData, "the post was refused and has not been published"),
        (.faultsFound, "the post was published, but to more people than intended; do not repeat the command"),
        (
          .unavailable,
          "homeline could not determine whether the post was published; do not repeat the command, but see `homeline outbox`"
        ),
        (
          .temporary,
          "the post waits in the outbox, and homeline continues automatically; do not repeat the command, but see `homeline outbox`"
        ),
        (.notAuthorised, "the account is not authorised, or its token does not allow posting"),
      ])

    private static let accountOperand = Operand(.text("ACCOUNT", .account), .optional)
    private static let textOperand = Operand(.text("TEXT"), .optional, at: 1)
    private static let replyOption = Option(
      "--reply-to", .filledText("ID|URL"), "reply to this post, which may still be in the outbox")
    private static let visibilityOption = Option<PostVisibility>(
      "--visibility", .choice, "who can see the post (default: as set on the server)")
    private static let warningOption = Option(
      "--warning", .filledText("TEXT"), "show this warning before the text")
    private static let languageOption = Option("--language", .filledText("TAG"), "the language, such as en")
    private static let atOption = Option(
      "--at", .future, "wait until this time, such as 18:00, \"tomorrow 9:00\" or 30m")
    private static let mediaOption = Option("--media", .file, "publish this file with the post; can be repeated")
    private static let altOption = Option(
      "--alt", .filledText("TEXT"), "describe the file of the preceding --media for those who cannot see or hear it")
    private static let keepMetadata = Flag("--keep-metadata", "send the files as they are, with location and author")
    private static let waitOption = Option(
      "--wait", .number("SECONDS", in: SendPostRequest.patiences),
      "if the post has to wait, wait for this many seconds in all (default: 30)")
    private static let trustServer = Flag(
      "--trust-server",
      "publish even if homeline does not know whether the server keeps visibility, warning and language")
    private static let dryRun = Flag("--dry-run", "check the post without sending it")
    private static let yes = Flag("--yes", "publish the post regardless of its cost")

    package static var operands: [OperandDescription] { [accountOperand.description, textOperand.description] }
    package static var options: [any DeclaredOption] {
      [
        mediaOption, altOption, keepMetadata, replyOption, visibilityOption, warningOption, languageOption, atOption,
        waitOption, dryRun, yes, trustServer,
      ]
    }
    package static let json: JSONOutput? = JSONOutput(schema: "post")

    /// The account; nil means the only enabled account.
    package var account: AccountName?
    /// The source of the text.
    package enum Source: Sendable, Hashable {
      case argument, standardInput
      /// The user writes the text in an editor, if there is a terminal.
      case editor
    }

    package let source: Source
    /// The text; nil until it has been read from standard input or written in an editor.
    package var text: String?
    package var replyTo: String?
    var visibility: PostVisibility?
    var warning: String?
    var language: String?
    var postAt: Timestamp?
    /// The files to publish, with their paths as the user wrote them.
    package var files: [SendPostRequest.File]
    var keepsMetadata: Bool
    package var isDryRun: Bool
    /// How many seconds the command waits in all if the post has to wait; nil for the default.
    var patience: Int?
    /// Whether the user has agreed to the cost.
    package var isConfirmed: Bool
    /// Whether the user accepts that a server with unknown software may ignore the visibility, the warning or the language.
    var trustsServer: Bool

    package init(_ arguments: Arguments) throws(UsageError) {
      let first = try arguments.value(Self.accountOperand)
      let second = try arguments.value(Self.textOperand)
      var text = second
      if let first, second == nil, AccountName(first) == nil {
        text = first
      } else if let first {
        account = try arguments.account(first)
      }
      files = try Self.files(arguments)
      keepsMetadata = arguments.has(Self.keepMetadata)
      // A post with a file needs no text.
      if text == nil, !files.isEmpty { text = "" }
      source = text == nil ? .editor : text == "-" ? .standardInput : .argument
      self.text = source == .argument ? text : nil
      replyTo = try arguments.value(Self.replyOption)
      visibility = try arguments.value(Self.visibilityOption)
      warning = try arguments.value(Self.warningOption)
      language = try arguments.value(Self.languageOption)
      postAt = try arguments.value(Self.atOption)
      isDryRun = arguments.has(Self.dryRun)
      patience = try arguments.value(Self.waitOption)
      isConfirmed = arguments.has(Self.yes)
      trustsServer = arguments.has(Self.trustServer)
      if let language, !LanguageTag.isWellFormed(language) {
        throw arguments.error("--language must be a tag such as en or pt-BR, not \(DisplayText.quoted(language))")
      }
    }

    /// Returns the files with their descriptions. A description follows its file.
    private static func files(_ arguments: Arguments) throws(UsageError) -> [SendPostRequest.File] {
      var files: [SendPostRequest.File] = []
      for (option, value) in try arguments.occurrences(of: [mediaOption, altOption]) {
        if option == 0 {
          files.append(SendPostRequest.File(path: value))
        } else {
          guard let file = files.last else { throw arguments.error("--alt must follow the --media that it describes") }
          if file.description != nil { throw arguments.error("\(file.path) has two descriptions") }
          files[files.count - 1].description = value
        }
      }
      return files
    }

    /// The number of files that have a description.
    package var descriptions: Int { files.count { $0.description != nil } }

    package func completed() throws(CommandError) -> Command.Post {
      if text == nil, source == .editor { throw CommandError(missingText) }
      var command = self
      // Relative paths become absolute, because the service has a different working directory.
      for index in files.indices {
        let path = File.realPath(files[index].path)
        guard path.hasPrefix("/"), File.exists(path) else {
          throw CommandError(.badData, "\(path): there is no such file")
        }
        command.files[index].path = path
      }
      if text == nil { command.text = try StandardInput.text() }
      return command
    }

    package var interruptionNote: StaticString? { isDryRun ? nil : OutboxTerminal.interruptionNote }

    /// The error if there is neither text nor a terminal to write it on.
    private var missingText: UsageError {
      let word = account.map { "; to post the single word \(DisplayText.quoted($0.text)), name the account too" } ?? ""
      return UsageError(
        "the text is missing; - reads it from standard input, and on a terminal an editor opens\(word)", in: Self.name)
    }

    package var request: SendPostRequest {
      SendPostRequest(
        account: account?.text, text: text ?? "", replyTo: replyTo, visibility: visibility?.rawValue, warning: warning,
        language: language, postAt: postAt, files: files, keepsMetadata: keepsMetadata, isDryRun: isDryRun,
        isConfirmed: isConfirmed, patience: patience, trustsServer: trustsServer)
    }

    package func agreed(to question: EndEvent.Question) -> Command.Post? {
      guard question == .trustServer, !trustsServer, !isDryRun, TerminalAgreement.asks("Publish it anyway?") else {
        return nil
      }
      var command = self
      command.trustsServer = true
      return command
    }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
      EventPrinter { event in
        if let checked = event as? CheckedPostEvent {
          let limit = checked.limit.map { " of \($0)" } ?? ""
          let length = checked.length.map { ", \($0)\(limit) \(checked.unit ?? "characters")" } ?? ""
          try? Terminal.answer("\(checked.account): the post can be published as \(checked.author)\(length)\n")
        }
        if let post = event as? OutboxEvent { OutboxTerminal.showOutcome(of: post) }
      }
    }
  }
}

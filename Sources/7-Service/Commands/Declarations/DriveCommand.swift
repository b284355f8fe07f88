internal import Platform
package import Settings

extension Command {
  /// `homeline drive`.
  package struct Drive: CommandDeclaration {
    package static let name = "drive"
    package static let documentation = CommandDocumentation(
      .accounts, "list, fetch and store files on a cloud drive",
      description: [
        """
        Works with the files of an account whose provider is a drive (`gokuai`). `ACCOUNT:PATH` is a file or a folder in the drive, and
        `ACCOUNT:/` is the drive itself. Anything else is a local file. Write `./a:b` for a local file with a colon in its name.
        """,
        .terms([
          TextBlock.Term("ls ACCOUNT:PATH ...", "list folders"),
          TextBlock.Term("info ACCOUNT:PATH ...", "show the size, the SHA-1 and the last change"),
          TextBlock.Term("get ACCOUNT:PATH ... [FILE|FOLDER]", "download files, by default into the current folder"),
          TextBlock.Term("put FILE ... ACCOUNT:PATH", "upload files; a PATH that ends in / is a folder"),
          TextBlock.Term("mkdir ACCOUNT:PATH ...", "create folders"),
          TextBlock.Term("mv ACCOUNT:PATH ACCOUNT:PATH", "move or rename a file or folder"),
          TextBlock.Term("cp ACCOUNT:PATH ACCOUNT:PATH", "copy a file or folder"),
          TextBlock.Term("rm ACCOUNT:PATH ...", "move files and folders to the recycle bin"),
          TextBlock.Term("link ACCOUNT:PATH ...", "print the URL of a web page that shows the file"),
        ]),
      ],
      details: [
        """
        Transfers can be interrupted at any time: the same command continues where the last one stopped. A download is written to a
        hidden file next to its target, and gets its final name only when it is complete and its SHA-1 matches the drive's. An upload is
        sent in blocks of 4 MiB, each with a checksum; the server reports where to continue.
        """,
        """
        Existing files are not replaced without `--replace`. If standard error is a terminal, its last line shows the progress: bytes,
        percentage, rate and time left.
        """,
        """
        Keys are sent only over https, except on this machine, and only to the account's server and to the hosts in its `drive.hosts`.
        """,
      ],
      examples: [
        CommandExample("homeline drive ls disk:docs", "List a folder of the account disk."),
        CommandExample("homeline drive get disk:docs/plan.pdf", "Download a file into the current folder."),
        CommandExample("homeline drive put *.jpg disk:pictures/", "Upload pictures into a folder."),
      ],
      exitCodes: [
        (.badData, "a file does not exist in the drive, or changed during the transfer"),
        (.unavailable, "the drive is not available; the same command continues the transfer"),
        (
          .cannotCreate,
          "the file already exists, is a dangling link, or its partial file belongs to another user"
        ),
        (.inputOutput, "a local file could not be read or written, or the drive is full"),
        (.notAuthorised, "the drive refused the request"),
      ])

    /// The action to perform.
    package enum Action: String, Sendable, Hashable, CaseIterable {
      case ls, info, get, put, mkdir, mv, cp, rm, link
    }

    /// A file in a drive, or a local file.
    package enum Place: Sendable, Hashable {
      /// - Parameter path: the path as the user wrote it.
      case drive(AccountName, path: String)
      case local(String)

      init(_ text: String) {
        if let colon = text.firstIndex(of: ":"), let account = AccountName(String(text[..<colon])) {
          self = .drive(account, path: String(text[text.index(after: colon)...]))
        } else {
          self = .local(text)
        }
      }
    }

    private static let actionOperand = Operand<Action>(.choice, placeholder: "ACTION")
    private static let placeOperand = Operand(.text("FILE", .file), .oneOrMore, at: 1)
    private static let replaceFlag = Flag("--replace", "replace existing files")
    private static let defaultJobs = 3
    private static let jobsOption = Option<Int>(
      "--jobs", .number("N", in: 1...8), default: defaultJobs, "transfer this many files at the same time")

    package static var operands: [OperandDescription] { [actionOperand.description, placeOperand.description] }
    package static var options: [any DeclaredOption] { [replaceFlag, jobsOption] }
    package static let json: JSONOutput? = JSONOutput(schema: "drive")
    package static var program: LibexecProgram? { .daemon }

    package var action: Action
    /// The account whose drive contains all places that are not local.
    package var account: AccountName
    /// The places to read or change.
    package var places: [Place]
    /// The destination of files that are uploaded, downloaded, moved or copied; nil for other actions, and for downloads into the current
    /// folder.
    package var target: Place?
    package var replaces: Bool
    /// The number of files transferred at the same time.
    package var jobs: Int

    package init(_ arguments: Arguments) throws(UsageError) {
      let action = try arguments.required(Self.actionOperand)
      if arguments.isJSON, ![.ls, .info, .link].contains(action) {
        throw arguments.error("--json can only be used with ls, info and link")
      }
      var places = try arguments.values(Self.placeOperand).map { Place($0) }
      var target: Place?
      switch action {
      case .put, .mv, .cp:
        guard places.count > 1 else { throw arguments.error("\(action.rawValue) needs a target") }
        target = places.removeLast()
        if action != .put, places.count > 1 { throw arguments.error("\(action.rawValue) takes one source at a time") }
      case .get:
        if case .local(let path) = places[places.count - 1], places.count > 1 {
          if path == "-" { throw arguments.error("files are not written to standard output; a file named - is ./-") }
          target = places.removeLast()
        }
      case .ls, .info, .mkdir, .rm, .link: break
      }
      let remote = (action == .put ? [] : places) + (action == .get ? [] : [target].compactMap { $0 })
      var accounts: Set<AccountName> = []
      for place in remote {
        switch place {
        case .drive(let account, _): accounts.insert(account)
        case .local(let text):
          // The most common mistake is to name only the account.
          let advice = AccountName(text) == nil ? "" : "; for the drive of the account \(text), write \(text):/"
          throw arguments.error("\(action.rawValue) needs ACCOUNT:PATH instead of a local file\(advice)")
        }
      }
      if action == .put, places.contains(where: { if case .drive = $0 { true } else { false } }) {
        throw arguments.error("put takes local files; write ./NAME if the name contains a colon")
      }
      guard let account = accounts.first, accounts.count == 1 else {
        throw arguments.error("all files must belong to the same account")
      }
      self.action = action
      self.account = account
      self.places = places
      self.target = target
      replaces = arguments.has(Self.replaceFlag)
      jobs = try arguments.value(Self.jobsOption) ?? Self.defaultJobs
    }
  }
}

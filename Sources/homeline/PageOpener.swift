internal import Commands
internal import Dispatch
internal import Files
internal import Media
internal import Platform
internal import Settings
internal import Timeline

extension Command.Open: LocalCommand {
  func run(in context: CommandContext) throws(CommandFailure) -> ExitCode {
    let layout = try context.layout()
    let (folder, name): (String, String)
    if let view {
      (folder, name) = (layout.viewFolder(of: view.text), "the view \(view)")
    } else {
      let account = try context.publishedFiles().account(account, try context.configurationFile())
      (folder, name) = (layout.files(of: account.text).cacheFolder, account.text)
    }
    let opener = PageOpener(
      arguments: self, path: "\(folder)/\(PublishedFormat.html.fileName)", mediaFolder: layout.mediaFolder, name: name,
      browser: Browser(variables: context.environment.variables))
    return try context.write(try opener.output())
  }
}

/// Has the browser show the page of an account or a view.
struct PageOpener {
  let arguments: Command.Open
  /// Where the page lies.
  let path: String
  /// Where the pictures lie that it names.
  let mediaFolder: String
  /// What the page is of, for messages.
  let name: String
  /// Nil where none can be started.
  let browser: Browser?

  /// How long a browser that cannot show anything has to say so. Most commands that open one hand the address over and end within a
  /// second; one that goes on is taken for the browser itself.
  private static let patience = DispatchTimeInterval.seconds(3)

  func output() throws(CommandFailure) -> CommandOutput {
    guard File.exists(path) else {
      throw CommandFailure(
        .configuration,
        "\(name): there is no page \(path). Add \"publish\": [\"html\"] to the configuration, and refresh")
    }
    if arguments.onlyPrints { return CommandOutput(path + "\n") }
    guard let browser else {
      return CommandOutput(path + "\n", notes: ["there is no browser here that could be started; this is the page"])
    }
    let hasEnded = DispatchSemaphore(value: 0)
    let status = Locked<Int32>(0)
    do {
      // No picture goes between the page's being found and the browser's being asked to read it.
      try MediaReading.during(mediaFolder) {
        try browser.open(Self.address(of: path)) { code in
          status.withLock { $0 = code }
          hasEnded.signal()
        }
      }
    } catch {
      throw CommandFailure(.unavailable, "no browser could be started (\(error)). The page is \(path)")
    }
    _ = hasEnded.wait(timeout: .now() + Self.patience)
    let code = status.withLock { $0 }
    guard code == 0 else {
      throw CommandFailure(.unavailable, "\(browser.program) ended with status \(code). The page is \(path)")
    }
    return CommandOutput("", notes: ["your browser has been asked to open \(path)"])
  }

  /// The file's address (RFC 8089 §2).
  static func address(of path: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var address = Array("file://".utf8)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        address.append(byte)
      default: address += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: address, as: UTF8.self)
  }
}

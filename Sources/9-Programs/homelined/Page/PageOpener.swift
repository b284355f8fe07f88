internal import Commands
internal import Folders
internal import JSON
internal import LocalCommands
internal import Platform
internal import PublishedFiles
internal import TerminalText
internal import Time

extension Command.Open: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let layout = try context.layout()
    let request = PublicationRequest(context: context)
    request.send(for: view == nil ? account : nil)
    let configuration = try context.configurationFiles()
    let timelines = try context.publishedFiles(hash: CommandContext.hash).timelines(
      account: account, view: view, configuration)
    let page = ShownPage(
      timelines: timelines, pages: layout.openedPages, archives: try context.archives(), configuration: configuration,
      now: WallClock.system.now)
    let opener = PageOpener(
      arguments: self, path: try page.path(), mediaFolder: layout.mediaFolder,
      browser: Browser(variables: context.environment.variables), isJSON: context.invocation.isJSON)
    return try context.write(try opener.output())
  }
}

/// Opens a page in the browser.
struct PageOpener {
  let arguments: Command.Open
  /// The page's path.
  let path: String
  /// The folder of its pictures.
  let mediaFolder: String
  /// The browser; nil if there is none.
  let browser: Browser?
  let isJSON: Bool

  func output() throws(CommandError) -> CommandOutput {
    if isJSON { return CommandOutput(JSONDocument.output { $0.member("page", path) }) }
    if arguments.onlyPrints { return CommandOutput(.data(OutputData(value: Array("\(path)\n".utf8)))) }
    guard let browser else {
      return CommandOutput(
        .data(OutputData(value: Array("\(path)\n".utf8))), notes: ["no browser was found; the page is in this file"])
    }
    let started: StartedBrowser
    do {
      // No picture is deleted between the check of the page and the start of the browser.
      started = try MediaReading.during(mediaFolder) { try StartedBrowser(browser, at: Self.address(of: path)) }
    } catch {
      throw CommandError(.unavailable, "could not start a browser: \(error). The page is at \(path)")
    }
    try started.check("The page is at \(path)")
    return CommandOutput("", notes: ["opened \(path) in your browser"])
  }

  /// Returns the `file` URL of the page (RFC 8089 §2).
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

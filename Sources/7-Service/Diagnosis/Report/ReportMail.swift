internal import CBuildSettings
internal import Commands
internal import Dispatch
internal import Folders
internal import HomelineOAuth
package import Platform

/// An email that contains a report. The user's mail program shows it, and the user sends it.
package struct ReportMail: Sendable {
  /// The maximum size of the text in bytes. Mail programs and browsers truncate longer `mailto` addresses.
  static let textLimit = 4000
  /// How long a program has to report a failure. A program that is still running then is the mail program itself.
  private static let patience = DispatchTimeInterval.seconds(3)

  private let address: String
  private let subject: String
  private let text: String
  /// The path of the complete report, which the user must attach; nil if the email contains all of it.
  package let attachment: String?

  /// - Throws: `SystemError` if the report does not fit into the mail and cannot be written to the file.
  package init(to address: String, _ report: DiagnosticReport, in context: DiagnosticContext) throws(SystemError) {
    let message = report.message
    guard message.utf8.count > Self.textLimit else {
      self.init(to: address, message)
      return
    }
    let file = context.layout.reportFile
    try Folder.create(context.layout.stateFolder)
    try AtomicFile.write(Array(message.utf8), to: file, .replaced)
    // The path of the home folder contains the user's name, and the developer reads the mail.
    let home = context.folders.home
    let shown = file.hasPrefix("\(home)/") ? "~\(file.dropFirst(home.count))" : "_report.txt"
    self.init(to: address, report.excerpt(limit: Self.textLimit, completeReport: shown), attaching: file)
  }

  init(to address: String, _ text: String, attaching attachment: String? = nil) {
    self.address = address
    self.text = text
    self.attachment = attachment
    subject = DiagnosticReport.subject
  }

  /// Returns the developer's address: `HOMELINE_REPORT_ADDRESS`, or else the build setting `REPORT_ADDRESS`; nil if no address
  /// is set.
  package static func address(variables: [String: String]) -> String? {
    let built = unsafe String(cString: cbuildsettings_report_address())
    let address = variables["HOMELINE_REPORT_ADDRESS"] ?? built
    return address.isEmpty ? nil : address
  }

  /// Returns whether a mail program is installed. Opening it can still fail.
  package static func canOpen(variables: [String: String]) -> Bool {
    ProgramSearch.find("xdg-email", in: variables["PATH"] ?? "") != nil || Browser(variables: variables) != nil
  }

  /// Opens the mail. Returns the name of the program that shows it; nil if there is no such program, or if all have failed.
  package func open(variables: [String: String]) -> String? {
    if let program = ProgramSearch.find("xdg-email", in: variables["PATH"] ?? "") {
      // Only some mail programs attach the file, so the text also asks the user to attach it.
      let attached = attachment.map { ["--attach", $0] } ?? []
      let arguments = ["--utf8", "--subject", subject, "--body", text] + attached + [address]
      let hasFailed = Self.fails { (ended) throws(SystemError) in
        let process = try Child.start(program, arguments, environment: variables)
        Child.whenEnded(process, ended)
      }
      if !hasFailed { return program }
    }
    guard let browser = Browser(variables: variables) else { return nil }
    let hasFailed = Self.fails { (ended) throws(SystemError) in try browser.open(mailtoAddress, ended: ended) }
    return hasFailed ? nil : browser.program
  }

  /// The `mailto` address of the mail (RFC 6068 §2).
  var mailtoAddress: String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
    // All special characters in the address are encoded, except the at sign.
    let recipient = address.split(separator: "@", omittingEmptySubsequences: false)
      .map { PercentEncoding.encode(String($0)) }.joined(separator: "@")
    return "mailto:\(recipient)?subject=\(PercentEncoding.encode(subject))&body=\(lines.joined(separator: "%0D%0A"))"
  }

  /// Returns whether a program cannot be started, or soon exits with an error.
  private static func fails(_ start: (@escaping @Sendable (Int32) -> Void) throws(SystemError) -> Void) -> Bool {
    let hasEnded = DispatchSemaphore(value: 0)
    let status = Locked<Int32>(0)
    do throws(SystemError) {
      try start { code in
        status.withLock { $0 = code }
        hasEnded.signal()
      }
    } catch { return true }
    _ = hasEnded.wait(timeout: .now() + patience)
    return status.withLock { $0 } != 0
  }
}

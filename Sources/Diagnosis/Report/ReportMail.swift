internal import CBuildSettings
internal import Commands
internal import Dispatch
internal import HomelineOAuth
internal import Platform

/// A mail that contains a report. The user's mail program shows it, and the user sends it.
package struct ReportMail: Sendable {
  /// The maximum size of the text in bytes. Mail programs and browsers truncate longer `mailto` addresses.
  private static let textLimit = 4000
  /// The time within which a program can report a failure. A program that is still running after that is the mail program itself.
  private static let patience = DispatchTimeInterval.seconds(3)

  private let address: String
  private let subject: String
  private let text: String

  package init(to address: String, _ report: DiagnosticReport) {
    self.address = address
    subject = DiagnosticReport.subject
    text = report.message(limit: Self.textLimit)
  }

  /// The developer's address: `HOMELINE_REPORT_ADDRESS`, or else the build setting `REPORT_ADDRESS`; nil if neither is set.
  package static func address(variables: [String: String]) -> String? {
    let built = unsafe String(cString: cbuildsettings_report_address())
    let address = variables["HOMELINE_REPORT_ADDRESS"] ?? built
    return address.isEmpty ? nil : address
  }

  /// The name of the program that shows the mail; nil if there is none, or if all have failed.
  package func open(variables: [String: String]) -> String? {
    if let program = ProgramSearch.find("xdg-email", in: variables["PATH"] ?? "") {
      let arguments = ["--utf8", "--subject", subject, "--body", text, address]
      let hasFailed = Self.fails { (ended) throws(SystemError) in
        let process = try Child.start(program, arguments, environment: variables)
        DispatchQueue.global(qos: .utility).async { ended(Child.wait(for: process)) }
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
    // An at sign is the only special character of the address that is not encoded.
    let recipient = address.split(separator: "@", omittingEmptySubsequences: false)
      .map { PercentEncoding.encode(String($0)) }.joined(separator: "@")
    return "mailto:\(recipient)?subject=\(PercentEncoding.encode(subject))&body=\(lines.joined(separator: "%0D%0A"))"
  }

  /// Whether a program cannot be started, or soon exits with an error.
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

internal import Commands
internal import Dispatch
internal import Platform

/// The user's browser that was started with an address.
struct StartedBrowser {
  /// The time limit for the browser command to report a failure. Most commands pass the address on and exit within a second; a
  /// command that keeps running is the browser itself.
  private static let patience = DispatchTimeInterval.seconds(3)

  private let program: String
  private let hasEnded = DispatchSemaphore(value: 0)
  private let status = Locked<Int32>(0)

  init(_ browser: Browser, at address: String) throws(SystemError) {
    program = browser.program
    try browser.open(address) { [status, hasEnded] code in
      status.withLock { $0 = code }
      hasEnded.signal()
    }
  }

  /// Waits until the browser has had time to fail.
  /// - Parameter advice: how to reach the page without the browser, as a sentence.
  /// - Throws: 69 if it has failed.
  func check(_ advice: String) throws(CommandError) {
    _ = hasEnded.wait(timeout: .now() + Self.patience)
    let code = status.withLock { $0 }
    guard code == 0 else { throw CommandError(.unavailable, "\(program) exited with status \(code). \(advice)") }
  }
}

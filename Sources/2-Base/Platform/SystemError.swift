internal import Glibc

/// A failed system call: its name, its `errno` and its object.
package struct SystemError: UserFacingError, Hashable {
  /// The call's name, as in its manual page.
  let call: String
  /// The value of `errno` right after the call.
  package let code: Int32
  /// The object of the call: a path or an address. Never a secret.
  let subject: String?
  /// A problem found by this program itself, with advice; `nil` if `reason` is sufficient.
  let finding: String?

  package init(call: String, code: Int32, subject: String? = nil, finding: String? = nil) {
    self.call = call
    self.code = code
    self.subject = subject
    self.finding = finding
  }

  /// The system's message for the code (`strerror(3)`).
  package var reason: String { unsafe String(cString: strerror(code)) }

  /// The message names the call only if nothing else shows what failed, because users do not know these names.
  package var message: String {
    let text = finding ?? (subject == nil ? "\(reason) (\(call))" : reason)
    return if let subject { "\(subject): \(text)" } else { text }
  }

  package var exitCode: ExitCode { .inputOutput }

  /// Returns the same error with a subject. An error with a `finding` is returned unchanged, because the finding contains its subject.
  package func about(_ subject: String) -> SystemError {
    finding == nil ? SystemError(call: call, code: code, subject: subject) : self
  }

  /// Whether there is no space left for a file, or its user may not use more.
  package var isOutOfSpace: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }
  package var isTooLarge: Bool { code == EFBIG }
  package var isTimeout: Bool { code == ETIMEDOUT }
  package var isNoEntry: Bool { code == ENOENT }
  package var isExisting: Bool { code == EEXIST }
  package var isNotPermitted: Bool { code == EPERM }
  package var isAddressInUse: Bool { code == EADDRINUSE }
  /// Whether a non-blocking call would have blocked.
  package var isBlocked: Bool { code == EAGAIN || code == EWOULDBLOCK }
}

/// Runs a call that returns -1 on failure, and reads `errno` immediately. Repeats the call after EINTR; no other code has such a loop.
/// - Throws: `SystemError` with the call's name, the code and the subject.
@discardableResult
package func check<Answer: SignedInteger>(
  _ call: String, _ subject: @autoclosure () -> String? = nil, _ body: () -> Answer
) throws(SystemError) -> Answer {
  while true {
    let answer = body()
    if answer != -1 { return answer }
    let code = errno
    if code != EINTR { throw SystemError(call: call, code: code, subject: subject()) }
  }
}

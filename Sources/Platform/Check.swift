internal import Glibc

/// Runs a call that answers -1 on failure, again after EINTR, and reads `errno` at once: the only such loop in the program.
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

package import Bytes
package import Platform
internal import TerminalText

/// Prints a token. No other code in the program prints secrets.
package enum TokenTerminal {
  /// Writes the token and a line feed to standard output.
  /// - Returns: `.done`, or `.inputOutput` if the token could not be written.
  package static func show(_ token: Secret) -> ExitCode {
    do throws(SystemError) {
      try token.withExposed { bytes throws(SystemError) in
        try Terminal.answer(.data(OutputData(value: bytes + [UInt8(ascii: "\n")])))
      }
      return .done
    } catch {
      Terminal.say("homeline: could not print the token: \(error)")
      return .inputOutput
    }
  }
}

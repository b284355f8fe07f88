package import HomelineOAuth
package import Platform

/// Shows a token, to whoever asked for it: the one place that writes one out.
package enum TokenTerminal {
  /// Writes it and a line feed to standard output.
  /// - Returns: `.inputOutput` when nobody took it.
  package static func show(_ token: Secret) -> ExitCode {
    do throws(SystemError) {
      try token.withExposed { bytes throws(SystemError) in try Terminal.answer(bytes: bytes + [UInt8(ascii: "\n")]) }
      return .done
    } catch {
      Terminal.say("homeline: the token could not be written: \(error)")
      return .inputOutput
    }
  }
}

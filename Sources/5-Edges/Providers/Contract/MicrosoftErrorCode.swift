/// The meaning that known `error_codes` from Microsoft's identity platform have for a token. They are more precise than `error`:
/// `invalid_grant` is used both for problems that only a login solves and for temporary problems.
enum MicrosoftErrorCode {
  case needsLogin
  case configuration
  case transient

  /// Interprets the first known code; `nil` if none is known.
  init?(among codes: [Int]) {
    for code in codes {
      switch code {
      // Second factor required or too old; password changed; consent missing; expired; sign-in too old; unused for 90 days.
      case 50_076, 50_078, 50_079, 50_173, 65_001, 70_008, 70_043, 700_082: self = .needsLogin
      // Application unknown in the tenant or disabled; a secret missing, or sent by a public client.
      case 700_016, 7_000_112, 7_000_218, 700_025: self = .configuration
      // Temporarily out of service; too many requests of the same kind.
      case 90_013, 90_033, 50_196: self = .transient
      default: continue
      }
      return
    }
    return nil
  }
}

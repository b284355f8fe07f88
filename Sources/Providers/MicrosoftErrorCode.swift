/// What the numbers in `error_codes` of Microsoft's identity platform mean for a token, as far as they are known. They tell more than
/// `error` does: `invalid_grant` stands for what only a login helps against and for a server that wants a pause.
enum MicrosoftErrorCode {
  case needsLogin
  case configuration
  case transient

  /// The meaning of the first code that is known; `nil` where none is.
  init?(among codes: [Int]) {
    for code in codes {
      switch code {
      // Second factor needed or too old; password changed; consent missing; expired; sign-in too old; unused for 90 days.
      case 50_076, 50_078, 50_079, 50_173, 65_001, 70_008, 70_043, 700_082: self = .needsLogin
      // Application unknown in the tenant or disabled; a secret missing, or sent by a public client.
      case 700_016, 7_000_112, 7_000_218, 700_025: self = .configuration
      // Out of order for a while; too many requests of the same kind.
      case 90_013, 90_033, 50_196: self = .transient
      default: continue
      }
      return
    }
    return nil
  }
}

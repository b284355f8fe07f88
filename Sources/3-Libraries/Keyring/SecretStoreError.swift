package import Platform

/// The reason a secret store cannot be used. A missing secret is not an error.
package enum SecretStoreError: UserFacingError, Hashable {
  /// The keyring is locked. Only the user can unlock it.
  case locked
  /// There is no keyring for storing items, for example because the user account is new.
  case noKeyring
  /// No program on the session bus provides a keyring.
  case noProvider
  /// The session bus could not be reached.
  case noBus(String)
  /// libsystemd is not installed.
  case noLibrary(String)
  /// The keyring did not respond in time.
  case timedOut
  /// The keyring wants to prompt the user first.
  case wantsPrompt
  /// The keyring does not encrypt secrets on the session bus.
  case noEncryption
  case failed(String)

  package var exitCode: ExitCode { .temporary }

  package var message: String {
    switch self {
    case .locked:
      "the keyring is locked: unlock it, for example with Passwords and Keys (seahorse) or KeePassXC; without a desktop, with "
        + "gnome-keyring-daemon --unlock"
    case .noKeyring:
      "there is no default keyring: create one, for example with Passwords and Keys (seahorse) or a login to the desktop"
    case .noProvider:
      "no keyring is running in this session: start one, such as gnome-keyring, KWallet or KeePassXC with its Secret Service"
    case .noBus(let reason):
      "the session bus cannot be reached (\(reason)), so there is no keyring: log in to a session that has D-Bus, or set "
        + "DBUS_SESSION_BUS_ADDRESS"
    case .noLibrary(let reason):
      "libsystemd could not be loaded (\(reason)). Install the package libsystemd0, or its equivalent on your system"
    case .timedOut: "the keyring did not respond in time"
    case .wantsPrompt: "the keyring wants to prompt for permission first: unlock it, or allow homeline to access it"
    case .noEncryption:
      "the keyring does not encrypt secrets on the session bus, where other programs could read them, so homeline does not use it. Use "
        + "another one, such as gnome-keyring, KWallet or KeePassXC"
    case .failed(let reason): "the keyring failed: \(reason)"
    }
  }
}

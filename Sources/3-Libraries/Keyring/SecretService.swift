package import Bytes
internal import Cryptography
internal import Glibc
package import Platform

/// The keyring of the user's session, accessed through the Secret Service API (`org.freedesktop.secrets`) on the session bus.
/// gnome-keyring, KWallet and KeePassXC provide it.
///
/// Each method opens a new connection to the bus, because an older connection may have ended with its session. No call shows a prompt: if
/// the keyring wants to prompt the user first, the call fails.
package struct SecretService: SecretStore {
  private static let name = "org.freedesktop.secrets"
  private static let root = "/org/freedesktop/secrets"
  private static let defaultCollection = "\(root)/aliases/default"

  /// The address of the session bus; `nil` if none is known.
  private let address: BusAddress?
  private let startsProvider: Bool
  private let timeout: Duration

  /// - Parameters:
  ///   - address: the session bus; `nil` if none is known.
  ///   - startsProvider: whether the bus starts a keyring that is not running. A keyring that starts before its user has logged in stays
  ///     locked, so only a user's command may start one.
  ///   - timeout: the time limit for each call, and for connecting.
  package init(_ address: BusAddress?, startsProvider: Bool, timeout: Duration = .seconds(5)) {
    self.address = address
    self.startsProvider = startsProvider
    self.timeout = timeout
  }

  package func secrets(with attributes: SecretAttributes) throws(SecretStoreError) -> FoundSecrets {
    try connected { connection throws(SecretStoreError) in
      let (unlocked, locked) = try connection.items(with: attributes)
      var found = FoundSecrets(isLocked: !locked.isEmpty)
      if !unlocked.isEmpty {
        let session = try connection.openSession()
        for item in unlocked {
          if let secret = try connection.secret(of: item, session) { found.secrets.append(secret) }
        }
      } else if locked.isEmpty {
        // Some keyrings do not find the items of a locked collection.
        found.isLocked = try connection.isDefaultCollectionLocked() ?? false
      }
      return found
    }
  }

  package func add(_ secret: Secret, _ attributes: SecretAttributes, label: String) throws(SecretStoreError) {
    try connected { connection throws(SecretStoreError) in
      guard let isLocked = try connection.isDefaultCollectionLocked() else { throw .noKeyring }
      if isLocked { throw .locked }
      try connection.createItem(secret, attributes, label: label, try connection.openSession())
    }
  }

  package func remove(_ attributes: SecretAttributes) throws(SecretStoreError) {
    try connected { connection throws(SecretStoreError) in
      let (unlocked, locked) = try connection.items(with: attributes)
      for item in unlocked { try connection.delete(item) }
      if !locked.isEmpty { throw .locked }
    }
  }

  package func provider() throws(SecretStoreError) -> String {
    try connected { connection throws(SecretStoreError) in
      guard let isLocked = try connection.isDefaultCollectionLocked() else { throw .noKeyring }
      if isLocked { throw .locked }
      return try connection.providerName()
    }
  }

  private func connected<Value>(
    _ body: (borrowing Connection) throws(SecretStoreError) -> Value
  ) throws(SecretStoreError) -> Value {
    guard let address else { throw .noBus("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set") }
    let bus: SessionBus
    do throws(BusError) { bus = try SessionBus.connect(to: address, timeout: timeout) } catch {
      throw SecretStoreError(error)
    }
    return try body(Connection(bus: bus, startsProvider: startsProvider))
  }

  /// Calls the API.
  private struct Connection: ~Copyable {
    let bus: SessionBus
    let startsProvider: Bool

    func items(
      with attributes: SecretAttributes
    ) throws(SecretStoreError) -> (unlocked: [String], locked: [String]) {
      try translated { () throws(BusError) in
        let reply = try call(root, "Service", "SearchItems") { message throws(BusError) in
          try message.append(attributes.values)
        }
        return (try reply.paths(), try reply.paths())
      }
    }

    /// Returns whether the default collection is locked; `nil` if there is none.
    func isDefaultCollectionLocked() throws(SecretStoreError) -> Bool? {
      try translated { () throws(BusError) in
        let path = try call(root, "Service", "ReadAlias") { message throws(BusError) in
          try message.append("default")
        }.text(.path)
        guard path != "/" else { return nil }
        let reply = try bus.call(
          BusMethod(
            destination: name, path: path, interface: "org.freedesktop.DBus.Properties", member: "Get"),
          startsPeer: startsProvider
        ) { message throws(BusError) in
          try message.append("org.freedesktop.Secret.Collection")
          try message.append("Locked")
        }
        return try reply.inside(.variant, of: "b") { () throws(BusError) in try reply.boolean() }
      }
    }

    /// Opens an encrypted session. The API also offers unencrypted sessions, but these would show the secrets to every program that watches
    /// the session bus.
    func openSession() throws(SecretStoreError) -> SecretSession {
      let exchange = try deriving { () throws(CryptographyError) in try DiffieHellman() }
      let (peer, path): ([UInt8], String)
      do throws(BusError) { (peer, path) = try exchangeKeys(exchange.publicKey) } catch {
        if case .remote(BusErrorName.notSupported, _) = error { throw .noEncryption }
        throw SecretStoreError(error)
      }
      let key = try deriving { () throws(CryptographyError) in try exchange.sessionKey(with: peer) }
      guard let key else { throw .failed("its public key is invalid") }
      return SecretSession(path: path, key: key)
    }

    private func exchangeKeys(_ publicKey: [UInt8]) throws(BusError) -> (peer: [UInt8], path: String) {
      let reply = try call(root, "Service", "OpenSession") { message throws(BusError) in
        try message.append(SecretSession.encrypted)
        try message.append(.variant, of: "ay") { () throws(BusError) in try message.append(publicKey) }
      }
      let peer = try reply.inside(.variant, of: "ay") { () throws(BusError) in try reply.bytes() }
      return (peer, try reply.text(.path))
    }

    /// Returns an item's secret; `nil` if the item has been deleted in the meantime.
    func secret(of item: String, _ session: SecretSession) throws(SecretStoreError) -> Secret? {
      let (parameters, value): ([UInt8], [UInt8])
      do throws(BusError) {
        let reply = try call(item, "Item", "GetSecret") { message throws(BusError) in
          try message.append(session.path, as: .path)
        }
        (parameters, value) = try reply.inside(.structure, of: "oayays") { () throws(BusError) in
          _ = try reply.text(.path)
          let parts = (try reply.bytes(), try reply.bytes())
          try reply.skip("s")
          return parts
        }
      } catch {
        if case .remote(let name, _) = error, BusErrorName.missing.contains(name) { return nil }
        throw SecretStoreError(error)
      }
      return try deriving { () throws(CryptographyError) in try session.decoded(value, parameters: parameters) }
    }

    func createItem(
      _ secret: Secret, _ attributes: SecretAttributes, label: String, _ session: SecretSession
    ) throws(SecretStoreError) {
      let (parameters, value) = try deriving { () throws(CryptographyError) in try session.encoded(secret) }
      let prompt: String
      do throws(BusError) {
        let reply = try call(defaultCollection, "Collection", "CreateItem") { message throws(BusError) in
          try message.append(.array, of: "{sv}") { () throws(BusError) in
            try message.append(.entry, of: "sv") { () throws(BusError) in
              try message.append("org.freedesktop.Secret.Item.Label")
              try message.append(.variant, of: "s") { () throws(BusError) in try message.append(label) }
            }
            try message.append(.entry, of: "sv") { () throws(BusError) in
              try message.append("org.freedesktop.Secret.Item.Attributes")
              try message.append(.variant, of: "a{ss}") { () throws(BusError) in
                try message.append(attributes.values)
              }
            }
          }
          try message.append(.structure, of: "oayays") { () throws(BusError) in
            try message.append(session.path, as: .path)
            try message.append(parameters)
            try message.append(value)
            try message.append("text/plain")
          }
          try message.append(false)
        }
        _ = try reply.text(.path)
        prompt = try reply.text(.path)
      } catch {
        if case .remote(let name, _) = error, BusErrorName.missing.contains(name) { throw .noKeyring }
        throw SecretStoreError(error)
      }
      if prompt != "/" { throw .wantsPrompt }
    }

    func delete(_ item: String) throws(SecretStoreError) {
      let prompt: String
      do throws(BusError) { prompt = try call(item, "Item", "Delete").text(.path) } catch {
        if case .remote(let name, _) = error, BusErrorName.missing.contains(name) { return }
        throw SecretStoreError(error)
      }
      if prompt != "/" { throw .wantsPrompt }
    }

    /// Returns the program that owns the service's name on the bus. If several keyrings are installed, the keyring that started first owns
    /// the name.
    func providerName() throws(SecretStoreError) -> String {
      try translated { () throws(BusError) in
        let bus = "org.freedesktop.DBus"
        let reply = try self.bus.call(
          BusMethod(
            destination: bus, path: "/org/freedesktop/DBus", interface: bus, member: "GetConnectionUnixProcessID")
        ) { message throws(BusError) in try message.append(name) }
        let process = try reply.number()
        let program = (try? File.read("/proc/\(process)/comm", limit: 64))
          .map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
        return "\(program ?? "a program") (process \(process))"
      }
    }

    private func call(
      _ path: String, _ interface: String, _ member: String,
      _ write: (borrowing BusMessage) throws(BusError) -> Void = { _ in }
    ) throws(BusError) -> BusMessage {
      try bus.call(
        BusMethod(
          destination: name, path: path, interface: "org.freedesktop.Secret.\(interface)", member: member),
        startsPeer: startsProvider, write)
    }

    private func deriving<Value>(_ body: () throws(CryptographyError) -> Value) throws(SecretStoreError) -> Value {
      do throws(CryptographyError) { return try body() } catch { throw SecretStoreError(error) }
    }

    private func translated<Value>(_ body: () throws(BusError) -> Value) throws(SecretStoreError) -> Value {
      do throws(BusError) { return try body() } catch { throw SecretStoreError(error) }
    }
  }
}

/// D-Bus error names.
private enum BusErrorName {
  static let locked = "org.freedesktop.Secret.Error.IsLocked"
  static let notSupported = "org.freedesktop.DBus.Error.NotSupported"
  /// The errors that different keyrings use to report that an object does not exist.
  static let missing: Set<String> = [
    "org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject",
    "org.freedesktop.DBus.Error.UnknownMethod",
  ]
  static let silent: Set<String> = ["org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout"]
}

extension SecretStoreError {
  fileprivate init(_ error: BusError) {
    switch error {
    case .noLibrary(let reason): self = .noLibrary(reason)
    case .noBus(let reason): self = .noBus(reason)
    case .timedOut: self = .timedOut
    case .failed(let code): self = .failed(SystemError(call: "sd-bus", code: code).description)
    case .remote(BusErrorName.locked, _): self = .locked
    case .remote where error.isWithoutPeer: self = .noProvider
    case .remote(let name, _) where BusErrorName.silent.contains(name): self = .timedOut
    case .remote(let name, let message): self = .failed("\(name): \(message)")
    }
  }

  fileprivate init(_ error: CryptographyError) { self = .failed(error.description) }
}

internal import Bytes
internal import JSON
internal import Platform
package import Storage
package import Time

/// This program's registrations with one server, in `client.json`. They contain secrets and are protected like tokens.
///
/// Each redirect URI has its own registration. Registrations for other URIs are kept, because tokens were issued to them.
package struct ClientStore: ClientStorage {
  private static let schema: Int64 = 1
  private static let sizeLimit = 1 << 20

  private let files: ServerFiles

  package init(_ files: ServerFiles) { self.files = files }

  package func client(forRedirect redirect: String, allowing scopes: [String]) throws(StorageError) -> RegisteredClient?
  {
    try all().last { $0.serves(redirect: redirect, scopes) }
  }

  package func client(id: String) throws(StorageError) -> RegisteredClient? { try all().last { $0.identifier == id } }

  package func store(_ client: RegisteredClient) throws(StorageError) {
    try change { $0.filter { $0.identifier != client.identifier } + [client] }
  }

  package func forget(id: String, at now: Timestamp) throws(StorageError) {
    try change { $0.map { $0.identifier == id ? $0.forgotten(at: now) : $0 } }
  }

  package func removeForgotten(except ids: Set<String>) throws(StorageError) {
    try change { $0.filter { $0.forgottenAt == nil || ids.contains($0.identifier) } }
  }

  private func change(_ body: ([RegisteredClient]) -> [RegisteredClient]) throws(StorageError) {
    try ServerFiles.writing.withLock { _ throws(StorageError) in
      let former = try all()
      let new = body(former)
      if new != former { try write(new) }
    }
  }

  private func all() throws(StorageError) -> [RegisteredClient] {
    let bytes: [UInt8]
    do throws(PrivateFileError) { bytes = try TrustedFile.readPrivate(files.clients, limit: Self.sizeLimit) } catch {
      if case .system(let reason) = error, reason.isNoEntry { return [] }
      throw StorageError(.damaged, error.description)
    }
    do {
      return try Self.read(bytes, files.clients)
    } catch let error as StorageError {
      throw error
    } catch { throw Self.corrupt(files.clients) }
  }

  private func write(_ clients: [RegisteredClient]) throws(StorageError) {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", Self.schema)
      json.member("clients", list: clients) { json, client in
        json.object { json in
          json.member("redirect", client.redirect)
          json.member("client_id", client.identifier)
          client.secret.withExposedText { json.member("client_secret", $0) }
          json.member("registered_at", client.registeredAt.rfc3339)
          json.member("scopes", client.scopes?.joined(separator: " "))
          json.member("forgotten_at", client.forgottenAt?.rfc3339)
        }
      }
    }
    do throws(SystemError) {
      try Folder.create(files.folder)
      try AtomicFile.write(writer.bytes + [UInt8(ascii: "\n")], to: files.clients, .synced)
    } catch { throw StorageError(error) }
  }

  private static func corrupt(_ path: String) -> StorageError {
    StorageError(
      .damaged, "\(path): does not contain client registrations",
      hint: "Remove the file and log in again to register again")
  }

  private static func read(_ bytes: [UInt8], _ path: String) throws -> [RegisteredClient] {
    var schema: Int64 = 0
    var clients: [RegisteredClient] = []
    var cursor = JSONCursor(bytes, maximalDepth: 16)
    try cursor.members { json, name in
      switch name {
      case "schema": schema = try json.integer(in: 0...Int64.max)
      case "clients" where schema == Self.schema:
        try json.elements { json in
          var texts: [String: String] = [:]
          try json.members { json, name in
            if try json.peek() == .string { texts[name.text] = try json.string() } else { try json.skip() }
          }
          guard let redirect = texts["redirect"], let id = texts["client_id"], let secret = texts["client_secret"],
            let registeredAt = texts["registered_at"].flatMap({ Timestamp(rfc3339: $0) })
          else { throw corrupt(path) }
          clients.append(
            RegisteredClient(
              redirect: redirect, identifier: id, secret: Secret(secret), registeredAt: registeredAt,
              scopes: texts["scopes"]?.split(separator: " ").map { String($0) },
              forgottenAt: texts["forgotten_at"].flatMap { Timestamp(rfc3339: $0) }))
        }
      default: try json.skip()
      }
    }
    try cursor.end()
    if schema > Self.schema {
      throw StorageError(.newerVersion, "\(path): written by a newer homeline", hint: "Update homeline")
    }
    guard schema == Self.schema else { throw corrupt(path) }
    return clients
  }
}

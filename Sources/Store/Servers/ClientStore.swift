package import CivilTime
package import HomelineOAuth
internal import JSON
package import Platform

/// The registrations of this program at one server, in `client.json`: kept like secrets, since they are.
///
/// One for each redirect address. What was registered for another address stays, since tokens were given in its name.
package struct ClientStore: Sendable {
  private static let schema: Int64 = 1
  private static let sizeLimit = 1 << 20

  private let files: ServerFiles

  package init(_ files: ServerFiles) { self.files = files }

  /// Why registrations cannot be read.
  package enum Unusable: Error, CustomStringConvertible {
    case notPrivate(PrivateFileError)
    case newerSchema(String)
    case corrupt(String)

    package var description: String {
      switch self {
      case .notPrivate(let error): error.description
      case .newerSchema(let path): "\(path): written by a newer homeline. Update homeline"
      case .corrupt(let path): "\(path): no registrations. Remove it, and log in again to register anew"
      }
    }
  }

  package func client(forRedirect redirect: String) throws(Unusable) -> RegisteredClient? {
    try all().last { $0.redirect == redirect }
  }

  package func client(id: String) throws(Unusable) -> RegisteredClient? { try all().last { $0.identifier == id } }

  /// Keeps a registration; one for the same address with another id stays, for the tokens that it was used for.
  package func keep(_ client: RegisteredClient) throws {
    try change { $0.filter { $0.identifier != client.identifier } + [client] }
  }

  /// Forgets one that the server no longer knows.
  package func forget(id: String) throws { try change { $0.filter { $0.identifier != id } } }

  private func change(_ body: ([RegisteredClient]) -> [RegisteredClient]) throws {
    try ServerFiles.writing.withLock { _ in try write(body(try all())) }
  }

  private func all() throws(Unusable) -> [RegisteredClient] {
    let bytes: [UInt8]
    do throws(PrivateFileError) { bytes = try OwnFile.readPrivate(files.clients, limit: Self.sizeLimit) } catch {
      if case .system(let reason) = error, reason.isNoEntry { return [] }
      throw .notPrivate(error)
    }
    do {
      return try Self.read(bytes, files.clients)
    } catch let error as Unusable {
      throw error
    } catch { throw .corrupt(files.clients) }
  }

  private func write(_ clients: [RegisteredClient]) throws {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", Self.schema)
      json.member("clients", list: clients) { json, client in
        json.object { json in
          json.member("redirect", client.redirect)
          json.member("client_id", client.identifier)
          client.secret.withExposedText { json.member("client_secret", $0) }
          json.member("registered_at", client.registeredAt.rfc3339)
        }
      }
    }
    try Folder.create(files.folder)
    try AtomicFile.write(writer.bytes + [UInt8(ascii: "\n")], to: files.clients, .synced)
  }

  private static func read(_ bytes: [UInt8], _ path: String) throws -> [RegisteredClient] {
    var schema: Int64 = 0
    var clients: [RegisteredClient] = []
    var cursor = JSONCursor(bytes, maximalDepth: 16)
    try cursor.members { json, name in
      switch name {
      case "schema": schema = try json.integer()
      case "clients" where schema == Self.schema:
        try json.elements { json in
          var texts: [String: String] = [:]
          try json.members { json, name in
            if try json.peek() == .string { texts[name.text] = try json.string() } else { try json.skip() }
          }
          guard let redirect = texts["redirect"], let id = texts["client_id"], let secret = texts["client_secret"],
            let registeredAt = texts["registered_at"].flatMap({ Timestamp(rfc3339: $0) })
          else { throw Unusable.corrupt(path) }
          clients.append(
            RegisteredClient(
              redirect: redirect, identifier: id, secret: Secret(secret), registeredAt: registeredAt))
        }
      default: try json.skip()
      }
    }
    try cursor.end()
    if schema > Self.schema { throw Unusable.newerSchema(path) }
    guard schema == Self.schema else { throw Unusable.corrupt(path) }
    return clients
  }
}

/// Under which id this program is known at a server that it has registered itself with, for one redirect address.
package struct RegisteredClient: Sendable, Hashable {
  /// As it was registered, byte by byte.
  package let redirect: String
  package let identifier: String
  package let secret: Secret
  let registeredAt: Timestamp

  package init(redirect: String, identifier: String, secret: Secret, registeredAt: Timestamp) {
    self.redirect = redirect
    self.identifier = identifier
    self.secret = secret
    self.registeredAt = registeredAt
  }
}

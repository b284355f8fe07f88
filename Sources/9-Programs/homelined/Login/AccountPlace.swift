internal import Bytes
internal import Settings

/// The provider and server of an account.
struct AccountPlace {
  let provider: String
  /// The server, with the folder that contains its API, or its issuer; nil for a provider with its own servers.
  let server: RequestURL?

  /// Returns whether an account in the configuration has the same provider and server. Several servers can share a host, each in its own
  /// folder.
  func contains(_ account: AccountSettings) -> Bool {
    guard account.provider == provider, let server else { return account.provider == provider }
    if let issuer = account.issuer.flatMap({ try? RequestURL($0) }) {
      return issuer.folderAddress == server.folderAddress
    }
    let addresses = [account.server].compactMap(\.self) + account.endpoints.values
    if server.path == "/" { return addresses.contains { $0.origin == server.origin } }
    return addresses.contains { $0.text.hasPrefix(server.folderAddress + "/") }
  }
}

extension RequestURL {
  /// The address without a query and a trailing slash, so that paths can be appended.
  var folderAddress: String { baseStringURI.hasSuffix("/") ? String(baseStringURI.dropLast()) : baseStringURI }
}

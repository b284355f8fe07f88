internal import Bytes
internal import JSON
internal import Settings
internal import Timeline

/// An account to add, with the values that its file needs.
struct NewAccount {
  let provider: String
  /// The server, with the folder that contains its API; nil for a provider with its own servers.
  let server: RequestURL?
  /// The names to try for the account, the preferred one first.
  private let nameParts: [String]
  private var members: [(name: String, value: String)] = []
  private var endpoints: [(name: String, value: String)] = []
  var hasTimeline = true
  /// The formats that the account publishes; nil for those of `config.json`.
  var publish: [PublishedFormat]?

  private init(provider: String, server: RequestURL?, nameParts: [String]) {
    self.provider = provider
    self.server = server
    self.nameParts = nameParts
  }

  /// - Parameter software: the name of the server's program, which the name of an account on this machine is derived from.
  init(mastodon server: RequestURL, software: String?) {
    self.init(provider: "mastodon", server: server, nameParts: Self.nameParts(of: server, software ?? "mastodon"))
    members = [("server", server.isHTTPS ? server.authority : server.origin)]
  }

  /// - Parameter registration: the application's id and secret, by their keys.
  init(_ provider: String, registration: [(name: String, value: String)]) {
    self.init(provider: provider, server: nil, nameParts: [provider])
    members = registration
    hasTimeline = ProviderDefaults.known[provider]?.hasTimeline != false
  }

  init(gnuSocial server: RequestURL, registration: [(name: String, value: String)]) {
    self.init(provider: "twitter", server: server, nameParts: Self.nameParts(of: server, "gnusocial"))
    members = registration
    let api = "\(server.folderAddress)/api"
    endpoints = [
      ("request_token", "\(api)/oauth/request_token"), ("authorize", "\(api)/oauth/authorize"),
      ("access_token", "\(api)/oauth/access_token"),
      ("verify_credentials", "\(api)/account/verify_credentials.json"),
      ("home_timeline", "\(api)/statuses/home_timeline.json"),
    ]
  }

  init(oauth2 server: RequestURL, issuer: String, registration: [(name: String, value: String)]) {
    self.init(provider: "oauth2", server: server, nameParts: Self.nameParts(of: server, "oauth2"))
    members = [("issuer", issuer)] + registration
    hasTimeline = false
  }

  /// The text of the account's file.
  var json: [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("provider", provider)
      for (name, value) in members { json.member(name, value) }
      if let publish { json.member("publish", list: publish.map(\.rawValue)) { $0.string($1) } }
      guard !endpoints.isEmpty else { return }
      json.name("endpoints")
      json.object { json in for (name, value) in endpoints { json.member(name, value) } }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// Returns an unused account name: the user's name if possible, otherwise the name proposed without a user.
  func proposedName(of user: String, except used: Set<AccountName>) -> AccountName {
    if let name = AccountName(user.lowercased()), !used.contains(name) { return name }
    return proposedName(except: used)
  }

  var place: AccountPlace { AccountPlace(provider: provider, server: server) }

  /// Returns an unused account name: the server's name, with a number if necessary.
  func proposedName(except used: Set<AccountName>) -> AccountName {
    let names = nameParts.compactMap { AccountName($0) }
    if let free = names.first(where: { !used.contains($0) }) { return free }
    let base = names.first?.text ?? "account"
    for number in 2... {
      if let name = AccountName("\(base.prefix(58))-\(number)"), !used.contains(name) { return name }
    }
    preconditionFailure("there are more numbers than accounts")
  }

  /// Returns the first significant part of the host, then the whole host. Account names consist of ASCII, so the name of the server's
  /// program replaces a part with non-ASCII letters.
  private static func nameParts(of server: RequestURL, _ software: String) -> [String] {
    let host = server.host
    if server.isLoopback || host.hasPrefix("[") || host.allSatisfy({ $0 == "." || $0.isNumber }) {
      return [software.lowercased()]
    }
    let parts = host.split(separator: ".").map { String($0) }
    let first = parts.dropLast().first { !["www", "m", "web"].contains($0) }
    if host.contains("xn--") {
      return [first.flatMap { $0.hasPrefix("xn--") ? nil : $0 } ?? software.lowercased(), host]
    }
    return [first ?? host, host]
  }
}

internal import Commands
internal import HomelineOAuth
internal import JSON
internal import Platform
internal import Settings
internal import Timeline

/// An account to add, with the values that its file needs.
struct NewAccount {
  let provider: String
  /// The server; nil for a provider with servers of its own.
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

  /// - Parameter software: the name of the server's program, from which the name of an account on this machine is
  ///   derived.
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
    let api = "\(server.origin)/api"
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

  /// Returns the first significant part of the host, then the whole host.
  private static func nameParts(of server: RequestURL, _ software: String) -> [String] {
    let host = server.host
    if server.isLoopback || host.hasPrefix("[") || host.allSatisfy({ $0 == "." || $0.isNumber }) {
      return [software.lowercased()]
    }
    let parts = host.split(separator: ".").map { String($0) }
    let first = parts.dropLast().first { !["www", "m", "web"].contains($0) }
    return [first ?? host, host]
  }
}

/// Asks for the id and the secret of an application that the user has registered.
struct Registration {
  /// Whether the user can be asked.
  let asks: Bool
  let callback: CallbackSettings
  /// The server as the user typed it.
  let text: String

  /// Returns a new account at a provider, after asking for the application's keys.
  /// - Parameter name: a provider with servers of its own.
  func provider(_ name: String) throws(CommandError) -> NewAccount {
    let isSecretNeeded = ProviderDefaults.known[name]?.needsClientSecret == true
    let labels = name == "weibo" ? ("App key", "App secret") : ("Client ID", "Client secret")
    let members = try ask(
      Self.advice[name] ?? "\(name) needs an application of your own",
      id: ("client_id", labels.0),
      secret: ("client_secret", labels.1 + (isSecretNeeded ? "" : " (empty if there is none)")),
      isSecretNeeded: isSecretNeeded)
    return NewAccount(name, registration: members)
  }

  /// Where to register an application, by the provider.
  private static let advice = [
    "x": "X needs an application of your own, and charges for posts: https://console.x.com",
    "weibo": "Weibo needs an application of your own: https://open.weibo.com",
    "google":
      "Google needs a client of your own, of the type “Desktop app”: https://console.cloud.google.com/auth/clients",
    "microsoft":
      "Microsoft needs an application of your own, on the platform “Mobile and desktop applications”: https://entra.microsoft.com",
    "fastmail":
      "Fastmail needs a client of your own, which its staff registers: https://www.fastmail.com/for-developers/oauth/",
  ]

  func gnuSocial(_ server: RequestURL) throws(CommandError) -> NewAccount {
    NewAccount(
      gnuSocial: server,
      registration: try ask(
        "GNU social needs an application of your own: \(server.origin)/settings/oauthapps",
        id: ("consumer_key", "Consumer key"), secret: ("consumer_secret", "Consumer secret"), isSecretNeeded: true))
  }

  func oauth2(_ server: RequestURL, issuer: String) throws(CommandError) -> NewAccount {
    NewAccount(
      oauth2: server, issuer: issuer,
      registration: try ask(
        "\(server.authority) issues tokens, but has no timeline. It needs an application of your own",
        id: ("client_id", "Client ID"), secret: ("client_secret", "Client secret (empty if there is none)"),
        isSecretNeeded: false))
  }

  private func ask(
    _ advice: String, id: (key: String, label: String), secret: (key: String, label: String), isSecretNeeded: Bool
  ) throws(CommandError) -> [(name: String, value: String)] {
    let address = (try? callback.url(port: callback.port))?.text ?? "http://127.0.0.1 (any port)"
    guard asks else {
      throw CommandError(
        .configuration,
        "\(advice). Register one with the callback address \(address), then run homeline login \(text) in a terminal without --yes "
          + "and type its keys, or write the account yourself: man homeline-config")
    }
    Terminal.say("homeline: \(advice)")
    Terminal.say("homeline: register one with the callback address \(address), and type its keys here")
    do throws(SystemError) {
      guard let typed = try Terminal.ask("\(id.label): "), !typed.isEmpty else {
        throw SystemError(call: "read", code: 0, subject: id.label, finding: "no input; no account was added")
      }
      let hidden = try PassphrasePrompt.ask(secret.label) ?? []
      if hidden.isEmpty, isSecretNeeded {
        throw SystemError(
          call: "read", code: 0, subject: secret.label, finding: "no input; no account was added")
      }
      let value = String(decoding: hidden, as: UTF8.self)
      return [(id.key, typed)] + (hidden.isEmpty ? [] : [(secret.key, value)])
    } catch { throw CommandError(.usage, "\(error)") }
  }
}

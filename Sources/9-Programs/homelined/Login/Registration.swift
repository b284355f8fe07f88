internal import Bytes
internal import Commands
internal import Platform
internal import Settings

/// Asks for the id and the secret of an application that the user has registered.
struct Registration {
  /// Whether the user can be asked.
  let asks: Bool
  let callback: CallbackSettings
  /// The server as the user typed it.
  let text: String

  /// Returns a new account with a provider, after asking for the application's keys.
  /// - Parameter name: a provider with its own servers.
  func provider(_ name: String) throws(CommandError) -> NewAccount {
    let isSecretNeeded = ProviderDefaults.known[name]?.needsClientSecret == true
    let labels = name == "weibo" ? ("App key", "App secret") : ("Client ID", "Client secret")
    let members = try ask(
      Self.advice[name] ?? "\(name) needs your own application",
      id: ("client_id", labels.0),
      secret: ("client_secret", labels.1 + (isSecretNeeded ? "" : " (empty if there is none)")),
      isSecretNeeded: isSecretNeeded)
    return NewAccount(name, registration: members)
  }

  /// Where to register an application, by the provider.
  private static let advice = [
    "x": "X needs your own application and charges for posts: https://console.x.com",
    "weibo": "Weibo needs your own application: https://open.weibo.com",
    "google":
      "Google needs your own client, of the type “Desktop app”: https://console.cloud.google.com/auth/clients",
    "microsoft":
      "Microsoft needs your own application, on the platform “Mobile and desktop applications”: https://entra.microsoft.com",
    "fastmail":
      "Fastmail needs your own client, which its staff registers: https://www.fastmail.com/for-developers/oauth/",
  ]

  func gnuSocial(_ server: RequestURL) throws(CommandError) -> NewAccount {
    NewAccount(
      gnuSocial: server,
      registration: try ask(
        "GNU social needs your own application: \(server.folderAddress)/settings/oauthapps",
        id: ("consumer_key", "Consumer key"), secret: ("consumer_secret", "Consumer secret"), isSecretNeeded: true))
  }

  func oauth2(_ server: RequestURL, issuer: String) throws(CommandError) -> NewAccount {
    NewAccount(
      oauth2: server, issuer: issuer,
      registration: try ask(
        "\(DomainName.shown(server.authority)) issues tokens but does not provide a timeline. It needs your own application",
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
      guard let value = String(validating: hidden, as: UTF8.self) else {
        throw SystemError(
          call: "read", code: 0, subject: secret.label,
          finding: "not UTF-8, so no account was added; your terminal may use another encoding: see locale charmap")
      }
      return [(id.key, typed)] + (hidden.isEmpty ? [] : [(secret.key, value)])
    } catch { throw CommandError(.usage, "\(error)") }
  }
}

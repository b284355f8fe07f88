internal import HTTP
internal import JSON

/// Registers applications (`POST /api/v1/apps`).
enum MastodonApps {
  /// Registers an application.
  /// - Returns: the application, and the response.
  static func register(
    _ request: Request, _ flavour: MastodonFlavour, number: Int
  ) throws(MastodonError) -> (client: SandboxClient, response: Response) {
    let texts = try texts(of: request)
    func value(_ name: String) -> String? { texts.first { $0.name == name }?.value }
    guard let name = value("client_name"), !name.isEmpty else { throw .invalid("Name can't be blank") }
    let list = texts.filter { $0.name == "redirect_uris[]" }.map(\.value)
    // Before 4.3, several redirect URIs were sent as the lines of one string.
    let redirects = flavour == .mastodon && !list.isEmpty ? list : value("redirect_uris").map(lines) ?? []
    guard !redirects.isEmpty, redirects.allSatisfy(isAbsolute) else {
      throw .invalid("Redirect URI must be an absolute URI.")
    }
    if flavour == .oldMastodon, redirects.count > 1 { throw .invalid("Redirect URI must be one.") }
    let scopes = (value("scopes") ?? "read").split { $0 == " " || $0 == "+" }.map(String.init)
    let client = SandboxClient(
      identifier: RandomText.token(), secret: RandomText.token(), redirects: redirects, scopes: scopes, name: name)
    return (client, Response(json: json(client, website: value("website"), number, flavour)))
  }

  private static func texts(of request: Request) throws(MastodonError) -> [(name: String, value: String)] {
    do throws(RequestFormError) { return try RequestForm(body: request).texts } catch {
      throw .invalid(error.description)
    }
  }

  private static func lines(_ text: String) -> [String] { text.split(whereSeparator: \.isNewline).map(String.init) }

  private static func isAbsolute(_ address: String) -> Bool {
    guard let colon = address.firstIndex(of: ":") else { return false }
    return address[..<colon].contains(where: \.isLetter) && address.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  private static func json(
    _ client: SandboxClient, website: String?, _ number: Int, _ flavour: MastodonFlavour
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", String(number))
      writer.member("name", client.name)
      writer.member("website", website.flatMap { $0.isEmpty ? nil : $0 })
      if flavour == .mastodon {
        writer.member("scopes", list: client.scopes) { $0.string($1) }
        writer.member("redirect_uris", list: client.redirects) { $0.string($1) }
        writer.member("client_secret_expires_at", 0)
      }
      writer.member("redirect_uri", client.redirects.joined(separator: "\n"))
      writer.member("client_id", client.identifier)
      writer.member("client_secret", client.secret)
      if flavour != .snac { writer.member("vapid_key", "") }
    }
    return writer.bytes
  }
}

import TestSupport

/// The browser of a user at the provider's page.
extension PlainBrowser {
  /// Presses a button on the provider's page.
  /// - Returns: the provider's response.
  func press(_ action: String, at address: PlainAddress) throws -> TestClient.Answer {
    let token = address.query["oauth_token"] ?? ""
    let page = try get(address)
    guard page.status == 200, page.text.contains("value=\"\(token)\"") else {
      throw TestClient.Failure(description: "the provider shows no approval page: \(page.head)")
    }
    return try send(
      "POST", PlainAddress(address, target: address.path), fields: ["Content-Type: application/x-www-form-urlencoded"],
      body: "oauth_token=\(token)&action=\(action)")
  }

  /// Approves at the provider.
  /// - Returns: the redirect address with the verifier.
  func grant(at address: PlainAddress) throws -> PlainAddress { try redirect(of: press("allow", at: address)) }

  /// The address of a redirect.
  func redirect(of answer: TestClient.Answer) throws -> PlainAddress {
    guard answer.status == 302, let location = answer.field("Location") else {
      throw TestClient.Failure(description: "no redirect: \(answer.head)")
    }
    return try PlainAddress(location)
  }
}

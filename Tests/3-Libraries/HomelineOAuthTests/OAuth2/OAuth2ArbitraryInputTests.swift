import Bytes
import HomelineOAuth
import TestSupport
import Testing

/// Randomly altered input for all OAuth 2.0 parsers. The random numbers are the same in every run. No input may cause a crash, and values
/// that are accepted must be valid.
@Suite("Arbitrary OAuth 2.0 input")
struct OAuth2ArbitraryInputTests {
  static let seeds = [
    #"{"access_token":"A","token_type":"bearer","expires_in":7200,"scope":"a b","x":[1,{"y":null}]}"#,
    "access_token=A&expires_in=-1e3&token_type=bearer", "code=C&state=S&iss=https%3A%2F%2Fas.example",
    "http://127.0.0.1/cb?error=access_denied&state=S", "C-1&state=S",
    #"{"error":"invalid_grant","error_code":"21325","error_description":"\ud83d\ude00"}"#,
    #"{"issuer":"https://as.example","token_endpoint":"https://as.example/t","scopes_supported":["a"]}"#,
    #"{"device_code":"D","user_code":"W","verification_uri":"https://h/","expires_in":9,"interval":5}"#,
  ]

  @Test("altered OAuth 2.0 input never crashes a parser", arguments: 0..<8)
  func bent(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var taken = 0
    for _ in 0..<250 {
      var bytes = Array(Self.seeds[seed].utf8)
      for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(3), at: place)
        }
      }
      taken += readAll(bytes)
    }
    #expect(taken > 0)
  }

  @Test("no number in a token or device response ends the program, and lifetimes stay within ten years")
  func numbers() throws {
    let decade: ClosedRange<Int64> = 0...315_360_000
    let token =
      #"{"access_token":"A","token_type":"bearer","expires_in":7200,"refresh_token":"R","created_at":1795694400}"#
    for (change, bytes) in HostileNumbers.documents(from: Array(token.utf8)) {
      guard let token = try? AccessTokenResponse(OAuthResponse(status: 200, body: bytes)) else { continue }
      #expect(token.expiresIn.map { decade.contains($0) } ?? true, "\(change)")
      #expect(token.description.utf8.count < 200, "\(change)")
    }
    let device =
      #"{"device_code":"D","user_code":"W","verification_uri":"https://h/","expires_in":900,"interval":5}"#
    for (change, bytes) in HostileNumbers.documents(from: Array(device.utf8)) {
      guard let response = try? DeviceAuthorizationResponse(OAuthResponse(status: 200, body: bytes)) else { continue }
      var polling = DevicePolling(response)
      #expect(decade.contains(response.expiresIn) && polling.interval >= 1, "\(change)")
      for _ in 0..<10 {
        guard case .wait(let seconds) = polling.next(after: nil) else {
          Issue.record("\(change)")
          break
        }
        #expect(seconds > 0, "\(change)")
      }
      let slower = OAuth2EndpointError(status: 400, code: "slow_down")
      _ = polling.next(after: .failure(.refused(slower)))
    }
  }

  /// Returns the number of parsers that accepted the input.
  private func readAll(_ bytes: [UInt8]) -> Int {
    var taken = 0
    let response = OAuthResponse(status: 200, body: bytes)
    do throws(OAuth2ResponseError) {
      let response = try AccessTokenResponse(response)
      #expect(response.expiresIn.map { (0...315_360_000).contains($0) } ?? true)
      taken += 1
    } catch {
      #expect(error.description.count < 800)
      if case .refused = error { taken += 1 }
    }
    if let response = try? DeviceAuthorizationResponse(response) {
      #expect(response.verificationURI.hasPrefix("http"))
      taken += 1
    }
    if (try? ServerMetadata(response, issuer: "https://as.example")) != nil { taken += 1 }
    if case .granted(let state, let code, _) = AuthorizationResponse(query: bytes) {
      #expect(!state.isEmpty && !code.isEmpty)
      taken += 1
    }
    if PastedAuthorization(String(decoding: bytes, as: UTF8.self)) != .unrecognized { taken += 1 }
    return taken
  }
}

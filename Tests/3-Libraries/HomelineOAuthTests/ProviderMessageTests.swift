import Bytes
import HomelineOAuth
import Testing

/// How a provider's message is displayed.
@Suite("Provider messages") struct ProviderMessageTests {
  private func find(_ body: String, status: Int? = nil, hiding: Redaction = .nothing) -> OAuth.ProviderError? {
    OAuth.ProviderError(
      OAuthResponse(status: status, challenges: [], body: Array(body.utf8), hiding: hiding), expecting: "JSON")
  }

  @Test(
    "HTML character references in a message are decoded once, and other text is unchanged",
    arguments: [
      (#"Invalid &quot;oauth_verifier&quot; parameter"#, #"Invalid "oauth_verifier" parameter"#),
      ("It&#039;s late&#x2014;very", "It's late—very"),
      ("a &amp;lt; b & c &unknown; &#xZZ; &", "a &lt; b & c &unknown; &#xZZ; &"),
      ("bell&#7;&#27;[2Jend", "bell[2Jend"), ("line&#10;break&nbsp;here", "line break here"),
      ("&#0;&#xD800;", "&#0;&#xD800;"),
    ])
  func decoded(sent: String, shown: String) {
    for body in ["Error: \(sent)", #"{"error":"Error: \#(sent.replacing("\"", with: "\\\""))"}"#] {
      #expect(find(body, status: 401)?.message == "Error: \(shown)")
    }
    #expect(find("<hash><error>Error: \(sent)</error></hash>", status: 401)?.message == "Error: \(shown)")
  }

  @Test(
    "a secret escaped for HTML is not shown", arguments: ["k&<>\"'y-1234", "a&lt;b-12345", "plain-secret-1"])
  func hidden(secret: String) {
    let hiding = Redaction([Secret(secret)])
    let escaped = secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    let numbers = secret.unicodeScalars.map { "&#\($0.value);" }.joined()
    for form in [secret, escaped, numbers, escaped.replacing("\"", with: "&quot;").replacing("'", with: "&#39;")] {
      #expect(
        find("Error: bad \(form) here", status: 401, hiding: hiding)?.message == "Error: bad [secret] here", "\(form)")
    }
  }

  @Test("the message for a server error gives the status")
  func status() {
    #expect(find("Error: Over capacity", status: 503)?.description.contains("(status 503)") == true)
    #expect(
      find(#"{"errors":[{"code":131,"message":"Internal error"}]}"#, status: 500)?.description
        .contains("“Internal error” (code 131, status 500)") == true)
    #expect(find("<html></html>", status: 502)?.description.contains("an HTML page (status 502) where JSON") == true)
    #expect(find("Error: no", status: 401)?.description.contains("status") == false)
  }

  @Test(
    "a redirect in place of data is reported as a redirect, regardless of its body",
    arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) {
    for body in ["", "Found. Redirecting to http://portal.example/", "<html></html>", #"{"error":"moved"}"#] {
      let refusal = find(body, status: status)
      #expect(refusal?.content == .redirect)
      #expect(refusal?.description.contains("a redirect (status \(status)) where JSON was expected") == true)
    }
    #expect(find("", status: 304) == nil)
  }

  @Test("errors about the token endpoint and the metadata also mention what may be between client and server")
  func oauth2() {
    for (status, body) in [(302, ""), (200, "<!DOCTYPE html><html></html>")] {
      let response = OAuthResponse(status: status, challenges: [], body: Array(body.utf8))
      #expect { _ = try AccessTokenResponse(response) } throws: { "\($0)".contains("something in between") }
      #expect { _ = try ServerMetadata(response, issuer: "https://s.example") } throws: { "\($0)".contains("Wi-Fi") }
    }
    let down = OAuthResponse(status: 503, challenges: [], body: Array("<html></html>".utf8))
    #expect { _ = try AccessTokenResponse(down) } throws: { !"\($0)".contains("in between") }
  }
}

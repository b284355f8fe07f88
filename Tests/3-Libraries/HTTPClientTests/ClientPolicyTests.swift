import HTTPClient
import Testing

@Suite struct ClientPolicyTests {
  @Test("certificates and proxies are read from the environment, and empty values are ignored")
  func environment() {
    let policy = ClientPolicy(
      userAgent: "test",
      environment: [
        "CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "/ca.pem", "SSL_CERT_DIR": "/certs", "NO_PROXY": "a.example",
      ])
    #expect(policy.authorityFile == "/ca.pem")
    #expect(policy.authorityFolder == "/certs")
    #expect(policy.noProxy == "a.example")
    #expect(ClientPolicy(userAgent: "test", environment: [:]).authorityFile == nil)
  }
}

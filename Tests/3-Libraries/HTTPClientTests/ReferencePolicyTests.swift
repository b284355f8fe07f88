import Testing

@testable import HTTPClient

@Suite("The policy on references from one server to another") struct ReferencePolicyTests {
  private func address(_ text: String) throws -> NetworkAddress { try #require(NetworkAddress(host: text)) }

  /// Returns the policy after a connection to a server at this address, as attempts with one policy after another find it.
  private func policy(at host: String) throws -> ReferencePolicy {
    var policy = ReferencePolicy()
    var attempts = 1
    while policy.forNamedServer.objection(to: try address(host)) != nil {
      let goesOn = policy.noteForbidden(after: attempts)
      try #require(goesOn)
      attempts += 1
    }
    return policy
  }

  @Test(
    "a named server may be anywhere; its location limits where it may refer",
    arguments: [
      ("9.9.9.9", ["9.9.9.10"], ["10.9.8.7", "127.0.0.1", "::1", "fd00::1", "169.254.169.254"]),
      ("10.9.8.7", ["9.9.9.10", "192.168.1.1", "fd00::1"], ["127.0.0.1", "::1"]),
      ("127.0.0.1", ["9.9.9.10", "192.168.1.1", "127.0.0.2", "::1"], []),
    ])
  func places(named: String, allowed: [String], forbidden: [String]) throws {
    let policy = try policy(at: named)
    for host in allowed { #expect(policy.forOthers.objection(to: try address(host)) == nil, "\(host)") }
    for host in forbidden { #expect(policy.forOthers.objection(to: try address(host)) != nil, "\(host)") }
  }

  @Test("a name server that changes its answer between attempts does not make a public server private")
  func rebinding() throws {
    var policy = ReferencePolicy()
    // First, the name leads inwards; then it leads to the public server that answers.
    #expect(policy.forNamedServer.objection(to: try address("10.9.8.7")) != nil)
    let second = policy.noteForbidden(after: 1)
    #expect(policy.forNamedServer.objection(to: try address("9.9.9.9")) != nil)
    let third = policy.noteForbidden(after: 2)
    #expect(policy.forNamedServer.objection(to: try address("9.9.9.9")) != nil)
    let fourth = policy.noteForbidden(after: 3)
    #expect(second && third && !fourth)
  }
}

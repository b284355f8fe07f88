import Platform
import TestSupport
import Testing

@Suite("Malformed requests to the login listener") struct ListenerFuzzTests {
  @Test(
    "Thousands of mutated callbacks get an error or a closed connection, and none completes the login", arguments: 1...4
  )
  func bent(seed: Int) async throws {
    let abused = try await AbusedLogin()
    let callback = abused.callback
    // The login's own token with another last letter.
    let token = abused.token.dropLast() + (abused.token.hasSuffix("A") ? "B" : "A")
    let (statuses, wrong) = try await PlainBrowser.onThreadOfItsOwn {
      var mutations = CallbackMutations(
        seed: UInt64(seed), path: callback.path, token: String(token), authority: callback.authority)
      var statuses: [Int: Int] = [:]
      var wrong: [String] = []
      for _ in 0..<750 {
        let message = mutations.next()
        let connection = try TestClient(port: callback.port)
        // A server that refuses early also closes early; then sending fails, or a reset discards the response.
        try? connection.send(message)
        connection.endOutput()
        let answer = String(decoding: (try? connection.receiveToEnd()) ?? [], as: UTF8.self)
        connection.reset()
        let status = answer.isEmpty ? 0 : Int(answer.dropFirst(9).prefix(3)) ?? -1
        statuses[status, default: 0] += 1
        let isKnown = [0, 100, 400, 404, 405, 408, 413, 414, 417, 421, 429, 431, 501, 505].contains(status)
        if !isKnown || answer.contains("HTTP/1.1 303") {
          wrong.append("\(String(decoding: message, as: UTF8.self)) \(answer)")
        }
      }
      return (statuses, wrong)
    }
    #expect(wrong.isEmpty, "\(wrong)")
    // The mutations are small enough that every check of the parser is reached.
    for status in [0, 400, 421, 429] { #expect(statuses[status, default: 0] > 0, "\(statuses)") }
    try await abused.finish()
  }
}

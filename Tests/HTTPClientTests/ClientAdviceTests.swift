import CCurl
import Dispatch
import HTTP
@testable import HTTPClient
import TestSupport
import Testing

/// What a user is told to do about a connection that was not had.
@Suite("Advice on connections") struct ClientAdviceTests {
  private func failure(_ url: String, _ environment: [String: String] = [:]) async -> ClientError? {
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: environment))
    let result = await withCheckedContinuation { done in
      client.send(ClientRequest(method: .get, url: url), on: DispatchQueue(label: "answers")) {
        done.resume(returning: $0)
      }
    }
    if case .failure(let error) = result { return error }
    return nil
  }

  @Test("A server of plain HTTP where TLS was expected is told apart from a bad certificate")
  func plain() async throws {
    let server = try RawServer(listensFirst: false) { _ in [.text("HTTP/1.1 400 Bad Request\r\n\r\n")] }
    let error = try #require(await failure("https://127.0.0.1:\(server.port)/"))
    #expect(error.description.contains("does not speak TLS"), "\(error)")
    #expect(!error.description.contains("certificate"), "\(error)")
  }

  @Test("A name that does not resolve leads to the name and the name server")
  func name() async throws {
    let error = try #require(await failure("https://provider.invalid/"))
    #expect(error.description.contains("getent hosts NAME"), "\(error)")
  }

  @Test("A file of certificates that is missing is asked for by its variable, the system's by its package")
  func certificates() async throws {
    let server = try RawServer { _ in [] }
    let url = "https://127.0.0.1:\(server.port)/"
    let error = try #require(await failure(url, ["CURL_CA_BUNDLE": "/no/such/bundle"]))
    #expect(error.description.contains("Check the path in CURL_CA_BUNDLE"), "\(error)")
    // The system's own cannot be taken away from here; libcurl's code for it is the same.
    let advice = ClientAdvice.after(CURLE_SSL_CACERT_BADFILE, words: "", namesAuthorities: false)
    #expect(advice?.contains("install the package ca-certificates") == true)
  }
}

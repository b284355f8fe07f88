import CCurl
import Dispatch
import HTTP
import TestSupport
import Testing

@testable import HTTPClient

/// The advice that users get about failed connections.
@Suite("Advice on failed connections") struct ClientAdviceTests {
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

  @Test("advice on TLS errors distinguishes a plain HTTP server from a server with a bad certificate")
  func plain() async throws {
    let server = try RawServer(listensFirst: false) { _ in [.text("HTTP/1.1 400 Bad Request\r\n\r\n")] }
    let error = try #require(await failure("https://127.0.0.1:\(server.port)/"))
    #expect(error.description.contains("does not speak TLS"), "\(error)")
    #expect(!error.description.contains("certificate"), "\(error)")
  }

  @Test("the advice mentions the host name and DNS if the name does not resolve")
  func name() async throws {
    let error = try #require(await failure("https://provider.invalid/"))
    #expect(error.description.contains("getent hosts NAME"), "\(error)")
  }

  @Test("the advice mentions the variable or the package if CA certificates are missing")
  func certificates() async throws {
    let server = try RawServer { _ in [] }
    let url = "https://127.0.0.1:\(server.port)/"
    let error = try #require(await failure(url, ["CURL_CA_BUNDLE": "/no/such/bundle"]))
    #expect(error.description.contains("Check the path in CURL_CA_BUNDLE"), "\(error)")
    // The system's certificates cannot be removed here, so this test uses libcurl's error code directly.
    let advice = ClientAdvice.after(CURLE_SSL_CACERT_BADFILE, message: "", namesAuthorities: false)
    #expect(advice?.contains("install the package ca-certificates") == true)
  }
}

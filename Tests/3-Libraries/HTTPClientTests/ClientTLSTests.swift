import Dispatch
import Glibc
import HTTP
import HTTPClient
import TestSupport
import Testing

/// OpenSSL's test server on a free port, with a new certificate for one host.
private final class TLSServer {
  let folder = TemporaryFolder()
  let port: String
  private let program: ProgramRun

  init(host: String, days: Int = 1) async throws {
    let variables = ["PATH": "/usr/bin:/bin"]
    let key = "\(folder.path)/key.pem"
    let certificate = "\(folder.path)/certificate.pem"
    let made = try await ProgramRun.run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out",
        certificate, "-days", String(days), "-subj", "/CN=homeline test", "-addext", "subjectAltName=IP:\(host)",
      ], environment: variables)
    guard made.code == 0 else { throw ProgramFailed(message: made.error) }
    program = try ProgramRun(
      "/usr/bin/openssl",
      ["s_server", "-accept", "127.0.0.1:0", "-www", "-key", key, "-cert", certificate],
      environment: variables, input: .open, timeout: .seconds(240))
    guard let line = await program.line(containing: "ACCEPT"), let colon = line.lastIndex(of: ":") else {
      throw ProgramFailed(message: program.written(on: .error))
    }
    port = String(line[line.index(after: colon)...])
  }

  deinit { program.signal(15) }

  var certificate: String { "\(folder.path)/certificate.pem" }
}

private struct ProgramFailed: Error { let message: String }

@Suite struct ClientTLSTests {
  private static func ask(_ server: TLSServer, trusting file: String?) async -> Result<Response, ClientError> {
    let variables = file.map { ["CURL_CA_BUNDLE": $0] } ?? [:]
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: variables))
    return await withCheckedContinuation { done in
      client.send(
        ClientRequest(method: .get, url: "https://127.0.0.1:\(server.port)/"), on: DispatchQueue(label: "responses")
      ) { done.resume(returning: $0) }
    }
  }

  @Test("an unknown certificate is refused, and a certificate listed in CURL_CA_BUNDLE is accepted")
  func trust() async throws {
    let server = try await TLSServer(host: "127.0.0.1")
    guard case .failure(let error) = await Self.ask(server, trusting: nil) else {
      Issue.record("an unknown certificate was accepted")
      return
    }
    #expect(error.kind == .tls)
    #expect(error.description.contains("CURL_CA_BUNDLE"))
    #expect(try await Self.ask(server, trusting: server.certificate).get().status == .ok)
  }

  @Test("a trusted certificate for a different host is refused")
  func wrongHost() async throws {
    let server = try await TLSServer(host: "127.0.0.2")
    guard case .failure(let error) = await Self.ask(server, trusting: server.certificate) else {
      Issue.record("a certificate of another host was accepted")
      return
    }
    #expect(error.kind == .tls)
  }

  @Test("the keys of TLS connections are not written to the file that SSLKEYLOGFILE names")
  func keyLog() async {
    // libcurl reads the variable once in a process.
    await #expect(processExitsWith: .success) {
      let server = try await TLSServer(host: "127.0.0.1")
      let file = "\(server.folder.path)/keys"
      setenv("SSLKEYLOGFILE", file, 1)
      #expect(try await Self.ask(server, trusting: server.certificate).get().status == .ok)
      #expect(access(file, F_OK) != 0)
      #expect(getenv("SSLKEYLOGFILE").map { String(cString: $0) } == "")
    }
  }
}

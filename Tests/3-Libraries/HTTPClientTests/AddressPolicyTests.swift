import Dispatch
import Glibc
import HTTP
import Platform
import TestSupport
import Testing

@testable import HTTPClient

/// Requests to untrusted URLs. A local server counts the requests that arrive.
@Suite("The policy on addresses that requests may reach") struct AddressPolicyTests {
  private let connections = Locked(0)
  private let target: RawServer

  init() throws {
    let connections = connections
    target = try RawServer(listensFirst: false) { _ in
      connections.withLock { $0 += 1 }
      return [.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]
    }
  }

  private func ask(
    _ url: String, _ addressPolicy: AddressPolicy?, by client: Client? = nil, environment: [String: String] = [:]
  ) async -> Result<Response, ClientError> {
    let client = client ?? Client(policy: ClientPolicy(userAgent: "homeline-test", environment: environment))
    return await withCheckedContinuation { done in
      client.send(
        ClientRequest(method: .get, url: url, addressPolicy: addressPolicy), on: DispatchQueue(label: "responses")
      ) {
        done.resume(returning: $0)
      }
    }
  }

  private func expectForbidden(_ result: Result<Response, ClientError>) {
    guard case .failure(let error) = result else {
      Issue.record("the request was sent")
      return
    }
    #expect(error.kind == .forbidden && !error.wasSent, "\(error)")
  }

  @Test(
    "connections to this machine are blocked, however its address is written",
    arguments: [
      "127.0.0.1", "127.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.0.0.1.",
      "0.0.0.0", "0",
      "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]",
      "[2002:7f00:1::]",
      "localhost", "LocalHost", "localhost.", "pictures.localhost", "ip6-localhost",
    ])
  func spellings(host: String) async {
    for scheme in ["http", "https"] {
      expectForbidden(await ask("\(scheme)://\(host):\(target.port)/", AddressPolicy()))
    }
    #expect(connections.withLock { $0 } == 0)
  }

  @Test(
    "connections to this machine are allowed if there is no address policy",
    arguments: ["127.1", "2130706433", "[::ffff:127.0.0.1]", "localhost"])
  func control(host: String) async throws {
    _ = try await ask("http://\(host):\(target.port)/", nil).get()
    #expect(connections.withLock { $0 } == 1)
  }

  @Test(
    "connections to private networks are blocked",
    arguments: [
      "10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.1.1", "100.64.0.1", "100.127.0.1", "169.254.169.254",
      "3232235777",
      "0xc0a80101", "224.0.0.1", "255.255.255.255", "[fd00::1]", "[fc00::1]", "[fe80::1]", "[fec0::1]", "[ff02::1]",
      "[::ffff:192.168.1.1]", "[::ffff:0:10.0.0.1]", "[64:ff9b::a00:1]", "[64:ff9b:1::1]", "[2002:c0a8:101::1]",
      "[2001::1]",
    ])
  func privateNetworks(host: String) async {
    expectForbidden(await ask("https://\(host):\(target.port)/", AddressPolicy()))
    expectForbidden(await ask("https://\(host):\(target.port)/", AddressPolicy(loopback: true)))
  }

  @Test(
    "public addresses are allowed",
    arguments: [
      "1.1.1.1", "172.32.0.1", "100.128.0.1", "198.18.0.1", "2606:4700::1111", "64:ff9b::1.1.1.1", "2002:101:101::1",
    ])
  func global(address: String) throws {
    let parsed: NetworkAddress = try #require(NetworkAddress(host: address))
    #expect(AddressPolicy().objection(to: parsed) == nil)
  }

  /// A host name that resolves to this machine without DNS, such as the machine's own name.
  private static var nameOfThisMachine: String? {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, 255) == 0 else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var hints = addrinfo()
    hints.ai_family = AF_INET
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &found) == 0, let found else { return nil }
    defer { freeaddrinfo(found) }
    let raw = UnsafeRawBufferPointer(start: found.pointee.ai_addr, count: Int(found.pointee.ai_addrlen))
    return NetworkAddress(raw)?.scope == .loopback ? name : nil
  }

  @Test(
    "a host name is checked by its address, and unrestricted requests' connections are not reused",
    .enabled(if: nameOfThisMachine != nil, "the host name does not resolve to this machine"))
  func name() async throws {
    let url = "http://\(try #require(Self.nameOfThisMachine)):\(target.port)/"
    let kept = try PictureServer()
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    let keptURL = "http://\(try #require(Self.nameOfThisMachine)):\(kept.port)/"
    _ = try await ask(keptURL, nil, by: client).get()
    let asked = kept.requests.count
    expectForbidden(await ask(keptURL, AddressPolicy(), by: client))
    #expect(kept.requests.count == asked)
    expectForbidden(await ask(url, AddressPolicy(), by: client))
    #expect(connections.withLock { $0 } == 0)
    // A permitted request must not leave a connection that other requests could reuse.
    _ = try await ask(keptURL, AddressPolicy(loopback: true), by: client).get()
    expectForbidden(await ask(keptURL, AddressPolicy(), by: client))
    #expect(kept.requests.count == asked + 1)
  }

  @Test(
    "requests to an exempt host are allowed, and redirects from that host are checked",
    arguments: ["127.1", "localhost", "0.0.0.0"])
  func redirect(host: String) async throws {
    let location = try #require(FieldValue("http://\(host):\(target.port)/b.png"))
    let server = try PictureServer([.respond(Response(status: .found, headers: ["Location": location]))])
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    let outcome: Download.Outcome = await withCheckedContinuation { done in
      let queue = DispatchQueue(label: "downloads")
      queue.async { @Sendable in
        let kept = QueueConfined(Locked<Download?>(nil))
        let rules = DownloadRules(
          byteLimit: 1 << 20, accepts: "image/png", redirects: 3,
          addressPolicy: AddressPolicy(hosts: ["127.0.0.1:\(server.port)"]),
          allows: { _ in true })
        let download = Download(server.url, after: nil, rules, by: client, on: queue) { outcome in
          kept.value.withLock { $0 = nil }
          done.resume(returning: outcome)
        }
        kept.value.withLock { $0 = download }
      }
    }
    guard case .refused(let why) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(why.contains(":\(target.port) is not allowed"), "\(why)")
    #expect(server.requests.count == 1)
    #expect(connections.withLock { $0 } == 0)
  }

  @Test("behind a proxy, hosts are checked as they are written, and hosts that bypass the proxy are checked by address")
  func proxy() async throws {
    let heads = Locked<[String]>([])
    let proxy = try RawServer { request in
      heads.withLock { $0.append(request.head.split(separator: "\r\n").first.map(String.init) ?? "") }
      return [.text("HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n")]
    }
    let direct = Self.nameOfThisMachine ?? "localhost"
    let environment = ["https_proxy": proxy.base, "no_proxy": "example.net, \(direct)"]
    let hosts = [
      "127.1", "2130706433", "localhost.", "pictures.localhost", "router", "nas.local", "db.internal", "printer.lan",
      "192.168.1.1",
      "0xa000001", "[fd00::1]", "[::ffff:10.0.0.1]", "169.254.169.254", direct,
    ]
    for host in hosts {
      expectForbidden(await ask("https://\(host):\(target.port)/", AddressPolicy(), environment: environment))
    }
    #expect(heads.withLock { $0 } == [])
    #expect(connections.withLock { $0 } == 0)
    _ = await ask("https://pictures.example/a.png", AddressPolicy(), environment: environment)
    #expect(heads.withLock { $0 } == ["CONNECT pictures.example:443 HTTP/1.1"])
  }
}

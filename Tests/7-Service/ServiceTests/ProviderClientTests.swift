import Accounts
import Bytes
import Dispatch
import HTTP
import HTTPClient
import HomelineOAuth
import Platform
import Providers
import Testing
import Time

@Suite struct ProviderClientTests {
  @Test("large parts of files do not count towards the requests allowed per minute, but small ones do")
  func uploads() async throws {
    let queue = DispatchQueue(label: "homeline.test.uploads")
    let now = BootInstant.now
    let client = ProviderClient(
      client: Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:])), queue: queue, clock: .system,
      cap: RequestCap(clock: { now }), requestsPerMinute: 1, classify: { _ in nil }, hiding: { _ in .nothing },
      log: Log { _, _ in })
    let sender = QueueConfined(client)
    func isCapped(_ size: Int) async -> Bool {
      await withCheckedContinuation { done in
        queue.async {
          // No program is listening on this port, so a request that the client does not refuse cannot be sent either.
          var request = ClientRequest(method: .post, url: "http://127.0.0.1:1/", headers: HeaderFields())
          request.body = .streamed(StreamedBody([UInt8](repeating: 0, count: size)))
          sender.value.send(request) { result in
            guard case .failure(let failure) = result else { return done.resume(returning: false) }
            done.resume(returning: failure.message.contains("requests were sent within a minute"))
          }
        }
      }
    }
    for _ in 0..<3 { #expect(await isCapped(1 << 20) == false) }
    #expect(await isCapped(1000) == false)
    #expect(await isCapped(1000) == true)
    #expect(await isCapped(5_000_000) == false)
  }

  @Test("the signer of an account keeps no memory between its requests")
  func signer() throws {
    let signer = Signer(client: ClientCredentials(identifier: "ck", secret: Secret("cs")), token: .none)
    let request = ClientRequest(method: .get, url: "https://h/?q=1")
    let signed = try RequestAuthority.signer(signer).authorised(
      request, nonceTimestamp: NonceTimestamp(timestamp: 1_700_000_000, nonce: Nonce("n1")))
    #expect(signed.headers.first("Authorization") != nil)
    #expect(!signer.keepsMemory)
  }

  @Test("a request whose token HTTP does not allow in a header fails unsent, and is never sent without the token")
  func unsendableToken() async throws {
    let queue = DispatchQueue(label: "homeline.test.tokens")
    let client = ProviderClient(
      client: Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:])), queue: queue, clock: .system,
      cap: RequestCap(clock: { .now }), requestsPerMinute: 10, classify: { _ in nil }, hiding: { _ in .nothing },
      log: Log { _, _ in })
    let sender = QueueConfined(client)
    let failure: OperationError? = await withCheckedContinuation { done in
      queue.async {
        let request = ClientRequest(method: .get, url: "http://127.0.0.1:1/")
        sender.value.call {
          try RequestAuthority.bearer(Secret("s3cret\n"), .header).authorised(request, nonceTimestamp: $0)
        } completion: { result in
          if case .failure(let failure) = result {
            done.resume(returning: failure)
          } else {
            done.resume(returning: nil)
          }
        }
      }
    }
    #expect(failure?.kind == .configuration && failure?.wasSent == false)
    #expect(
      failure?.message == "the request cannot be signed: the header Authorization has a value that HTTP does not allow")
  }
}

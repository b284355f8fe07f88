internal import Benchmarking
internal import Dispatch
internal import Glibc
internal import HTTP
internal import HTTPClient
internal import Platform

/// `fetch URL CA` sends one request with the service's client and writes the body of the response to standard output.
enum FetchEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    let url = try arguments.next("URL")
    let authority = try arguments.next("CA")
    try arguments.end()
    let client = Client(policy: ClientPolicy(userAgent: "homeline-bench", environment: ["CURL_CA_BUNDLE": authority]))
    let came = DispatchSemaphore(value: 0)
    let result = Locked<Result<Response, ClientError>?>(nil)
    client.send(ClientRequest(method: .get, url: url), on: DispatchQueue(label: "homeline.bench")) { outcome in
      result.withLock { $0 = outcome }
      came.signal()
    }
    came.wait()
    guard let response = try result.withLock({ $0 })?.get() else { preconditionFailure("there is no outcome") }
    guard response.status == .ok else { throw BenchFailure.wrongResult("the status is \(response.status)") }
    // Standard output is not closed, because this program did not open it.
    try Descriptor(owning: dup(STDOUT_FILENO)).write(response.body)
  }
}

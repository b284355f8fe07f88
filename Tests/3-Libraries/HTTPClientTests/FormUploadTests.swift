import Dispatch
import HTTP
import HTTPClient
import HTTPTestServer
import Platform
import TestSupport
import Testing

@Suite struct FormUploadTests {
  private struct DiskFault: Error, CustomStringConvertible {
    let description = "the file changed while it was read"
  }

  /// Returns a form with a file of the given size, which fails to be read at an offset.
  private func form(size: Int, failingAt fault: Int = .max) -> MultipartForm {
    var generator = SeededGenerator(seed: 16)
    let file = MultipartForm.File(
      field: "file", name: RandomName.make(using: &generator), type: "image/png", size: size
    ) { offset, buffer in
      if offset >= fault { throw DiskFault() }
      let count = min(buffer.count, 10_007, fault - offset)
      for index in 0..<count { buffer[index] = UInt8(truncatingIfNeeded: (offset + index) &* 7) }
      return count
    }
    return MultipartForm(fields: [("description", "Grüße")], file: file, using: &generator)
  }

  private func send(
    _ form: MultipartForm, to server: TestServer, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> Result<Response, ClientError> {
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    var headers = HeaderFields()
    headers.append(.contentType, form.contentType)
    var request = ClientRequest(method: .post, url: "http://127.0.0.1:\(server.port)/echo", headers: headers)
    request.body = .streamed(StreamedBody(form, progress: progress))
    return await withCheckedContinuation { done in
      client.send(request, on: DispatchQueue(label: "answers")) { done.resume(returning: $0) }
    }
  }

  @Test(
    "a form is sent unchanged, and its progress is reported until all of it has been sent",
    arguments: [0, 1, 65_536, 1_000_000])
  func upload(size: Int) async throws {
    let server = try TestServer(limits: .sandbox)
    let form = form(size: size)
    var expected = [UInt8](repeating: 0, count: form.size)
    var done = 0
    while done < form.size {
      done += try expected.withUnsafeMutableBytes { try form.read(at: done, into: .init(rebasing: $0[done...])) }
    }
    let sent = Locked<[Int]>([])
    let response = try await send(form, to: server) { count in sent.withLock { $0.append(count) } }.get()
    #expect(response.body == expected)
    let counts = sent.withLock { $0 }
    #expect(counts.last == form.size && counts == counts.sorted())
    #expect(size < 1_000_000 || counts.count > 3)
  }

  @Test("a request fails with a local error if the file in its form can no longer be read")
  func failure() async throws {
    let server = try TestServer(limits: .sandbox)
    let result = try await send(form(size: 500_000, failingAt: 300_000), to: server)
    guard case .failure(let error) = result else {
      Issue.record("the request did not fail")
      return
    }
    #expect(error.kind == .local)
    #expect("\(error)" == "the file changed while it was read")
  }
}

internal import CivilTime
internal import HomelineOAuth
internal import Providers
internal import Publish
internal import Timeline

/// What libFuzzer calls with each input. The first byte chooses the status; the rest is the body of a provider's answer.
///
/// Held: nothing crashes, whatever a server answers to any question; a post that was read is published and read back the same;
/// and the entries of a page fall in order, each once.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProviderAnswer(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let choice = input.first, let provider = try? SandboxProvider(base: "http://127.0.0.1:1") else { return 0 }
  let status = [200, 200, 304, 401, 403, 429, 500][Int(choice) % 7]
  let body = Array(input.dropFirst())
  let answer = ProviderAnswer(status: status, body: body, receivedAt: Timestamp(seconds: 1_800_000_000)) { name in
    name == "date" ? "Fri, 15 Jan 2027 08:00:00 GMT" : nil
  }
  _ = provider.judge(answer)
  _ = try? provider.user(from: answer)
  _ = try? TokenResponse(Answer(status: status, body: body))
  _ = Callback(query: body)
  _ = PastedRedirect(String(decoding: body, as: UTF8.self))
  if case .page(let fetched)? = try? provider.page(from: answer, for: TimelineQuery(count: 200)) { judge(fetched.page) }
  return 0
}

private func judge(_ page: Page) {
  let keys = page.entries.map(\.key)
  guard keys == keys.sorted(by: >), Set(keys).count == keys.count else { fatalError("out of order") }
  for entry in page.entries {
    let written = PostJSON.bytes(entry.post)
    guard let read = try? PostJSON.read(written), PostJSON.bytes(read) == written else {
      fatalError("read back differently: \(String(decoding: written, as: UTF8.self))")
    }
  }
}

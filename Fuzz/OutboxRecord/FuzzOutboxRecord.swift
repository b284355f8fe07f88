internal import Posting
import StorageFiles
internal import StorageSQLite
internal import Time

/// The function that libFuzzer calls with each input. The input is a record of a post in the outbox.
///
/// The function takes the steps that the service takes with the post. It checks that no step traps, and that each new state can be read
/// again, because the service reads all records at each start.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOutboxRecord(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let id = IntentID("out-4k7m2p9xqk"), let intent = try? PostIntent(json: input, id: id) else { return 0 }
  expectReadable(intent)
  for now in [Timestamp(seconds: 1_795_694_400), Timestamp(milliseconds: 0), .latest] {
    _ = OutboxPlan.next(of: [intent], at: now)
    _ = OutboxPlan.outdated([intent], at: now)
    expectReadable(intent.restored(at: now))
    var generator = SystemRandomNumberGenerator()
    var retried = intent
    if retried.retry(at: now, using: &generator) { expectReadable(retried) }
    for result in [AttemptResult.unsent("a"), .postponed("b", until: nil), .withoutLogin("c"), .unanswered("d")] {
      var next = intent
      if next.isUnsent {
        next.postpone("later", at: now)
        next.begin(settling: .lookUp(knownBefore: nil), replyTo: nil, at: now)
      }
      guard case .sending = next.state else { continue }
      next.end(result, at: now, using: &generator)
      expectReadable(next)
    }
  }
  return 0
}

private func expectReadable(_ intent: PostIntent) {
  guard (try? PostIntent(json: intent.json, id: intent.id)) == intent else {
    fatalError("cannot be read after writing: \(String(decoding: intent.json, as: UTF8.self))")
  }
}

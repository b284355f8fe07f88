internal import Storage
internal import StorageSQLite

/// What libFuzzer calls with each input: a `token.json`.
///
/// Held: nothing crashes; a token that was read is written and read back the same; and why another is refused is said.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTokenFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(StoredToken.FormatError) {
    let token = try StoredToken(json: input)
    guard try StoredToken(json: token.json) == token else { fatalError("read back differently") }
  } catch {
    if case .corrupt(let reason) = error, reason.isEmpty { fatalError("refused without a word") }
  }
  return 0
}

internal import Storage
internal import StorageFiles

/// The function that libFuzzer calls with each input. The input is a `token.json`.
///
/// The function checks that reading the input does not crash, that a token survives writing and reading, and that the
/// error for a refused file contains a reason.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTokenFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(StoredToken.FormatError) {
    let token = try StoredToken(json: input)
    guard try StoredToken(json: token.json) == token else { fatalError("read differently after writing") }
  } catch {
    if case .corrupt(let reason) = error, reason.isEmpty { fatalError("rejected without a reason") }
  }
  return 0
}

internal import JSON
internal import Settings

/// The function that libFuzzer calls with each input: a `config.json`.
///
/// It checks that reading does not crash, that each problem of a rejected configuration has a message and a position
/// inside the text, and that the names of accounts and views in an accepted configuration are unique.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConfiguration(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(SettingsError) {
    let configuration = try Configuration(reading: input)
    let accounts = configuration.accounts.map(\.name.text)
    let views = configuration.views.map(\.name.text)
    guard Set(accounts).count == accounts.count, Set(views).count == views.count else {
      fatalError("a name is repeated")
    }
  } catch {
    guard !error.problems.isEmpty, !error.description.isEmpty else { fatalError("rejected without a message") }
    let lines = 1 + input.count { $0 == UInt8(ascii: "\n") }
    for problem in error.problems where !(1...lines).contains(problem.position.line) {
      fatalError("\(problem) is outside the text")
    }
  }
  return 0
}

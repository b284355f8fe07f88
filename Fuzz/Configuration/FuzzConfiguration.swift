internal import JSON
internal import Settings

/// What libFuzzer calls with each input: a `config.json`.
///
/// Held: nothing crashes; a configuration that is refused says why, at a place that is in the text; and one that is taken has accounts
/// and views whose names are unlike each other.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConfiguration(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(SettingsError) {
    let configuration = try Configuration(reading: input)
    let accounts = configuration.accounts.map(\.name.text)
    let views = configuration.views.map(\.name.text)
    guard Set(accounts).count == accounts.count, Set(views).count == views.count else { fatalError("a name twice") }
  } catch {
    guard !error.problems.isEmpty, !error.description.isEmpty else { fatalError("refused without a word") }
    let lines = 1 + input.count { $0 == UInt8(ascii: "\n") }
    for problem in error.problems where !(1...lines).contains(problem.position.line) {
      fatalError("\(problem) is beside the text")
    }
  }
  return 0
}

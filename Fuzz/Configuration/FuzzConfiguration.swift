internal import JSON
internal import Settings

/// The function that libFuzzer calls with each input. The input is a `config.json`, then the files of accounts in
/// `config.d`, separated by zero bytes.
///
/// The function checks that reading the input does not crash. Each problem of a refused configuration must have a
/// message and a position inside the text. The names of accounts and views in an accepted configuration must be unique.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConfiguration(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(SettingsError) {
    let files = input.split(separator: 0, omittingEmptySubsequences: false).map { ConfigurationText(Array($0)) }
    let accounts = files.dropFirst().enumerated().map { number, text in
      ConfigurationTexts.Account(name: "a\(number)", text)
    }
    let configuration = try Configuration(
      reading: ConfigurationTexts(main: files.first, accounts: accounts.isEmpty ? nil : accounts))
    let names = configuration.accounts.map(\.name.text)
    let views = configuration.views.map(\.name.text)
    guard Set(names).count == names.count, Set(views).count == views.count else {
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

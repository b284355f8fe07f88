internal import HTTP
internal import Web

/// The function that libFuzzer calls with each input: the target of a request to the web page.
///
/// The function checks that an accepted path is safe to look up, and that the address written from it leads to the same components and
/// values.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebPath(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let target = RequestTarget(String(decoding: input, as: UTF8.self)), let path = WebPath(target) else { return 0 }
  for component in path.components {
    // The components are text. Only `~1` makes a slash, which is in no file's name.
    guard !component.isEmpty, component != ".", component != "..",
      component.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
    else { fatalError("an unsafe component: \(path)") }
    guard
      !component.contains("/") || target.raw.contains("~1") || target.raw.contains("%7") || target.raw.contains("%31")
    else { fatalError("a slash from nowhere: \(path)") }
  }
  guard let address = read(path, target.query) else { return 0 }
  guard address.text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !address.text.hasPrefix("//"),
    let again = RequestTarget(address.text), WebPath(again) == path,
    read(path, again.query) == address
  else { fatalError("read differently after writing: \(address.text)") }
  return 0
}

private func read(_ path: WebPath, _ query: String?) -> WebAddress? {
  try? WebQuery(received: query).added(to: WebAddress(path))
}

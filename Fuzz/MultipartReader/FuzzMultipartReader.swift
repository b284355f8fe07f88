internal import HTTP

/// The function that libFuzzer calls with each input: the content of a form with the boundary `x`.
///
/// The function checks that the events do not depend on where the content is divided, that the limits hold, and that a form written again
/// from what was read is read as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMultipartReader(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  let whole = read([input[...]])
  let cut = (input.last.map { Int($0) } ?? 0) % (count + 1)
  guard read([input[..<cut], input[cut...]]) == whole, read(input.indices.map { input[$0...$0] }) == whole else {
    fatalError("the events depend on the pieces")
  }
  guard whole.parts.count <= limits.parts, whole.parts.allSatisfy({ $0.head.name.utf8.count <= limits.header }) else {
    fatalError("a limit does not hold")
  }
  // The header that is written may be longer than the one that was read.
  let wider = MultipartReader.Limits(parts: limits.parts, header: 4 * limits.header)
  if whole.error == nil, read([written(whole.parts)[...]], wider) != whole {
    fatalError("read differently after writing")
  }
  return 0
}

private let limits = MultipartReader.Limits(parts: 4, header: 128)

private struct Part: Equatable {
  var head: MultipartPart
  var content: [UInt8] = []
}

private struct Reading: Equatable {
  /// The parts, of which the last may be incomplete.
  var parts: [Part] = []
  var error: MultipartError?
}

private func read(_ pieces: [ArraySlice<UInt8>], _ limits: MultipartReader.Limits = limits) -> Reading {
  guard var reader = MultipartReader(contentType: "multipart/form-data; boundary=x", limits: limits) else {
    fatalError("the type is refused")
  }
  var reading = Reading()
  do throws(MultipartError) {
    for piece in pieces {
      reader.append(piece)
      events: while true {
        switch try reader.next() {
        case .incomplete, .end: break events
        case .part(let head): reading.parts.append(Part(head: head))
        case .content(let bytes): reading.parts[reading.parts.count - 1].content += bytes
        case .partEnd: break
        }
      }
    }
    try reader.finish()
  } catch {
    reading.error = error
    // How much of an incomplete part was passed on depends on the pieces.
    _ = reading.parts.popLast()
  }
  return reading
}

private func written(_ parts: [Part]) -> [UInt8] {
  var form: [UInt8] = []
  for part in parts {
    var header = "--x\r\nContent-Disposition: form-data; name=\"\(part.head.name)\""
    if let name = part.head.fileName { header += "; filename=\"\(name)\"" }
    if let type = part.head.type { header += "\r\nContent-Type: \(type)" }
    form += Array("\(header)\r\n\r\n".utf8) + part.content + Array("\r\n".utf8)
  }
  return form + Array("--x--\r\n".utf8)
}

import HTTP
import TestSupport
import Testing

/// Forms with files, as browsers send them (RFC 7578).
@Suite struct MultipartReaderTests {
  private static let type = "multipart/form-data; boundary=x-Y_1"

  /// What was read from a form: each part with its content, or the error that ended it.
  private struct Reading: Equatable {
    var parts: [MultipartPart] = []
    var contents: [String] = []
    var error: MultipartError?
  }

  private func read(
    _ pieces: [ArraySlice<UInt8>], limits: MultipartReader.Limits = MultipartReader.Limits(parts: 16, header: 200)
  ) throws -> Reading {
    var reader = try #require(MultipartReader(contentType: Self.type, limits: limits))
    var (reading, content) = (Reading(), [UInt8]())
    do throws(MultipartError) {
      for piece in pieces {
        reader.append(piece)
        reading: while true {
          switch try reader.next() {
          case .incomplete, .end: break reading
          case .part(let part):
            reading.parts.append(part)
            content = []
          case .content(let bytes): content += bytes
          case .partEnd: reading.contents.append(String(decoding: content, as: UTF8.self))
          }
        }
      }
      try reader.finish()
    } catch { reading.error = error }
    return reading
  }

  /// Reads a form, and checks that nothing depends on where its bytes are divided.
  private func read(
    _ text: String, limits: MultipartReader.Limits = MultipartReader.Limits(parts: 16, header: 200),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Reading {
    let bytes = Array(text.utf8)
    let whole = try read([bytes[...]], limits: limits)
    for cut in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 400)) {
      let parted = try read([bytes[..<cut], bytes[cut...]], limits: limits)
      #expect(parted == whole, "cut at \(cut)", sourceLocation: sourceLocation)
    }
    let bytewise = try read(bytes.indices.map { bytes[$0...$0] }, limits: limits)
    #expect(bytewise == whole, "byte by byte", sourceLocation: sourceLocation)
    return whole
  }

  private static let field = "--x-Y_1\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nhello\r\n"
  private static let end = "--x-Y_1--\r\n"

  @Test("fields and files are read with their names, types and exact content")
  func parts() throws {
    let file =
      "--x-Y_1\r\nContent-Disposition: form-data; name=\"file-1\"; filename=\"a; b=\\c%22.png\"\r\n"
      + "Content-Type: image/png\r\n\r\n"
      + "\r\n--x-Y_\r\n\r--x-Y_1\r\n--x\r\n\r\n"
    let none =
      "--x-Y_1\r\ncontent-disposition: form-data; name=\"f\"; filename=\"\"\r\nContent-Type: application/octet-stream\r\n\r\n\r\n"
    let reading = try read(Self.field + file + none + Self.end)
    #expect(reading.error == nil)
    #expect(
      reading.parts == [
        MultipartPart(name: "text"), MultipartPart(name: "file-1", fileName: "a; b=\\c%22.png", type: "image/png"),
        MultipartPart(name: "f", fileName: "", type: "application/octet-stream"),
      ])
    #expect(reading.contents == ["hello", "\r\n--x-Y_\r\n\r--x-Y_1\r\n--x\r\n", ""])
  }

  @Test("a form that homeline writes is read again")
  func written() throws {
    var generator = SeededGenerator(seed: 5)
    let file = MultipartForm.File(field: "f", name: "ü\"\n.png", type: "image/png", size: 3) { offset, buffer in
      buffer.copyBytes(from: [1, 2, 3][offset...].prefix(buffer.count))
      return min(3 - offset, buffer.count)
    }
    let form = MultipartForm(fields: [("a", "1")], file: file, using: &generator)
    var body = [UInt8](repeating: 0, count: form.size)
    var offset = 0
    while offset < form.size {
      offset += try body.withUnsafeMutableBytes {
        try form.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: $0[offset...]))
      }
    }
    let limits = MultipartReader.Limits(parts: 2, header: 200)
    var reader = try #require(MultipartReader(contentType: form.contentType.text, limits: limits))
    reader.append(body)
    var events: [MultipartReader.Event] = []
    while events.last != .end { events.append(try reader.next()) }
    #expect(
      events == [
        .part(MultipartPart(name: "a")), .content(Array("1".utf8)[...]), .partEnd,
        .part(MultipartPart(name: "f", fileName: "ü%22%0A.png", type: "image/png")), .content([1, 2, 3]), .partEnd,
        .end,
      ])
  }

  @Test(
    "what recipients could read differently is refused",
    arguments: [
      // Text before the first boundary, after the last, and after any boundary.
      ("text\r\n\(field)\(end)", MultipartError.noBoundary), ("\r\n\(field)\(end)", .noBoundary),
      (field + end + "more", .trailingBytes), ("\(field)--x-Y_1 \r\n", .noBoundary),
      ("\(field)--x-Y_1-", .incomplete),
      ("\(field)--x-Y_1\n\n", .noBoundary), ("\(field)--x-Y_1--x\r", .noBoundary),
      // The content lacks its own line break, so the empty line might belong to the boundary.
      ("--x-Y_1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\(end)", .noBoundary),
      // A form that ends early.
      ("", .incomplete), (field, .incomplete), (String(field.dropLast()), .incomplete),
      ("--x-Y_1\r\nContent-", .incomplete),
      (field + "--x-Y_1--", .incomplete),
    ])
  func ambiguous(form: String, error: MultipartError) throws { #expect(try read(form).error == error) }

  @Test(
    "a part whose header is malformed is refused",
    arguments: [
      "Content-Disposition: form-data", "Content-Disposition: form-data; name=a",
      "Content-Disposition: form-data; name=\"a",
      "Content-Disposition: form-data; name=\"a\"; name=\"b\"", "Content-Disposition: form-data;name=\"a\"",
      "Content-Disposition: attachment; name=\"a\"", "Content-Disposition: form-data; filename=\"a\"",
      "Content-Disposition: form-data; name=\"a\"; filename*=utf-8''a", "Content-Disposition: form-data; name=\"a\" ",
      "Content-Disposition: form-data; name=\"a\u{0}\"", "Content-Disposition: form-data; name=\"a\nb\"",
      "Content-Disposition: form-data; name=\"a\"; filename=\"b\rc\"", "Content-Type: text/plain", "name", "",
      "Content-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"b\"",
      "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: a/b\r\nContent-Type: c/d",
      "Content-Disposition: form-data; name=\"a\"\r\nContent-Transfer-Encoding: base64",
      "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: text",
      "Content-Disposition: form-data; name=\"a\"\r\n folded: x",
    ])
  func malformed(header: String) throws {
    let reading = try read("--x-Y_1\r\n\(header)\r\n\r\ncontent\r\n\(Self.end)")
    #expect(reading.error == .malformedHeader && reading.parts.isEmpty)
  }

  @Test("a header that is not UTF-8 is refused")
  func notUTF8() throws {
    let bytes = Array("--x-Y_1\r\nContent-Disposition: form-data; name=\"".utf8) + [0xff] + Array("\"\r\n\r\n".utf8)
    #expect(try read([bytes[...]]).error == .malformedHeader)
  }

  @Test("a header and a form of just the limit are read, and longer ones are refused before they are kept")
  func limits() throws {
    let header = "Content-Disposition: form-data; name=\"a\"; filename=\""
    for (count, error) in [(199, nil), (200, MultipartError.headerTooLong(limit: 200))] as [(Int, MultipartError?)] {
      let name = String(repeating: "n", count: count - header.utf8.count)
      #expect(try read("--x-Y_1\r\n\(header)\(name)\"\r\n\r\n\r\n\(Self.end)").error == error)
    }
    let parts = String(repeating: Self.field, count: 16)
    #expect(try read(parts + Self.end).parts.count == 16)
    let more = try read([Array((parts + Self.field + String(repeating: Self.field, count: 983) + Self.end).utf8)[...]])
    #expect(more.error == .tooManyParts(limit: 16) && more.contents.count == 16)
    #expect(try read("--x-Y_1\r\n" + String(repeating: "n", count: 65_536)).error == .headerTooLong(limit: 200))
  }

  @Test(
    "only multipart/form-data with the boundary of a browser is read",
    arguments: [
      "", "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"x\"",
      "multipart/mixed; boundary=x", "multipart/form-data; boundary=x y",
      "multipart/form-data; boundary=x; charset=utf-8",
      "application/x-www-form-urlencoded", "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
    ])
  func types(type: String) {
    #expect(MultipartReader(contentType: type, limits: MultipartReader.Limits(parts: 1, header: 1)) == nil)
  }
}

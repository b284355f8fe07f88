/// A form with text fields and one file, encoded as `multipart/form-data` (RFC 7578). The file is read while the body is sent.
@safe package struct MultipartForm: Sendable {
  /// The file in a form.
  @safe package struct File: Sendable {
    /// The field's name.
    let field: String
    /// The file's name, as sent to the server.
    let name: String
    /// The media type.
    let type: String
    /// The size in bytes.
    let size: Int
    let read: @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// - Parameter read: fills the buffer with the bytes at an offset and returns their number, at least one.
    package init(
      field: String, name: String, type: String, size: Int,
      read: @escaping @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int
    ) {
      self.field = field
      self.name = name
      self.type = type
      self.size = size
      unsafe self.read = read
    }
  }

  /// The value of `Content-Type`. The boundary is not quoted, because some servers do not remove quotes.
  package let contentType: FieldValue
  private let beginning: [UInt8]
  private let file: File
  private let end: [UInt8]

  /// - Parameter fields: names and values, sent before the file in this order.
  package init(
    fields: [(name: String, value: String)] = [], file: File,
    using generator: inout some RandomNumberGenerator
  ) {
    // A boundary with 128 random bits will not occur in the content by chance.
    let boundary = RandomName.make(using: &generator) + RandomName.make(using: &generator)
    contentType = FieldValue(multipartFormWith: boundary)
    var beginning = ""
    for (name, value) in fields {
      beginning += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(name))\"\r\n\r\n\(value)\r\n"
    }
    beginning += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(file.field))\"; "
    beginning += "filename=\"\(Self.escaped(file.name))\"\r\nContent-Type: \(file.type)\r\n\r\n"
    self.beginning = Array(beginning.utf8)
    self.file = file
    end = Array("\r\n--\(boundary)--\r\n".utf8)
  }

  /// The size of the body in bytes.
  package var size: Int { beginning.count + file.size + end.count }

  /// Fills a buffer with bytes of the body.
  /// - Returns: the number of bytes, which is at least one before the end of the body.
  /// - Throws: errors of the file's `read`.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    precondition(offset >= 0, "the offset is negative")
    let fileOffset = offset - beginning.count
    if fileOffset < 0 { return unsafe Self.copy(beginning, at: offset, into: buffer) }
    guard fileOffset < file.size else { return unsafe Self.copy(end, at: fileOffset - file.size, into: buffer) }
    let count = min(buffer.count, file.size - fileOffset)
    return unsafe try file.read(fileOffset, UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }

  private static func copy(_ bytes: [UInt8], at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let part = bytes.dropFirst(offset).prefix(buffer.count)
    unsafe buffer.copyBytes(from: part)
    return part.count
  }

  /// Returns a name for use inside quotes. Only quotes and line breaks are percent-encoded (HTML Standard, "multipart/form-data encoding").
  private static func escaped(_ name: String) -> String {
    var escaped = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      case "\"": escaped += "%22"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension FieldValue {
  /// Creates the media type of a form from its boundary of hexadecimal digits.
  fileprivate init(multipartFormWith boundary: String) {
    guard let value = FieldValue("multipart/form-data; boundary=\(boundary)") else {
      preconditionFailure("a boundary has digits and letters only")
    }
    self = value
  }
}

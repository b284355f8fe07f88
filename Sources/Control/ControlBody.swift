package import HTTP
internal import JSON
package import Platform

/// The content of a request: one JSON object in which every member must be known. None at all is an empty object.
enum ControlBody {
  /// - Parameter take: takes the value of the member of that name, or answers false, having taken nothing.
  static func read(
    _ body: [UInt8], _ take: (inout JSONCursor, JSONName) throws -> Bool
  ) throws(ControlRefusal) {
    guard !body.isEmpty else { return }
    var cursor = JSONCursor(body, maximalDepth: 4)
    do {
      try cursor.members { json, name in
        let place = json.position()
        do {
          guard try !take(&json, name) else { return }
        } catch let error as JSONError {
          throw ControlRefusal(.badRequest, "the content's member \(quoted(name.text)): \(error)")
        }
        throw ControlRefusal(.badRequest, "the content has an unknown member \(quoted(name.text)): \(place)")
      }
      try cursor.end()
    } catch let refusal as ControlRefusal {
      throw refusal
    } catch {
      throw ControlRefusal(.badRequest, "the content is not what is expected: \(error)")
    }
  }

  /// A name from outside, as JSON writes it: no control character gets through, and it has an end.
  private static func quoted(_ name: String) -> String {
    var writer = JSONWriter()
    writer.string(String(name.prefix(64)))
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// Escapes in a query (RFC 3986 §2.1).
enum PercentEncoding {
  /// Escapes all but the unreserved characters (RFC 3986 §2.3).
  static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Returns: nil for a broken escape.
  static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(value(ofDigit:)), let low = rest.popFirst().flatMap(value(ofDigit:))
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func value(ofDigit byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}

/// An answer of the owner that is not as this protocol has it.
package struct ControlFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was to be read, and what is wrong with it.
  package let description: String

  init(_ what: String, _ reason: String) { description = "\(what) cannot be understood: \(reason)" }
}

/// Why a request is not taken on: what its answer is instead of a document or a stream.
///
/// On the wire: `{"error":{"exit":64,"message":"…"}}`.
package struct ControlRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// 400 to 599.
  package let status: StatusCode
  /// The code with which a command ends that met it.
  package let exit: ExitCode
  /// What is wrong, and what to do next.
  package let message: String
  /// What may be asked instead (RFC 9110 §10.2.1); for 405 only.
  let allowed: RequestMethod?

  package init(_ status: StatusCode, exit: ExitCode = .usage, _ message: String, allowed: RequestMethod? = nil) {
    self.status = status
    self.exit = exit
    self.message = message
    self.allowed = allowed
  }

  package var description: String { message }

  /// The whole answer.
  package var response: Response {
    var writer = JSONWriter()
    writer.object { json in
      json.name("error")
      json.object { json in
        json.member("exit", exit.rawValue)
        json.member("message", message)
      }
    }
    var headers: HeaderFields = [.contentType: "application/json"]
    if let name = allowed?.name, let value = FieldValue(name) { headers.append("Allow", value) }
    return Response(status: status, headers: headers, body: writer.bytes + [UInt8(ascii: "\n")])
  }

  /// Reads an answer that is no success. One that is not ours is told by its status alone.
  package init(status: StatusCode, body: [UInt8]) {
    var exit: ExitCode?
    var message: String?
    var cursor = JSONCursor(body, maximalDepth: 8)
    try? cursor.members { json, name in
      guard name == "error" else {
        try json.skip()
        return
      }
      try json.members { json, name in
        switch name {
        case "exit": exit = Int32(exactly: try json.integer()).flatMap { ExitCode(rawValue: $0) }
        case "message": message = try json.string()
        default: try json.skip()
        }
      }
    }
    self.init(
      status, exit: exit ?? .software, message ?? "the owner of the state answers with \(status) and says nothing more")
  }
}

import Folders
import Platform
import TestSupport

/// A form of the page `/post`, as a browser sends it.
struct SentForm {
  static let type = "multipart/form-data; boundary=----geckoformboundary1"

  var fields: [(name: String, value: String)]
  var files: [(field: String, name: String, content: [UInt8])] = []

  /// A picture without metadata: a GIF of one pixel.
  static let picture: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

  /// - Parameter id: a digit, which the draft's id consists of.
  init(_ text: String, as id: Character = "1", action: String = "post", _ more: [(name: String, value: String)] = []) {
    fields =
      [
        ("draft", String(repeating: id, count: 32)), ("reply", ""), ("account", "bird"), ("text", text),
      ] + more + [("do", action)]
  }

  var content: [UInt8] {
    var content: [UInt8] = []
    for field in fields {
      content += Array("\(Self.head(field.name))\r\n\r\n\(field.value)\r\n".utf8)
    }
    for file in files {
      content += Array("\(Self.head(file.field)); filename=\"\(file.name)\"\r\nContent-Type: image/gif\r\n\r\n".utf8)
      content += file.content + Array("\r\n".utf8)
    }
    return content + Array("------geckoformboundary1--\r\n".utf8)
  }

  private static func head(_ name: String) -> String {
    "------geckoformboundary1\r\nContent-Disposition: form-data; name=\"\(name)\""
  }
}

extension WebFixture {
  /// Sends the content of a form.
  /// - Parameter cookie: the `Cookie` field; nil for a browser without a session.
  func send(
    _ content: [UInt8], _ cookie: String?, type: String = SentForm.type, origin: String? = nil, length: Int? = nil
  ) throws -> TestClient.Answer {
    let client = try TestClient(port: port)
    var lines = [
      "POST /post HTTP/1.1", "Host: 127.0.0.1:\(port)", "Origin: \(origin ?? "http://127.0.0.1:\(port)")",
      "Content-Type: \(type)", "Content-Length: \(length ?? content.count)",
    ]
    if let cookie { lines.append(cookie) }
    try client.send(Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + content)
    return try client.readResponse()
  }

  func send(_ form: SentForm, _ cookie: String?) throws -> TestClient.Answer { try send(form.content, cookie) }

  /// The paths of all files in the folder of drafts, below it.
  func draftFiles() throws -> [String] {
    guard File.exists(layout.draftFolder) else { return [] }
    return try Folder.names(in: layout.draftFolder).flatMap { name in
      try Folder.names(in: "\(layout.draftFolder)/\(name)").map { "\(name)/\($0)" }
    }
  }
}

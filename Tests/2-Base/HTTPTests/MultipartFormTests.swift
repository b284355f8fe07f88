import FoundationEssentials
import Glibc
import HTTP
import TestSupport
import Testing

@Suite struct MultipartFormTests {
  private struct ReadFault: Error {}

  /// Returns a form with a file of the given bytes, which are read in parts of at most 1000 bytes.
  private func form(_ content: [UInt8], fields: [(name: String, value: String)] = [], name: String = "a.png")
    -> MultipartForm
  {
    var generator = SeededGenerator(seed: 16)
    let file = MultipartForm.File(field: "file", name: name, type: "image/png", size: content.count) { offset, buffer in
      let part = content[offset...].prefix(min(buffer.count, 1000))
      buffer.copyBytes(from: part)
      return part.count
    }
    return MultipartForm(fields: fields, file: file, using: &generator)
  }

  private func body(of form: MultipartForm, partSize: Int = 65_536) throws -> [UInt8] {
    var body: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: partSize)
    while body.count < form.size {
      let count = try buffer.withUnsafeMutableBytes { try form.read(at: body.count, into: $0) }
      try #require(count > 0)
      body += buffer[..<count]
    }
    return body
  }

  @Test("a multipart form has the format defined in RFC 7578")
  func written() throws {
    let form = form([1, 2], fields: [("description", "a \"b\"\nc")], name: "x\"\r\n.png")
    let boundary = String(form.contentType.text.dropFirst("multipart/form-data; boundary=".count))
    #expect(boundary.utf8.count == 32 && boundary.allSatisfy(\.isHexDigit))
    let expected =
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\na \"b\"\nc\r\n"
      + "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x%22%0D%0A.png\"\r\nContent-Type: image/png\r\n\r\n"
      + "\u{1}\u{2}\r\n--\(boundary)--\r\n"
    #expect(try body(of: form) == Array(expected.utf8))
  }

  @Test("the bytes of a multipart form do not depend on the buffer size", arguments: [1, 7, 100, 4096])
  func parts(partSize: Int) throws {
    let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let form = form(content, fields: [("a", "b"), ("c", "")])
    let whole = try body(of: form)
    #expect(whole.count == form.size)
    #expect(try body(of: form, partSize: partSize) == whole)
    var rest = [UInt8](repeating: 0, count: 10)
    #expect(try rest.withUnsafeMutableBytes { try form.read(at: form.size, into: $0) } == 0)
  }

  @Test("an empty file still has its own part in the form")
  func empty() throws {
    let form = form([])
    #expect(String(decoding: try body(of: form), as: UTF8.self).contains("image/png\r\n\r\n\r\n--"))
  }

  @Test("reading a form's body fails if the file cannot be read")
  func failure() {
    var generator = SeededGenerator(seed: 16)
    let file = MultipartForm.File(field: "file", name: "a", type: "image/png", size: 5) { _, _ in throw ReadFault() }
    let form = MultipartForm(file: file, using: &generator)
    #expect(throws: ReadFault.self) { try body(of: form) }
  }

  @Test("each multipart form has a different boundary")
  func boundaries() {
    var generator = SeededGenerator(seed: 16)
    let file = MultipartForm.File(field: "file", name: "a", type: "image/png", size: 0) { _, _ in 0 }
    let boundaries = (0..<100).map { _ in MultipartForm(file: file, using: &generator).contentType }
    #expect(Set(boundaries).count == 100)
    let names = (0..<100).map { _ in RandomName.make(using: &generator) }
    #expect(Set(names).count == 100 && names.allSatisfy { $0.utf8.count == 16 && $0.allSatisfy(\.isHexDigit) })
  }

  private struct Reading: Decodable, Equatable {
    let fields: [[String]]
    let files: [[String]]
  }

  @Test(
    "Werkzeug and Python's email package read the same fields and file from a form",
    .enabled(if: getenv("HOMELINE_PEERS_PYTHON") != nil, "HOMELINE_PEERS_PYTHON is not set"))
  func peers() async throws {
    let python = String(cString: try #require(getenv("HOMELINE_PEERS_PYTHON")))
    let script = Repository.path("Tests/Peers/read_form.py")
    let folder = TemporaryFolder()
    let content = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) } + Array("\r\n--\r\n".utf8)
    let fields = [
      (name: "description", value: "Grüße & \"日本語\" = 100 %\r\n\r\n--end"), (name: "focus", value: "0.0,-1.0"),
    ]
    let form = form(content, fields: fields)
    let path = folder.path + "/body"
    try Data(body(of: form)).write(to: URL(filePath: path))
    let outcome = try await ProgramRun.run(
      python, [script, form.contentType.text, path],
      environment: ProgramRun.environment(home: folder.path, ["PYTHONDONTWRITEBYTECODE": "1"]))
    try #require(outcome.code == 0, "\(outcome.error)")
    let readings = try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(Reading.self, from: Data($0.utf8))
    }
    let sum = try await ProgramRun.run(
      python,
      [
        "-c",
        "import hashlib; print(hashlib.sha256(bytes(n * 31 % 256 for n in range(70000)) + b'\\r\\n--\\r\\n').hexdigest())",
      ],
      environment: ProgramRun.environment(home: folder.path)
    ).output
    let expected = Reading(
      fields: fields.map { [$0.name, $0.value] },
      files: [["file", "a.png", "image/png", String(sum.prefix(64))]])
    #expect(readings == [expected, expected])
  }
}

import HTTP
import Platform
import TestSupport
import Testing

@testable import HTTPServer
@testable import Web

/// What becomes of a form whose files are too large or cannot be stored.
@Suite("Forms without their files", .timeLimit(.minutes(2))) struct RefusedFormTests {
  /// A form with all fields, and two files that are too large.
  private static func form() -> SentForm {
    var form = SentForm(
      "Two\r\nlines <b>",
      [("kept-1", "1"), ("alt-2", "A film"), ("warning", "Loud"), ("language", "en"), ("at", "2999-12-24T18:00")])
    form.files = [("file-2", "film.mp4", [UInt8](repeating: 1, count: 100_000)), ("file-3", "b&w.mp4", [1, 2, 3])]
    return form
  }

  /// Sends the head of a request with a form, and the beginning of its content; then the rest in zeros.
  private func send(_ form: SentForm, _ fixture: WebFixture, _ cookie: String?) throws -> TestClient.Answer {
    let client = try TestClient(port: fixture.port)
    let content = form.content
    // The first file is longer than all files may be.
    let mark = Array("film.mp4\"\r\nContent-Type: image/gif\r\n\r\n".utf8)
    let start = try #require(content.indices.first { content[$0...].starts(with: mark) }) + mark.count
    let length = content.count + DraftFormReader.sizeLimit
    let head = [
      "POST /post HTTP/1.1", "Host: 127.0.0.1:\(fixture.port)", "Origin: http://127.0.0.1:\(fixture.port)",
      "Content-Type: \(SentForm.type)", "Content-Length: \(length)",
    ]
    try client.send((head + (cookie.map { [$0] } ?? []) + ["", ""]).joined(separator: "\r\n"))
    try client.send(Array(content[..<start]))
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<(DraftFormReader.sizeLimit >> 20) { try client.send(zeros) }
    try client.send(Array(content[start...]))
    return try client.readResponse()
  }

  @Test("A form that is too large comes back with everything typed and an error beside each file, and is a draft")
  func tooLarge() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    var first = SentForm("Begun", action: "add")
    first.files = [("file-1", "cat.gif", SentForm.picture)]
    #expect(try fixture.send(first, cookie).status == 303)
    let answer = try send(Self.form(), fixture, cookie)
    #expect(answer.status == 413, "\(answer.text)")
    for part in [
      "lines &lt;b&gt;</textarea>", "A film</textarea>", "value=\"Loud\"", "value=\"en\"", "value=\"2999-12-24T18:00\"",
      "name=\"kept-1\"", "film.mp4 (256.0 MiB) was not kept: all files together can have 256.0 MiB.",
      "b&amp;w.mp4 (3 B) was not kept", "audio/*\" aria-invalid=\"true\" aria-describedby=\"file-2-error\">",
      "id=\"file-2-error\"", "role=\"alert\"><p>The files are too large.",
    ] { #expect(answer.text.contains(part), "\(part)") }
    let kept = try fixture.send("/post?draft=\(String(repeating: "1", count: 32))", [cookie])
    #expect(kept.status == 200 && kept.text.contains("lines &lt;b&gt;</textarea>") && kept.text.contains("cat.gif"))
    #expect(fixture.service.requests.isEmpty)
  }

  @Test("Without a session, the text of a form that is too large is kept too")
  func withoutSession() throws {
    let fixture = try WebFixture()
    var form = RefusedForm(contentType: SentForm.type)
    _ = form.append(Self.form().content[...])
    let refusal = ContentRefusal(error: RequestError(.contentTooLarge, "too large"), extract: form)
    let target = try #require(RequestTarget("/post", of: .post))
    let request = try WebRequest(
      Request(method: .post, target: target, headers: [.contentType: "multipart/form-data"]), nil, refusal,
      at: try #require(WebPath(target)), [:],
      from: .init(session: nil, origin: .loopback(port: fixture.port), isNavigation: true, isOwn: true))
    let page = WritingPage(data: fixture.data, changes: fixture.service.changes, drafts: DraftStore(fixture.data))
    let advice = page.routes.compactMap(\.upload).first?.keep(request)
    #expect(advice == ["What you wrote is kept for a day, without the files: once you have entered, open “Write”."])
    let kept = try fixture.send("/post?draft=\(String(repeating: "1", count: 32))", [try fixture.enter()])
    #expect(kept.text.contains("lines &lt;b&gt;</textarea>") && kept.text.contains("value=\"Loud\""))
  }

  /// Bytes with beginnings of the form's boundary.
  private static func film() -> [UInt8] {
    let boundary = Array("\r\n------geckoformboundary1".utf8)
    return (0..<boundary.count).reduce([1]) { film, length in
      film + boundary[..<length] + [UInt8](repeating: 0, count: 97 * length)
    }
  }

  @Test(
    "The fields and the files of a form are found however its bytes arrive", arguments: [1, 7, 81, 100, 1000, 200_000])
  func pieces(size: Int) throws {
    var refused = RefusedForm(contentType: SentForm.type)
    var form = Self.form()
    form.files[0].content = Self.film()
    var rest = form.content[...]
    while !rest.isEmpty {
      let wantsMore = refused.append(rest.prefix(size))
      #expect(wantsMore)
      rest = rest.dropFirst(size)
    }
    #expect(refused.isComplete && refused.fields["warning"] == Array("Loud".utf8))
    #expect(refused.files.map(\.field) == ["file-2", "file-3"] && refused.files.map(\.size) == [Self.film().count, 3])
  }

  @Test("Only so much of a form is read, a long field is left out, and other content has no fields")
  func limits() throws {
    var short = RefusedForm(contentType: SentForm.type, limit: 1000)
    let wantsMore = short.append(Self.form().content[..<1000])
    #expect(
      !wantsMore && !short.isComplete && short.fields["text"] == Array("Two\r\nlines <b>".utf8)
        && short.fields["alt-2"] != nil)
    var long = RefusedForm(contentType: SentForm.type)
    let content = SentForm("Text", [("warning", String(repeating: "w", count: 65_537))]).content
    _ = long.append(content[...])
    #expect(long.isComplete)
    #expect(long.fields["text"] == Array("Text".utf8) && long.fields["warning"] == nil && long.fields["do"] != nil)
    var other = RefusedForm(contentType: "text/plain")
    _ = other.append(content[...])
    #expect(other.fields.isEmpty && !other.isComplete)
  }

  @Test("Fields that a form did not reach keep what its draft had")
  func incomplete() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    var first = SentForm("Begun", action: "add", [("warning", "Loud")])
    first.files = [("file-1", "cat.gif", SentForm.picture)]
    #expect(try fixture.send(first, cookie).status == 303)
    var form = RefusedForm(contentType: SentForm.type, limit: 600)
    _ = form.append(SentForm("Changed", [("alt-2", String(repeating: "x", count: 600))]).content[..<600])
    try #require(!form.isComplete && form.fields["text"] == Array("Changed".utf8))
    let refusal = ContentRefusal(error: RequestError(.contentTooLarge, "too large"), extract: form)
    let request = Request(method: .post, target: try #require(RequestTarget("/post", of: .post)))
    let id = try #require(DraftID(String(repeating: "1", count: 32)))
    let store = DraftStore(fixture.data)
    let page = WritingPage(data: fixture.data, changes: fixture.service.changes, drafts: store)
    let received = try page.store(WebContent(request, nil, refusal), in: id)
    #expect(received.status == .contentTooLarge && received.form.draft[.text] == "Changed")
    let draft = try #require(store.draft(id))
    #expect(draft[.text] == "Changed" && draft[.warning] == "Loud" && draft.files.map(\.name) == ["cat.gif"])
  }
}

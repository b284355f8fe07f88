import ControlProtocol
import Folders
import HTTP
import Platform
import TestSupport
import Testing
import Time

@testable import Web

/// The page `/post`: what becomes of a form.
@Suite("Writing a post", .timeLimit(.minutes(2))) struct WritingPageTests {
  private static let name = "web-\(String(repeating: "1", count: 32))"

  /// Makes the service publish posts.
  private static func publishing(_ fixture: WebFixture, _ state: OutboxEvent.State = .posted) {
    fixture.service.respond { request in
      guard let request = request as? SendPostRequest, !request.isDryRun else { return ScriptedChanges.Script() }
      return ScriptedChanges.Script(events: [
        OutboxEvent(
          account: "bird", id: request.id ?? "", state: state, text: request.text, createdAt: Timestamp(seconds: 0),
          postAt: nil, message: nil, post: "7", url: nil)
      ])
    }
  }

  /// Returns a page with an empty form.
  private static func page(_ fixture: WebFixture, _ cookie: String) throws -> String {
    let answer = try fixture.send("/post", [cookie])
    #expect(answer.status == 303)
    return try fixture.send(try #require(answer.field("Location")), [cookie]).text
  }

  private static func requests(_ fixture: WebFixture) -> [SendPostRequest] {
    fixture.service.requests.compactMap { $0 as? SendPostRequest }
  }

  @Test("A form becomes the request of `homeline post`, and the same form sent again shows the outcome of the first")
  func sent() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    Self.publishing(fixture)
    var form = SentForm(
      "One\r\ntwo <b>.",
      [
        ("warning", "Spoiler"), ("visibility", "unlisted"), ("language", "en"), ("at", "2999-12-24T18:00"),
        ("alt-2", " Grey \r\n"),
      ])
    form.files = [("file-1", "", []), ("file-2", "a \u{1F600}; b.gif", SentForm.picture)]
    let answer = try fixture.send(form, cookie)
    #expect(answer.status == 303, "\(answer.text)")
    #expect(answer.field("Location") == "/outbox?done=posted#out-h842h842h8")
    let request = try #require(Self.requests(fixture).first)
    #expect(request.text == "One\ntwo <b>." && request.account == "bird" && request.replyTo == nil)
    #expect(request.warning == "Spoiler" && request.visibility == "unlisted" && request.language == "en")
    #expect(LocalZone.system.date(at: try #require(request.postAt)).dayAndMinute == "2999-12-24 18:00")
    #expect(
      request.files == [
        SendPostRequest.File(path: "\(fixture.layout.draftFolder)/\(Self.name)/2", description: "Grey")
      ])
    #expect(!request.isConfirmed && !request.trustsServer && request.id == "out-h842h842h8")
    let path = request.files[0].path
    #expect(try File.read(path, limit: 1000) == SentForm.picture && FileStatus.of(path).permissions == 0o600)
    #expect(try FileStatus.of(try #require(Folder.parent(of: path))).permissions == 0o700)

    let again = try fixture.send(form, cookie)
    #expect(again.status == 303 && again.field("Location") == "/outbox?done=repeat#out-h842h842h8")
    form.fields[3].value = "Another text"
    let other = try fixture.send(form, cookie)
    #expect(other.status == 409 && other.text.contains("This text has not been sent"), "\(other.text)")
    #expect(other.text.contains("Another text</textarea>") && other.text.contains("name=\"kept-2\""))
    #expect(try Self.page(fixture, cookie).contains("Another text"))
    #expect(Self.requests(fixture).count == 1)
    #expect(try fixture.send("/post?draft=\(String(repeating: "1", count: 32))", [cookie]).status == 303)
  }

  @Test("Two forms with the same id at once yield one request, and both learn its outcome")
  func atOnce() async throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    Self.publishing(fixture, .queued)
    let form = SentForm("Twice.")
    let answers = Locked<[String?]>([])
    for _ in 0..<4 {
      OwnThread.start {
        let answer = try? fixture.send(form, cookie)
        answers.withLock { $0.append(answer?.field("Location")) }
      }
    }
    #expect(try await eventually { answers.withLock { $0.count } == 4 })
    let outcomes: Set = ["/outbox?done=waiting#out-h842h842h8", "/outbox?done=repeat#out-h842h842h8"]
    #expect(Set(answers.withLock { $0 }) == outcomes)
    #expect(Self.requests(fixture).count == 1)
  }

  @Test("A post that the service refuses comes back with everything typed and its files, and can be sent again")
  func refused() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    fixture.service.respond { request in
      let path = (request as? SendPostRequest)?.files.first?.path ?? ""
      return ScriptedChanges.Script(end: .end(EndEvent(exit: .badData, message: "bird: \(path): too large")))
    }
    var form = SentForm("</textarea>Hello", [("warning", "\"w\""), ("alt-1", "first"), ("alt-3", "kept too")])
    form.files = [("file-1", "cat.gif", SentForm.picture)]
    let answer = try fixture.send(form, cookie)
    #expect(answer.status == 422)
    #expect(answer.text.contains("cat.gif: too large."), "\(answer.text)")
    for part in ["&lt;/textarea&gt;Hello</textarea>", "&quot;w&quot;", "first</textarea>", "kept too</textarea>"] {
      #expect(answer.text.contains(part), "\(part)")
    }
    #expect(answer.text.contains("name=\"kept-1\"") && !answer.text.contains("name=\"kept-3\""))
    Self.publishing(fixture)
    let corrected = SentForm("Hello", [("kept-1", "1"), ("alt-1", "second")])
    #expect(try fixture.send(corrected, cookie).status == 303)
    #expect(Self.requests(fixture).last?.files.map(\.description) == ["second"])
  }

  @Test("Errors of fields are found before the service is asked, and are beside their fields")
  func errors() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    var form = SentForm(" ", [("visibility", "x"), ("language", "e_n"), ("at", "1999-12-24T18:00")])
    form.fields[2].value = "nobody"
    let answer = try fixture.send(form, cookie)
    #expect(answer.status == 422 && fixture.service.requests.isEmpty)
    for id in ["account-error", "text-error", "visibility-error", "language-error", "at-error"] {
      #expect(answer.text.contains("id=\"\(id)\"") && answer.text.contains("aria-describedby=\"\(id)"), "\(id)")
    }
    #expect(try fixture.draftFiles().isEmpty, "there is nothing to keep")
  }

  @Test("Files that cannot be sent are named beside their place, and leave nothing on the disk")
  func badFiles() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    Self.publishing(fixture)
    var form = SentForm("Files")
    form.files = [
      ("file-1", "notes.txt", Array("text".utf8)), ("file-2", "../a.gif", SentForm.picture),
      ("file-3", "empty.gif", []), ("file-4", "cut.gif", Array(SentForm.picture.dropLast(9))),
    ]
    let answer = try fixture.send(form, cookie)
    #expect(answer.status == 422 && fixture.service.requests.isEmpty)
    #expect(answer.text.contains("notes.txt: not a picture, video or sound that homeline knows."), "\(answer.text)")
    #expect(answer.text.contains("Its name contains a slash.") && answer.text.contains("The file is empty."))
    #expect(answer.text.contains("cut.gif: could not remove the metadata"))
    #expect(try fixture.draftFiles() == ["\(Self.name)/draft.json"])
  }

  @Test(
    "Content that is no such form is refused, and nothing is left on the disk",
    arguments: [
      ("\0", 400), (String(repeating: "n", count: 65_536), 400), ("parts", 400), ("open", 400), ("field", 413),
      ("type", 415), ("id", 415), ("slot", 400),
    ])
  func malformed(kind: String, status: Int) throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    var form = SentForm("Hello")
    var type = SentForm.type
    form.files = [("file-1", "a.gif", SentForm.picture)]
    switch kind {
    case "parts": form.fields += (0..<1000).map { ("field\($0)", "") }
    case "field": form.fields.append(("warning", String(repeating: "w", count: 65_537)))
    case "type": type = "multipart/form-data"
    case "id": form.fields[0].value = "../../../etc"
    case "slot": form.files.append(("file-9", "b.gif", SentForm.picture))
    case "open": break
    default: form.files.append(("file-2", kind, SentForm.picture))
    }
    let content = kind == "open" ? Array(form.content.dropLast(8)) : form.content
    let answer = try fixture.send(content, cookie, type: type)
    #expect(answer.status == status, "\(answer.text)")
    #expect(try fixture.draftFiles().isEmpty && fixture.service.requests.isEmpty)
  }

  @Test("A draft is removed when its day is over, although nobody opens a page")
  func ofYesterday() async throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    #expect(try fixture.send(SentForm("Begun", action: "add"), cookie).status == 303)
    #expect(try fixture.draftFiles() == ["\(Self.name)/draft.json"])
    fixture.pass(.seconds(86_401))
    #expect(try await eventually { try fixture.draftFiles().isEmpty && fixture.alarm.due == nil })
  }

  @Test("A post that takes longer than a page waits is not discarded, changed or sent twice, until it has ended")
  func underWay() async throws {
    let fixture = try WebFixture(patience: .milliseconds(10))
    let cookie = try fixture.enter()
    fixture.service.respond { request in
      request is SendPostRequest ? ScriptedChanges.Script(end: nil) : ScriptedChanges.Script()
    }
    var form = SentForm("Slow")
    form.files = [("file-1", "cat.gif", SentForm.picture)]
    let sending = "/outbox?done=sending#out-h842h842h8"
    #expect(try fixture.send(form, cookie).field("Location") == sending)
    let path = try #require(Self.requests(fixture).first?.files.first?.path)
    for action in ["discard", "remove-1", "post", "add"] {
      let answer = try fixture.send(SentForm("Slow", action: action), cookie)
      #expect(answer.status == 303 && answer.field("Location") == sending, "\(action): \(answer.text)")
    }
    let draft = "/post?draft=\(String(repeating: "1", count: 32))"
    #expect(try fixture.send(draft, [cookie]).field("Location") == sending)
    let origin = "Origin: http://127.0.0.1:\(fixture.port)"
    let fields = "draft=\(String(repeating: "1", count: 32))&do=discard"
    #expect(try fixture.send("/post", method: "POST", [cookie, origin], body: fields).field("Location") == sending)
    #expect(try fixture.send(form, nil).status == 403)
    #expect(try !Self.page(fixture, cookie).contains("Slow"))
    #expect(try File.read(path, limit: 1000) == SentForm.picture && Self.requests(fixture).count == 1)
    let other = try fixture.send(SentForm("Another text"), cookie)
    #expect(other.status == 409 && other.text.contains("Another text</textarea>"), "\(other.text)")

    fixture.service.endAll(.end(EndEvent(exit: .badData, message: "bird: not today")))
    #expect(try await eventually { try fixture.send(draft, [cookie]).status == 200 })
    let again = try fixture.send(SentForm("Slow", action: "discard", [("kept-1", "1")]), cookie)
    #expect(again.field("Location") == "/post" && !File.exists(path))
  }

  @Test("A form that is cut off leaves nothing")
  func cutOff() async throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    var form = SentForm("Cut off")
    form.files = [("file-1", "a.gif", [UInt8](repeating: 1, count: 200_000))]
    do {
      let client = try TestClient(port: fixture.port)
      let head = [
        "POST /post HTTP/1.1", "Host: 127.0.0.1:\(fixture.port)", "Origin: http://127.0.0.1:\(fixture.port)", cookie,
        "Content-Type: \(SentForm.type)", "Content-Length: \(form.content.count)", "", "",
      ]
      try client.send(Array(head.joined(separator: "\r\n").utf8) + form.content.prefix(150_000))
      #expect(try await eventually { File.exists(fixture.layout.draftFolder) }, "the server stores the beginning")
    }
    #expect(try Self.page(fixture, cookie).contains("<form class=\"write\""))
    #expect(try fixture.draftFiles().isEmpty && Folder.names(in: fixture.layout.draftFolder).isEmpty)
  }

  @Test("A form that breaks off after a file leaves the file that its draft had before")
  func broken() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    var form = SentForm("With a picture", action: "add")
    form.files = [("file-1", "a.gif", SentForm.picture)]
    #expect(try fixture.send(form, cookie).status == 303)
    let before = try fixture.draftFiles()
    form.files = [("file-1", "b.gif", [1, 2, 3])]
    #expect(try fixture.send(Array(form.content.dropLast(6)), cookie).status == 400)
    #expect(try fixture.draftFiles() == before)
    #expect(try File.read("\(fixture.layout.draftFolder)/\(Self.name)/1", limit: 1000) == SentForm.picture)
  }

  @Test("Nothing is kept of what arrives through a front server without a session, because it may name any origin")
  func frontServer() throws {
    let fixture = try WebFixture(origins: ["https://box.example"])
    var form = SentForm("From elsewhere")
    form.files = [("file-1", "a.gif", SentForm.picture)]
    let client = try TestClient(port: fixture.port)
    let head = [
      "POST /post HTTP/1.1", "Host: box.example", "Origin: https://box.example", "Content-Type: \(SentForm.type)",
      "Content-Length: \(form.content.count)", "", "",
    ]
    try client.send(Array(head.joined(separator: "\r\n").utf8) + form.content)
    let answer = try client.readResponse()
    #expect(answer.status == 403 && !answer.text.contains("is kept"), "\(answer.text)")
    #expect(!File.exists(fixture.layout.draftFolder))
  }

  @Test("What a browser without a session sends is kept, at most eight drafts for a day, and sent by nobody")
  func withoutSession() throws {
    let fixture = try WebFixture()
    Self.publishing(fixture)
    for digit in "123456789" {
      var form = SentForm("Draft \(digit)", as: digit)
      form.files = [("file-1", "a.gif", SentForm.picture)]
      let answer = try fixture.send(form, digit == "9" ? "Cookie: homeline-\(fixture.port)=1234" : nil)
      #expect(answer.status == 403 && answer.text.contains("What you wrote is kept for a day"), "\(answer.text)")
      fixture.now.withLock { $0 = $0 + .seconds(1) }
    }
    #expect(fixture.service.requests.isEmpty)
    #expect(try fixture.draftFiles().filter { $0.hasSuffix("/1") }.count == 8)
    let cookie = try fixture.enter()
    let page = try Self.page(fixture, cookie)
    #expect(page.contains("Draft 9") && page.contains("Draft 2") && !page.contains("Draft 1<"))
    let kept = try fixture.send("/post?draft=\(String(repeating: "9", count: 32))", [cookie]).text
    #expect(kept.contains("Draft 9</textarea>") && kept.contains("name=\"kept-1\""))
    fixture.now.withLock { $0 = $0 + .seconds(86_500) }
    #expect(!(try Self.page(fixture, cookie).contains("Draft")))
    #expect(try fixture.draftFiles().isEmpty)
  }

  @Test("A form from another origin is refused before its content is read, and nothing is kept")
  func otherOrigin() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    for origin in ["http://127.0.0.1:1", "null", "https://evil.example"] {
      let answer = try fixture.send(SentForm("Evil").content, cookie, origin: origin)
      #expect(answer.status == 403 && answer.text.contains("comes from another page"), "\(answer.text)")
      #expect(try fixture.send([], cookie, origin: origin, length: 1 << 20).status == 413)
    }
    #expect(!File.exists(fixture.layout.draftFolder) && fixture.service.requests.isEmpty)
  }

  @Test("A post that costs more than its account allows, or that needs trust, is sent once the user has agreed")
  func questions() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    fixture.service.respond { request in
      guard let request = request as? SendPostRequest else { return ScriptedChanges.Script() }
      let question: EndEvent.Question? =
        !request.isConfirmed ? .confirmCost : !request.trustsServer ? .trustServer : nil
      return ScriptedChanges.Script(
        end: .end(EndEvent(exit: .badData, message: "bird: no", question: question, cost: 20_000)))
    }
    let asked = try fixture.send(SentForm("https://a.example", [("visibility", "direct")]), cookie)
    #expect(asked.status == 200 && asked.text.contains("Post for 0.02 USD"), "\(asked.text)")
    let fields = "draft=\(String(repeating: "1", count: 32))&do=post"
    let origin = "Origin: http://127.0.0.1:\(fixture.port)"
    let second = try fixture.send("/post", method: "POST", [cookie, origin], body: "\(fields)&confirmed=1")
    #expect(second.status == 200 && second.text.contains("Post anyway"), "\(second.text)")
    #expect(Self.requests(fixture).last?.isConfirmed == true)
    #expect(second.text.contains("name=\"confirmed\"") && second.text.contains("name=\"trust\""))
    let third = try fixture.send("/post", method: "POST", [cookie, origin], body: "\(fields)&confirmed=1&trust=1")
    #expect(third.status == 422 && third.text.contains("https://a.example</textarea>"), "\(third.text)")
    #expect(Self.requests(fixture).map(\.visibility) == ["direct", "direct", "direct"])
  }

  @Test("The address of a form has its id, its account and the post that it answers, and is the same after Back")
  func address() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    let address = try #require(try fixture.send("/post?account=bird&reply=1%2F2", [cookie]).field("Location"))
    #expect(address.hasPrefix("/post?account=bird&reply=1%2F2&draft=") && address.utf8.count == 37 + 32)
    let page = try fixture.send(address, [cookie]).text
    #expect(page.contains("name=\"draft\" value=\"\(address.suffix(32))\"") && page.contains("<h1>Reply</h1>"))
    #expect(page.contains("name=\"reply\" value=\"1/2\"") && page.contains("<option value=\"bird\" selected>"))
    #expect(try fixture.send("/post?draft=x", [cookie]).status == 404)
  }

  @Test("The count is the service's own, and stores nothing")
  func count() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    fixture.service.respond { request in
      (request as? SendPostRequest)?.text == "short"
        ? ScriptedChanges.Script(events: [
          CheckedPostEvent(account: "bird", author: "@ann", length: 5, limit: 500, unit: "characters")
        ]) : ScriptedChanges.Script(end: .end(EndEvent(exit: .badData, message: "bird: the text is too long")))
    }
    func count(_ text: String) throws -> String {
      try fixture.send(
        "/post?part=count", method: "POST", [cookie, "Origin: http://127.0.0.1:\(fixture.port)"],
        body: "account=bird&text=\(text)"
      ).text
    }
    #expect(try count("short") == "<p id=\"count\" class=\"count\" role=\"status\">5 of 500 characters</p>\n")
    #expect(try count("longer") == "<p id=\"count\" class=\"count error\" role=\"status\">The text is too long.</p>\n")
    #expect(try count("+").contains("role=\"status\"></p>"))
    #expect(Self.requests(fixture).allSatisfy { $0.isDryRun && $0.id == nil })
    #expect(!File.exists(fixture.layout.draftFolder))
  }
}

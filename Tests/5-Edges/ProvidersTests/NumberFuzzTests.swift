import Formats
import HTTP
import HTTPClient
import HomelineOAuth
import Posting
import TestSupport
import Testing
import Time
import Timeline

@testable import Providers

/// Answers whose numbers are at and beyond the ends of every range. A trap ends the test process, so a test that ends at all shows that no
/// number is a trap.
@Suite("Hostile numbers from providers") struct NumberFuzzTests {
  private static let queries = [
    TimelineQuery(count: 200, time: Samples.now),
    TimelineQuery(
      older: PageCursor("2100000000000000000"), since: Samples.mark("1999999999999999999"), count: 5,
      etag: "1795694400123", time: Samples.now),
  ]

  private static let picture = PostMedia(
    path: "/p.png", fingerprint: "1:2:3:4", size: PostMedia.sizes.upperBound, type: "image/png", description: "a")
  private static let draft = PostDraft(
    text: String(repeating: "https://a.example/b ", count: 30), warning: "w", media: [picture, picture])

  @Test("no number in a response ends the program or yields huge text", arguments: NumberAnswers.all.indices)
  func answers(index: Int) throws {
    let answer = NumberAnswers.all[index]
    let documents = HostileNumbers.documents(from: Array(answer.body.utf8))
    try #require(documents.count >= HostileNumbers.values.count)
    for (change, bytes) in documents { try Self.read(bytes, answer.kind, answer.provider, "\(answer.name): \(change)") }
  }

  @Test("several hostile numbers in a response do not end the program")
  func combinations() throws {
    for seed in 0..<UInt64(HostileNumbers.rounds) {
      var generator = SeededGenerator(seed: seed)
      for answer in NumberAnswers.all {
        let bytes = HostileNumbers.document(from: Array(answer.body.utf8), using: &generator)
        try Self.read(bytes, answer.kind, answer.provider, "\(answer.name), seed \(seed)")
      }
    }
  }

  @Test("no number in a header ends the program, and each wait is at most a day")
  func headers() {
    let names = [
      "retry-after", "x-rate-limit-limit", "x-rate-limit-remaining", "x-rate-limit-reset", "x-ratelimit-limit",
      "x-ratelimit-remaining", "x-ratelimit-reset",
    ]
    for text in HostileNumbers.texts {
      for name in names {
        for status in [200, 429, 503] {
          var headers = [
            "x-rate-limit-remaining": "1", "x-rate-limit-reset": "60", "date": "Fri, 31 Dec 9999 23:59:59 GMT",
          ]
          headers[name] = text
          for date in [headers["date"], nil] {
            headers["date"] = date
            let response = Samples.respond("{}", status: status, headers: headers)
            #expect(response.limitEnd - Samples.now <= .seconds(86_400), "\(name): \(text)")
            guard let limit = response.rateLimit else { continue }
            #expect((0...1_000_000_000).contains(limit.remaining) && limit.reset - Samples.now <= .seconds(86_400))
            #expect(limit.limit.map { (0...1_000_000_000).contains($0) } ?? true)
          }
        }
      }
    }
    #expect(Samples.respond("", status: 429, headers: ["retry-after": "-5"]).retryAfter == nil)
    #expect(Samples.respond("", status: 429, headers: ["retry-after": "99999999999999999999"]).retryAfter != nil)
  }

  @Test("no stored entity tag of a drive's change feed ends the program")
  func entityTags() throws {
    let gokuai = NumberAnswers.gokuai
    for text in HostileNumbers.texts {
      let query = TimelineQuery(count: 100, etag: text, time: Samples.now)
      #expect(
        gokuai.pageRequest(for: query).parameters.first?.valueText.map { $0.utf8.count <= 15 } ?? false, "\(text)")
      _ = try gokuai.page(from: Samples.respond(NumberAnswers.driveChanges), for: query)
    }
  }

  /// Reads an answer, and uses what was read.
  private static func read(_ body: [UInt8], _ kind: NumberAnswers.Kind, _ provider: any Provider, _ what: String) throws
  {
    let response = ProviderResponse(status: 200, body: body, receivedAt: Samples.now, hiding: .nothing)
    let refusal = ProviderResponse(status: 429, body: body, receivedAt: Samples.now, hiding: .nothing)
    switch kind {
    case .page:
      for query in queries {
        if case .page(let fetched)? = try? provider.page(from: response, for: query) {
          try check(fetched, from: provider, query, what)
        }
      }
    case .upload, .instance:
      if let provider = provider as? any PostingProvider { check(provider, response, kind, what) }
    case .other:
      check("\(provider.classify(response).map { "\($0)" } ?? "")", what)
      check("\(provider.classify(refusal).map { "\($0)" } ?? "")", what)
      _ = try? provider.userStep(after: response)
    }
  }

  private static func check(
    _ fetched: PageResponse.Fetched, from provider: any Provider, _ query: TimelineQuery, _ what: String
  ) throws {
    for entry in fetched.page.entries {
      let written = PostJSON.bytes(entry.post)
      #expect(written.count < 1_000_000, "\(what)")
      // A post is read again from the archive, so its time must have a form there.
      #expect(try PostJSON.bytes(PostJSON.read(written)) == written, "\(what)")
      #expect(entry.post.createdAt.rfc3339.utf8.count == 20, "\(what)")
    }
    let next = TimelineQuery(count: query.count, etag: fetched.etag, time: Samples.now)
    _ = provider.pageRequest(for: next)
  }

  private static func check(
    _ provider: any PostingProvider, _ response: ProviderResponse, _ kind: NumberAnswers.Kind, _ what: String
  ) {
    if kind == .instance {
      guard let rules = try? provider.postingRules(from: response) else { return }
      check(rules.objection(to: draft) ?? "", what)
      #expect(rules.length(of: draft).map { $0.count <= 30 * 8_193 + 1 } ?? true, "\(what)")
      return
    }
    let media = MediaRules()
    for stage in [.missing, .partial(id: "1", sent: PostMedia.sizes.upperBound), .processing(id: "1")] as [MediaStage] {
      if case .reached(_, let pause, let life) = provider.mediaResult(from: response, for: picture, after: stage, media)
      {
        #expect(pause.map { $0 <= .seconds(3600) } ?? true, "\(what)")
        #expect((Samples.now + (life ?? .zero)).rfc3339.utf8.count == 20, "\(what)")
      }
    }
  }

  /// Expects that a message is short, and not a trap's.
  private static func check(_ message: String, _ what: String) {
    #expect(message.utf8.count < 10_000 && !message.contains("Fatal error"), "\(what)")
  }
}

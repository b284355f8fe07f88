import HomelineOAuth
import Bytes
import Drive
import Testing
import Time
import Timeline

@testable import Providers

/// Every kind of response, in place of every answer, for every provider.
@Suite struct ResponseMatrixTests {
  private static let providers: [any Provider] = [
    MastodonSamples.mastodon, Samples.twitter, Samples.other, Samples.x, WeiboSamples.weibo,
    try! ProviderRegistry.named("x", at: ProviderLocation(.oauth2))!,
    try! ProviderRegistry.named("oauth2", at: ProviderLocation(.oauth2, at: RequestURL("https://id.example")))!,
    try! ProviderRegistry.named("google", at: ProviderLocation(.oauth2))!,
    try! ProviderRegistry.named("sandbox", at: ProviderLocation(at: RequestURL("http://127.0.0.1:8080")))!,
  ]

  /// Meanings that make homeline ask again by itself and give nothing up.
  private static let passing: Set<Meaning> = [.later, .givenTime, .notRevoked, .checked]

  @Test(
    "a response that is not from the API means trying again later, regardless of the request",
    arguments: ReceivedResponse.between)
  func between(received: ReceivedResponse) {
    for provider in Self.providers {
      for asked in Asked.allCases {
        guard let meaning = provider.meaning(of: received, for: asked) else { continue }
        // A server that has problems, or sends a page with a success, may have published the post.
        let isOpen = asked == .post && (received.status == 200 || received.status >= 500)
        // A file that is too large for a proxy does not get smaller.
        if received.status == 413, asked == .upload {
          #expect(meaning == .refused, "\(provider.name)")
          continue
        }
        #expect(
          isOpen ? meaning == .unknown : Self.passing.contains(meaning),
          "\(provider.name), \(asked): \(meaning)")
      }
    }
  }

  @Test("a 401 without a reason proves nothing about a token, a post or a file", arguments: Asked.allCases)
  func emptyUnauthorized(asked: Asked) {
    for provider in Self.providers {
      guard let meaning = provider.meaning(of: .emptyUnauthorized, for: asked) else { continue }
      #expect(Self.passing.contains(meaning), "\(provider.name): \(meaning)")
    }
  }

  @Test("a 401 without a reason is confirmed only by another one, or by the API's own refusal")
  func confirmed() {
    for provider in Self.providers where provider.userRequest() != nil {
      guard case .needsLogin? = provider.confirmedRefusal(in: ReceivedResponse.emptyUnauthorized.response) else {
        Issue.record("\(provider.name) does not confirm an empty 401")
        continue
      }
      for received in ReceivedResponse.between + [.emptySuccess] {
        #expect(provider.confirmedRefusal(in: received.response) == nil, "\(provider.name), \(received.name)")
      }
    }
    let user = Samples.respond(#"{"id":"1","username":"robin","acct":"robin"}"#)
    #expect(MastodonSamples.mastodon.confirmedRefusal(in: user) == nil)
    guard case .needsLogin? = MastodonSamples.mastodon.confirmedRefusal(in: Samples.respond("", status: 422)) else {
      Issue.record("snac's answer to an unknown token is not known")
      return
    }
  }

  @Test("an empty success is a limit on Weibo, and a lost response elsewhere", arguments: Asked.allCases)
  func emptySuccess(asked: Asked) {
    for provider in Self.providers {
      guard let meaning = provider.meaning(of: .emptySuccess, for: asked) else { continue }
      let expected: Set<Meaning> =
        switch asked {
        case .post: [.unknown, .givenTime]
        // RFC 7009 §2.2: a confirmation need not have content.
        case .revocation: [.revoked, .notRevoked]
        default: [.later, .givenTime]
        }
      #expect(expected.contains(meaning), "\(provider.name): \(meaning)")
    }
  }

  @Test("a limit holds even if a proxy reports it, until the time that it names", arguments: Asked.allCases)
  func limit(asked: Asked) {
    for provider in Self.providers {
      guard let meaning = provider.meaning(of: .limit, for: asked) else { continue }
      #expect([.givenTime, .notRevoked, .later].contains(meaning), "\(provider.name): \(meaning)")
    }
    for provider in Self.providers {
      guard case .rateLimited(let message, let until)? = provider.classify(ReceivedResponse.limit.response) else {
        Issue.record("\(provider.name) does not report a limit")
        continue
      }
      #expect(
        until == Samples.now + .seconds(20) && message.contains("limits requests"), "\(provider.name): \(message)")
      let limit = provider.rateLimit(from: ReceivedResponse.limit.response)
      #expect(limit?.remaining == 0 && limit?.reset == until, "there are two readers of the same time")
    }
  }

  @Test("the message names the server, what came and the status, and gives no advice about keys or logins")
  func messages() {
    for provider in Self.providers where provider.hasTimeline {
      for received in ReceivedResponse.between + [.emptyUnauthorized] {
        guard case .transient(let message, _)? = provider.classify(received.response) else {
          Issue.record("\(provider.name), \(received.name): not transient")
          continue
        }
        #expect(message.contains(provider.serverName) && message.contains("status \(received.status)"), "\(message)")
        for advice in ["consumer", "Log in", "log in again", "endpoints", "client_id"] {
          #expect(!message.contains(advice), "\(message)")
        }
      }
    }
    let page = MastodonSamples.mastodon.classify(ReceivedResponse.between[3].response)?.message
    #expect(
      page == "social.example sent a web page (status 401) instead of data; something in between may be answering.")
  }

  @Test("each recorded response in a server's table is recognised as its own")
  func habits() {
    for habit in ServerHabit.mastodon {
      #expect(
        MastodonSamples.mastodon.origin(of: Samples.respond(habit.recorded, status: habit.status)) == .habit(habit))
    }
    for habit in ServerHabit.weibo {
      #expect(WeiboSamples.weibo.origin(of: Samples.respond(habit.recorded, status: habit.status)) == .habit(habit))
    }
    for body in ["<h1>404 Not Found (nginx/1.22)</h1>", "<html><h1>404 Not Found (snac/2.94)</h1></html>", ""] {
      #expect(
        MastodonSamples.mastodon.presence(of: PostID("1"), from: Samples.respond(body, status: 404)) == .unknown,
        "\(body)")
    }
  }

  @Test(
    "a drive's answer that is not its own JSON is temporary, regardless of its status",
    arguments: ReceivedResponse.between)
  func drive(received: ReceivedResponse) throws {
    let response = DriveResponse(status: received.status, body: Array(received.body.utf8), hiding: .nothing)
    let error = #expect(throws: DriveError.self) { try DriveListing(response) }
    #expect(error?.kind == .unavailable, "\(error.map { "\($0)" } ?? "none")")
  }

  @Test("the table in the documentation shows what the code does")
  func documentation() throws {
    let rows =
      ReceivedResponse.own + [.emptyUnauthorized] + ReceivedResponse.between.filter { $0.status != 200 }
      + [.limit, ReceivedResponse.between[0], .emptySuccess]
    var table = "| response | " + Asked.allCases.map(\.rawValue).joined(separator: " | ") + " |\n"
    table += "| --- |" + String(repeating: " --- |", count: Asked.allCases.count) + "\n"
    for row in rows {
      let cells = Asked.allCases.map { MastodonSamples.mastodon.meaning(of: row, for: $0)?.rawValue ?? "" }
      table += "| \(row.name) | " + cells.joined(separator: " | ") + " |\n"
    }
    let page = try Documentation.page("reference/responses.md")
    #expect(page.contains(table), "docs/reference/responses.md does not contain this table:\n\n\(table)")
  }
}

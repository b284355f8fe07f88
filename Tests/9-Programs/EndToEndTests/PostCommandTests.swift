import Glibc
import HTTP
import Platform
import Sandbox
import SandboxSupport
import Settings
import TestSupport
import Testing

/// `homeline post` and `homeline outbox` on Mastodon-compatible servers.
@Suite("`homeline post`", .timeLimit(.minutes(4))) struct PostCommandTests {
  @Test(
    "A post is published only once, appears in the files immediately, and is not duplicated by the next refresh",
    arguments: [true, false])
  func published(withService: Bool) async throws {
    let fixture = try await PostingHome()
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    let outcome = try await fixture.post("ann", "Hello @mia, see https://example.org/a #demo", "--language", "en")
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
    #expect(fixture.published == ["Hello @mia, see https://example.org/a #demo"])
    let newest = try #require(try fixture.home.published("ann")["posts"].items.first)
    #expect(
      newest["text"].text == "Hello @mia, see https://example.org/a #demo"
        && newest["url"].text.map { "\($0)\n" } == outcome.output)
    #expect(try await fixture.home.run("show", "--limit", "1").output.contains("Hello @mia"))
    #expect(try await fixture.home.run("refresh").code == 0)
    let own = try fixture.home.published("ann")["posts"].items.filter { $0["text"].text?.hasPrefix("Hello") == true }
    #expect(own.count == 1)
    #expect(try await fixture.outbox().contains(" posted \"Hello @mia"))
    if let daemon { #expect(await daemon.stop().outcome.code == 0) }
  }

  @Test(
    "If the response is lost, homeline sends the post again with the same idempotency key, and it is published only once",
    arguments: [SandboxFault.drop(worked: true), .drop(worked: false), .named(.serverError)],
    [MastodonFlavour.mastodon, .akkoma])
  func lostAnswer(fault: SandboxFault, flavour: MastodonFlavour) async throws {
    let fixture = try await PostingHome(flavour)
    fixture.fault(fault)
    let outcome = try await fixture.post("ann", "Sent again.")
    #expect(outcome.code == 0 && outcome.output.contains("http"), "\(outcome.error)")
    #expect(fixture.published == ["Sent again."])
  }

  @Test(
    "Without idempotency keys, homeline looks for a post whose response was lost, and does not send it again",
    arguments: [MastodonFlavour.goToSocial, .snac])
  func lookedFor(flavour: MastodonFlavour) async throws {
    let fixture = try await PostingHome(flavour)
    fixture.fault(.drop(worked: true))
    let found = try await fixture.post("ann", "Only once.")
    #expect(found.code == 0 && fixture.published == ["Only once."], "\(found.error)")

    fixture.fault(.drop(worked: false))
    let lost = try await fixture.post("ann", "Perhaps.")
    #expect(lost.code == 69 && lost.output == "" && lost.error.contains("may have been posted"), "\(lost.error)")
    #expect(try await fixture.outbox().contains(" unknown \"Perhaps.\""))

    let reply = try await fixture.post("ann", "A reply.", "--reply-to", try #require(try await fixture.unknownID()))
    #expect(reply.code == 0 && reply.error.contains("waits in the outbox"), "\(reply.error)")
    #expect(try await fixture.post("ann", "Another thread.").code == 0)
    #expect(fixture.published == ["Only once.", "Another thread."])
    let again = try await fixture.home.run("outbox", "--retry", try #require(try await fixture.unknownID()))
    #expect(again.code == 0, "\(again.error)")
    #expect(try await eventually { fixture.published == ["Only once.", "Another thread.", "Perhaps.", "A reply."] })
  }

  @Test("After Ctrl-C, a message reports that the post may still be sent", arguments: [true, false])
  func interrupted(withService: Bool) async throws {
    let isSent = Locked(false)
    let fixture = try await PostingHome { request in
      if request.method == .post, request.path == PostingHome.path { isSent.withLock { $0 = true } }
    }
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    fixture.fault(.stall(after: 20, for: .seconds(60)))
    let run = try fixture.home.start(["post", "ann", "Interrupted."])
    #expect(try await eventually { isSent.withLock { $0 } })
    kill(run.process, SIGINT)
    let note = "homeline: the post may still be sent; to list or discard it: homeline outbox"
    #expect(await run.line(containing: "homeline", on: .error) == note)
    let outcome = await run.end()
    #expect(outcome.code == 128 + SIGINT && outcome.output == "")
    #expect(try await fixture.outbox().contains("\"Interrupted.\""))
    await daemon?.stop()
  }

  @Test("A post is published only once even if the service is killed while the server processes it")
  func killed() async throws {
    let fixture = try await PostingHome()
    let daemon = try await RunningDaemon(fixture.home)
    fixture.fault(.delay(.seconds(60)))
    let command = try fixture.home.start(["post", "ann", "Survives."])
    #expect(try await eventually { fixture.published.count == 1 })
    await daemon.stop(SIGKILL)
    _ = await command.end()
    #expect(try await RunningDaemon(fixture.home).posts("Survives.", in: fixture.home))
    #expect(fixture.published == ["Survives."])
  }

  @Test("A post that the server would refuse or change is not published, and the command exits with 65")
  func refused() async throws {
    let fixture = try await PostingHome()
    let long = try await fixture.post("ann", String(repeating: "long ", count: 101))
    #expect(long.code == 65 && long.error.contains("505 of 500 characters; shorten it by 5"), "\(long.error)")
    #expect(try await fixture.outbox() == "", "the post is refused before it is stored")
    let missing = try await fixture.post("ann", "To nobody.", "--reply-to", "1")
    #expect(missing.code == 65, "\(missing.error)")
    #expect(missing.error.contains("the server does not have the post to reply to"), "\(missing.error)")
    #expect(missing.error.split(separator: "\n").count == 1, "the reason is printed only once: \(missing.error)")
    let snac = try await PostingHome(.snac)
    // snac would publish this as a separate post.
    let orphan = try await snac.post("ann", "To nobody.", "--reply-to", "1")
    #expect(
      orphan.code == 65 && orphan.error.contains("the server does not have the post to reply to"), "\(orphan.error)")
    let direct = try await snac.post("ann", "@mia psst", "--visibility", "direct")
    #expect(
      direct.code == 65 && direct.error.contains("\(snac.server.port) does not support the visibility direct"),
      "\(direct.error)")
    #expect(fixture.published == [] && snac.published == [])
  }

  @Test("If the server ignores the language of a post, homeline warns once, and the post counts as published")
  func ignoredLanguage() async throws {
    let fixture = try await PostingHome(.snac)
    let outcome = try await fixture.post("ann", "Guten Morgen.", "--language", "de", "--warning", "früh")
    #expect(outcome.code == 0 && fixture.published == ["Guten Morgen."])
    #expect(
      outcome.error == "homeline: ann: posted, but the language is en instead of de\n", "\(outcome.error)")
  }

  @Test("While the server's limits are unknown, a post is stored; once they are known, it is refused if it is too long")
  func unknownLimits() async throws {
    let fixture = try await PostingHome()
    fixture.server.withFaults { $0.add(.named(.serverError), to: "/api/v2/instance", times: 2) }
    let outcome = try await fixture.post("ann", String(repeating: "long ", count: 101))
    #expect(outcome.code == 65 && outcome.error.contains("505 of 500 characters"), "\(outcome.error)")
    #expect(try await fixture.outbox().contains(" refused "))
    #expect(fixture.published == [])
  }

  @Test("A rate-limited post waits in the outbox, the command exits with 75, and --discard removes the post")
  func waits() async throws {
    let fixture = try await PostingHome()
    fixture.fault(.named(.rateLimited))
    let outcome = try await fixture.post("ann", "Later.")
    #expect(
      outcome.code == 75 && outcome.output == "" && outcome.error.contains("waits in the outbox"), "\(outcome.error)")
    let id = try #require(outcome.error.split(separator: " ").first { $0.hasPrefix("out-") })
    let discarded = try await fixture.home.run("outbox", "--discard", String(id.prefix(14)))
    #expect(discarded.code == 0 && discarded.error.contains("was removed"), "\(discarded.error)")
    #expect(fixture.published == [])
    let list = try await fixture.home.run("outbox")
    #expect(
      list.code == 0 && list.output == "" && list.error.contains("there are no posts in the outbox"), "\(list.error)")
  }

  @Test(
    "Text from standard input is published without its final newline, with and without a service",
    arguments: [true, false])
  func standardInput(withService: Bool) async throws {
    let fixture = try await PostingHome()
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    let outcome = try await fixture.post("ann", "-", input: .text("two\nlines & more\n"))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(fixture.published == ["two\nlines & more"])
    if let daemon { await daemon.stop() }
  }

  @Test("--reply-to accepts the URL of a post in the timeline, and --dry-run sends nothing")
  func reply() async throws {
    let fixture = try await PostingHome()
    let url = try #require(try fixture.home.published("ann")["posts"].items[2]["url"].text)
    let dry = try await fixture.post("ann", "Indeed.", "--reply-to", url, "--dry-run")
    let checked = "ann: the post can be published as @mira_demo at http"
    #expect(dry.code == 0 && dry.output.hasPrefix(checked), "\(dry.error)")
    #expect(dry.output.hasSuffix(", 7 of 500 characters\n"), "\(dry.output)")
    #expect(fixture.published == [])
    let outcome = try await fixture.post(
      "ann", "Indeed.", "--reply-to", url, "--visibility", "unlisted", "--warning", "agreement")
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
    #expect(fixture.published == ["Indeed."])
    let newest = try #require(try fixture.home.published("ann")["posts"].items.first)
    #expect(newest["text"].text == "CW: agreement\n\nIndeed." && newest["in_reply_to"] != .null)
  }

  @Test("Posts can be deleted, reposted, liked and bookmarked by id or URL, and --undo reverses all but deletion")
  func actions() async throws {
    let fixture = try await PostingHome(scopes: "write")
    #expect(try await fixture.post("ann", "To be deleted.").code == 0)
    let own = try #require(try fixture.home.publishedIDs("ann").first)
    let items = try fixture.home.published("ann")["posts"].items
    let target = try #require(items.dropFirst().first { $0["reposted_by"] == .null })
    let (other, url) = (try #require(target["id"].text), try #require(target["url"].text))
    for (command, participle) in [("repost", "reposted"), ("like", "liked"), ("bookmark", "bookmarked")] {
      let outcome = try await fixture.home.run(command, url)
      #expect(outcome.code == 0 && outcome.output + outcome.error == "", "\(command): \(outcome.error)")
      let again = try await fixture.home.run(command, url)
      #expect(again.code == 0 && again.error == "homeline: ann: already \(participle)\n", "\(again.error)")
    }
    #expect(fixture.server.with { $0.actions } == ["bookmark \(other)", "favourite \(other)", "reblog \(other)"])
    let reposts = try fixture.home.published("ann")["posts"].items.filter {
      $0["reposted_by"]["screen_name"].text == "mira_demo"
    }
    #expect(reposts.count == 1)
    for command in ["repost", "like", "bookmark"] {
      #expect(try await fixture.home.run(command, other, "--undo", "--account", "ann").code == 0)
    }
    #expect(fixture.server.with { $0.actions } == [])
    let undone = try await fixture.home.run("repost", other, "--undo")
    #expect(undone.code == 0 && undone.error == "homeline: ann: not reposted, so there is nothing to undo\n")
    #expect(
      try !fixture.home.published("ann")["posts"].items.contains {
        $0["reposted_by"]["screen_name"].text == "mira_demo"
      })
    #expect(try await fixture.home.run("delete", own).code == 0)
    #expect(try fixture.published == [] && !fixture.home.publishedIDs("ann").contains(own))
    let again = try await fixture.home.run("delete", own)
    #expect(again.code == 65 && again.error.contains("has no post"), "\(again.error)")
  }
}

extension PostingHome {
  /// Returns the id of the post whose outcome is unknown.
  fileprivate func unknownID() async throws -> String? {
    let line = try await outbox().split(whereSeparator: \.isNewline).first { $0.contains(" unknown ") }
    return line?.split(separator: " ").dropFirst().first.map { String($0) }
  }
}

extension RunningDaemon {
  /// Waits until the outbox contains a published post with the given text, and then stops the service.
  fileprivate func posts(_ text: String, in home: TestInstallation) async throws -> Bool {
    let isPosted = try await eventually {
      try await home.run("outbox").output.contains(" posted \"\(text)\"")
    }
    await stop()
    return isPosted
  }
}

import Dispatch
import Glibc
import Platform
import PublishedFiles
import Settings
import Storage
import TestSupport
import Testing
import Timeline

@testable import Service

@Suite struct AnnouncerTests {
  private let folder = TemporaryFolder()
  private let log = LogRecorder()

  init() { signal(SIGPIPE, SIG_IGN) }

  private func announcer(patience: Duration = .seconds(20)) -> Announcer {
    Announcer(
      environment: ["PATH": "\(folder.path):/usr/bin:/bin", "OUT": "\(folder.path)/out"], log: log.log,
      patience: patience)
  }

  private func account(_ script: String?, notifies: Bool = false) -> AccountSettings {
    var account = AccountSettings(name: AccountName("bird")!, provider: "sandbox", credentials: .builtIn)
    account.onNewPosts = script.map { ["sh", "-c", $0] }
    account.notifies = notifies
    return account
  }

  private func posts(_ numbers: Int...) -> [KnownPost] {
    numbers.map { number in
      let id = PostID("\(number)")
      return KnownPost(
        mark: PostPosition(id: id, key: PostKey(decimal: id)!),
        json: Array(
          """
          {"id":"\(number)","created_at":"2026-11-20T12:00:00Z","author":{"id":"1","screen_name":"a","name":"A & <B>"},\
          "text":"post \(number)"}
          """.utf8))
    }
  }

  private func output() -> [String] {
    ((try? File.read("\(folder.path)/out", limit: 1_000_000)).map { String(decoding: $0, as: UTF8.self) } ?? "")
      .split(separator: "\n").map(String.init)
  }

  @Test(
    "the on_new_posts program gets new posts as input, oldest first, and the account's name in its environment"
  )
  func lines() async throws {
    let announcer = announcer()
    announcer.announce(posts(2, 1), of: account("{ echo $HOMELINE_ACCOUNT; cat; } >> $OUT"), in: .home, isFirst: true)
    #expect(try await eventually { output().count == 3 })
    let lines = output()
    #expect(lines.count == 3 && lines.first == "bird")
    #expect(lines.dropFirst().map { $0.contains("post 1") } == [true, false])
  }

  @Test("each timeline of an account has its own program and its own queue of posts")
  func timelines() async throws {
    let announcer = announcer()
    var account = account("{ echo $HOMELINE_TIMELINE; cat; } >> $OUT")
    let (list, mentions) = (try TimelineName("list:Friends"), try TimelineName("mentions"))
    account.ownTimelines = [.home, list, mentions].map(account.inherited)
    account.ownTimelines?[2].onNewPosts = nil
    for name in [.home, list, mentions] { announcer.announce(posts(1), of: account, in: name, isFirst: false) }
    #expect(try await eventually { output().count == 4 })
    announcer.end()
    #expect(output().filter { !$0.contains("post 1") } == ["home", "list:Friends"])
  }

  @Test("while the on_new_posts program runs, new posts are collected and passed to its next run in order")
  func order() async throws {
    let announcer = announcer()
    let slow = account("sleep 0.2; cat >> $OUT; echo - >> $OUT")
    for number in 1...20 { announcer.announce(posts(number), of: slow, in: .home, isFirst: false) }
    #expect(try await eventually { output().filter { $0 != "-" }.count == 20 && output().last == "-" })
    let ids = output().filter { $0 != "-" }.map { $0.dropFirst(7).prefix { $0 != "\"" } }
    #expect(ids == (1...20).map { "\($0)" })
    #expect(output().filter { $0 == "-" }.count < 20)
  }

  @Test("an on_new_posts program that runs too long is killed with all its children, and a message is logged")
  func hanging() async throws {
    let announcer = announcer(patience: .milliseconds(300))
    announcer.announce(posts(1), of: account("sleep 60 & echo $! > $OUT; sleep 60"), in: .home, isFirst: false)
    #expect(try await eventually { log.contains("took longer") })
    #expect(log.contains("bird: on_new_posts: sh took longer than 0 s and was terminated"))
    let process = output().first.flatMap { Int32($0) } ?? 0
    #expect(process > 0)
    #expect(try await eventually { kill(process, 0) != 0 || isZombie(process) })
  }

  private func isZombie(_ process: Int32) -> Bool {
    guard let stat = try? File.read("/proc/\(process)/stat", limit: 4096) else { return true }
    return String(decoding: stat, as: UTF8.self).split(separator: ")").last?.hasPrefix(" Z") ?? true
  }

  @Test(
    "an on_new_posts program that fails, ignores its input or does not exist is reported in the log",
    arguments: ["exit 3", "exec 0<&-; exit 4"])
  func failing(_ script: String) async throws {
    let announcer = announcer()
    announcer.announce(posts(Array(1...5000)), of: account(script), in: .home, isFirst: false)
    #expect(try await eventually { log.contains("exited with status") })
    #expect(log.contains("bird: on_new_posts: sh exited with status"))
    var missing = account(nil)
    missing.onNewPosts = ["no-such-program"]
    announcer.announce(posts(1), of: missing, in: .home, isFirst: false)
    #expect(try await eventually { log.contains("no-such-program") })
    #expect(log.contains("no-such-program"))
  }

  private func posts(_ numbers: [Int]) -> [KnownPost] { numbers.flatMap { posts($0) } }

  @Test("without a session bus, desktop notifications fail, and the reason is reported only once")
  func withoutBus() async throws {
    let announcer = announcer()
    for number in 1...3 {
      announcer.announce(posts(number), of: account(nil, notifies: true), in: .home, isFirst: false)
    }
    announcer.end()
    let reason = "bird: the desktop notification about new posts failed: the session bus cannot be reached"
    #expect(log.lines.count { $0.contains(reason) } == 1, "\(log.lines)")
  }
}

extension Announcer {
  /// Announces posts of a timeline with its settings in the account.
  fileprivate func announce(_ posts: [KnownPost], of account: AccountSettings, in name: TimelineName, isFirst: Bool) {
    announce(
      posts, in: TimelineKey(account: account.name, timeline: name), account[name], isFirst: isFirst)
  }
}

import Accounts
import Platform
import Settings
import Testing
import Time
import Timeline

@testable import Service

@Suite struct ServiceSummaryTests {
  private let bird = AccountName("bird")!
  private let fish = AccountName("fish")!

  private func configuration(_ names: [AccountName], isEnabled: Bool = true) -> Configuration {
    Configuration(
      accounts: names.map {
        AccountSettings(name: $0, provider: "sandbox", isEnabled: isEnabled, credentials: .builtIn)
      })
  }

  private func standing(_ trouble: String?) -> AccountSnapshot {
    AccountSnapshot(work: nil, due: nil, trouble: trouble)
  }

  @Test("the summary contains the number of accounts, the number with problems, and the first problem")
  func lines() {
    let both = configuration([bird, fish])
    #expect(ServiceSummary.line(configuration([]), [:]) == "no account is enabled")
    #expect(ServiceSummary.line(configuration([bird], isEnabled: false), [:]) == "no account is enabled")
    #expect(ServiceSummary.line(configuration([bird]), [:]) == "1 account, all well")
    #expect(ServiceSummary.line(both, [bird: standing(nil)]) == "2 accounts, all well")
    #expect(
      ServiceSummary.line(both, [fish: standing("no token")]) == "2 accounts, 1 with problems; fish: no token")
    #expect(
      ServiceSummary.line(both, [fish: standing("no token"), bird: standing("no network")])
        == "2 accounts, 2 with problems; bird: no network")
  }

  @Test(
    "a lasting failure is logged when it starts and when it ends; new posts and manual refreshes are not logged"
  )
  func journal() {
    let lines = Locked<[String]>([])
    var journal = RefreshJournal(log: Log { level, line in if level <= .info { lines.withLock { $0.append(line) } } })
    let good = RefreshReport(account: "bird", timeline: .home, outcome: .refreshed(new: 2))
    let bad = RefreshReport(
      account: "bird", timeline: .home, outcome: .failed(.init(code: .network, message: "no network")))
    for report in [good, bad, bad, bad, good, good] { journal.note(report, of: .home(of: bird), isAwaited: false) }
    journal.note(bad, of: .home(of: fish), isAwaited: true)
    #expect(
      lines.withLock { $0 } == [
        "bird: no network", "bird: refreshes are working again",
      ])
    #expect(journal.trouble(of: .home(of: bird)) == nil)
    #expect(journal.trouble(of: .home(of: fish)) == "no network")
  }

  @Test("each timeline's failures begin and end on their own; those of another timeline than home name it")
  func timelines() throws {
    let lines = Locked<[String]>([])
    var journal = RefreshJournal(log: Log { level, line in if level <= .info { lines.withLock { $0.append(line) } } })
    let list = TimelineKey(account: bird, timeline: try TimelineName("list:Friends"))
    let good = RefreshReport.Outcome.refreshed(new: 2)
    let bad = RefreshReport.Outcome.failed(Problem(code: .closed, message: "no such list"))
    for (key, outcome) in [(list, bad), (.home(of: bird), good), (list, bad), (list, good)] {
      journal.note(
        RefreshReport(account: "bird", timeline: key.timeline, outcome: outcome), of: key, isAwaited: false)
    }
    #expect(
      lines.withLock { $0 } == [
        "bird/list:Friends: no such list", "bird/list:Friends: refreshes are working again",
      ])
  }

  @Test("at most 60 lines about accounts are logged per hour, and the last line says where to look")
  func linesPerHour() {
    let lines = Locked<[String]>([])
    var journal = RefreshJournal(log: Log { level, line in if level <= .info { lines.withLock { $0.append(line) } } })
    let bad = RefreshReport(
      account: "x", timeline: .home, outcome: .failed(.init(code: .network, message: "no network")))
    let good = RefreshReport(account: "x", timeline: .home, outcome: .refreshed(new: 3))
    let start = BootInstant(nanoseconds: 1)
    for hour in [0, 1] {
      for report in [bad, good] {
        for number in 0..<1000 {
          journal.note(
            report, of: .home(of: AccountName("a\(number)")!), isAwaited: false,
            at: start + .seconds(Int64(hour * 3600)))
        }
      }
      let written = lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
      #expect(written.count == 61)
      #expect(
        written.last
          == "no more lines about accounts are logged for the rest of the hour; to see each account's state, run: homeline status"
      )
    }
  }

  @Test("a problem in the startup summary is not logged again, and a login clears it")
  func knownAtStart() {
    let lines = Locked<[String]>([])
    var journal = RefreshJournal(log: Log { level, line in if level <= .info { lines.withLock { $0.append(line) } } })
    let problem = Problem.notAuthorisedYet(bird)
    journal.begin(.home(of: bird), with: problem.message)
    journal.note(
      RefreshReport(account: "bird", timeline: .home, outcome: .failed(problem)), of: .home(of: bird), isAwaited: false)
    #expect(lines.withLock { $0 } == [])
    #expect(journal.trouble(of: .home(of: bird)) == problem.message)
    journal.note(
      RefreshReport(account: "bird", timeline: .home, outcome: .refreshed(new: 1)), of: .home(of: bird),
      isAwaited: false)
    #expect(lines.withLock { $0 } == ["bird: refreshes are working again"])
  }
}

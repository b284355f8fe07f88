import CivilTime
import Service
import Store
import Testing

@Suite struct DailyBudgetTests {
  private static let noon = Timestamp(rfc3339: "2026-11-20T12:00:00Z")!
  private static let today: Int64 = 20_777

  private func budget(_ allowed: Int?, _ day: Int64 = today, spent: Int) -> DailyBudget {
    DailyBudget(allowed: allowed, spending: AccountState.Spending(day: day, posts: spent))
  }

  @Test("the room is what is allowed less what today has brought, and never below nothing")
  func room() {
    #expect(DailyBudget(allowed: 200, spending: nil).room(at: Self.noon) == 200)
    #expect(budget(200, spent: 150).room(at: Self.noon) == 50)
    #expect(budget(200, spent: 300).room(at: Self.noon) == 0)
  }

  @Test("yesterday's posts do not count today")
  func yesterday() {
    #expect(budget(200, Self.today - 1, spent: 200).room(at: Self.noon) == 200)
    #expect(budget(200, Self.today - 1, spent: 200).after(billed: 7, at: Self.noon).posts == 7)
  }

  @Test("without a limit there is room for all, and what comes is counted all the same")
  func unlimited() {
    let budget = budget(nil, spent: 5)
    #expect(budget.room(at: Self.noon) == nil && budget.pageSize(at: Self.noon) == nil)
    #expect(budget.after(billed: 2, at: Self.noon) == AccountState.Spending(day: Self.today, posts: 7))
  }

  @Test("a page is so small that it stays within the room whatever comes along", arguments: 0...20)
  func pageSize(room: Int) throws {
    let size = try #require(budget(200, spent: 200 - room).pageSize(at: Self.noon))
    #expect(size * DailyBudget.costOfPost <= room)
    #expect((size + 1) * DailyBudget.costOfPost > room)
  }

  @Test("spending grows with what is billed, over the edge of numbers too")
  func after() {
    let budget = budget(200, spent: 190)
    #expect(budget.after(billed: 30, at: Self.noon) == AccountState.Spending(day: Self.today, posts: 220))
    #expect(budget.after(billed: .max, at: Self.noon).posts == .max)
    #expect(budget.after(billed: -5, at: Self.noon).posts == 190)
  }

  @Test("the next day begins at midnight UTC")
  func nextDay() {
    let budget = DailyBudget(allowed: 1, spending: nil)
    let midnight = Timestamp(rfc3339: "2026-11-21T00:00:00Z")!
    #expect(budget.nextDay(after: Self.noon) == midnight)
    #expect(budget.nextDay(after: midnight - .seconds(1)) == midnight)
    #expect(budget.nextDay(after: midnight) == midnight + .seconds(86_400))
    #expect(budget.nextDay(after: Timestamp(seconds: -1)) == Timestamp(seconds: 0))
  }

  @Test("a clock set back across midnight gives no second day")
  func setBackAcrossMidnight() {
    let justAfter = Timestamp(rfc3339: "2026-11-20T00:05:00Z")!
    let spent = DailyBudget(allowed: 200, spending: nil).after(billed: 200, at: justAfter)
    let setBack = DailyBudget(allowed: 200, spending: spent)
    let justBefore = Timestamp(rfc3339: "2026-11-19T23:55:00Z")!
    #expect(setBack.room(at: justBefore) == 0)
    #expect(setBack.nextDay(after: justBefore) == Timestamp(rfc3339: "2026-11-21T00:00:00Z"))
    #expect(setBack.after(billed: 1, at: justBefore) == AccountState.Spending(day: Self.today, posts: 201))
    #expect(setBack.room(at: justAfter) == 0)
    #expect(setBack.room(at: Self.noon + .seconds(86_400)) == 200)
  }

  @Test("a day far in the future, from a clock that was wrong, does not stop the account for ever")
  func wrongClock() {
    #expect(budget(200, Self.today + 400, spent: 200).room(at: Self.noon) == 200)
  }
}

import CallbackListener
import Platform
import Testing

@Suite("How many guesses are answered") struct GuessLimitTests {
  private static let begin = BootInstant(nanoseconds: 1_000_000_000_000)

  private func at(_ milliseconds: Int) -> BootInstant { Self.begin + .milliseconds(milliseconds) }

  @Test("what a browser with many old tabs asks at once is answered, one more is not, and that is news once")
  func burst() {
    var limit = GuessLimit()
    for _ in 0..<GuessLimit.capacity { #expect(limit.judge(at: at(0)) == .allowed) }
    #expect(limit.judge(at: at(0)) == .refused(isFirst: true))
    for guess in 1...1000 { #expect(limit.judge(at: at(guess / 10)) == .refused(isFirst: false)) }
  }

  @Test("a guess a second is always answered, however long that goes on")
  func slow() {
    var limit = GuessLimit()
    for guess in 0..<10_000 { #expect(limit.judge(at: at(guess * 1000)) == .allowed) }
  }

  @Test("Continued guesses stay refused; after as many seconds without a guess the whole capacity is available again")
  func recovery() {
    var limit = GuessLimit()
    for _ in 0..<5000 { _ = limit.judge(at: at(0)) }
    _ = limit.judge(at: at(0))
    for guess in 1...100 { #expect(limit.judge(at: at(guess * 100)) == .refused(isFirst: false)) }
    let later = 10_000 + GuessLimit.capacity * 1000
    for _ in 0..<GuessLimit.capacity { #expect(limit.judge(at: at(later)) == .allowed) }
    #expect(limit.judge(at: at(later)) == .refused(isFirst: false))
  }

  @Test("it is said once a login: the next one's user hears of it too")
  func oncePerLogin() {
    var limit = GuessLimit()
    for _ in 0..<GuessLimit.capacity { _ = limit.judge(at: at(0)) }
    #expect(limit.judge(at: at(0)) == .refused(isFirst: true))
    #expect(limit.judge(at: at(0)) == .refused(isFirst: false))
    limit.loginBegan()
    #expect(limit.judge(at: at(0)) == .refused(isFirst: true))
    #expect(limit.judge(at: at(0)) == .refused(isFirst: false))
  }
}

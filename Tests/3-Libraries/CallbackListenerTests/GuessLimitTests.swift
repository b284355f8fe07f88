import CallbackListener
import Platform
import Testing

@Suite("The limit on guessed callbacks") struct GuessLimitTests {
  private static let begin = BootInstant(nanoseconds: 1_000_000_000_000)

  private func at(_ milliseconds: Int) -> BootInstant { Self.begin + .milliseconds(milliseconds) }

  @Test(
    "simultaneous guesses from a browser with many old tabs are allowed; the next guess is refused, and reported only once"
  )
  func burst() {
    var limit = GuessLimit()
    for _ in 0..<GuessLimit.capacity { #expect(limit.judge(at: at(0)) == .allowed) }
    #expect(limit.judge(at: at(0)) == .refused(isFirst: true))
    for guess in 1...1000 { #expect(limit.judge(at: at(guess / 10)) == .refused(isFirst: false)) }
  }

  @Test("one guess per second is always allowed, however long the guessing continues")
  func slow() {
    var limit = GuessLimit()
    for guess in 0..<10_000 { #expect(limit.judge(at: at(guess * 1000)) == .allowed) }
  }

  @Test(
    "guesses are refused until the guessing stops; a pause of one second per allowed guess then restores the capacity"
  )
  func recovery() {
    var limit = GuessLimit()
    for _ in 0..<5000 { _ = limit.judge(at: at(0)) }
    _ = limit.judge(at: at(0))
    for guess in 1...100 { #expect(limit.judge(at: at(guess * 100)) == .refused(isFirst: false)) }
    let later = 10_000 + GuessLimit.capacity * 1000
    for _ in 0..<GuessLimit.capacity { #expect(limit.judge(at: at(later)) == .allowed) }
    #expect(limit.judge(at: at(later)) == .refused(isFirst: false))
  }

  @Test("the first refused guess of each login is reported, so that the next login's user is also informed")
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

import HomelineOAuth
import Testing

@Suite("The offset of the server's clock")
struct ClockOffsetTests {
  @Test("timestamps follow the server's clock once its time is known")
  func corrected() {
    var offset = ClockOffset()
    #expect(offset.correctedTimestamp(local: 1_000) == 1_000)
    offset.learn(server: 5_000, local: 1_000)
    #expect(offset.seconds == 4_000)
    #expect(offset.correctedTimestamp(local: 1_010) == 5_010)
    offset.learn(server: 900, local: 1_000)
    #expect(offset.correctedTimestamp(local: 1_010) == 910)
  }

  @Test(
    "a clock difference of more than a minute in either direction causes a warning",
    arguments: [(0, false), (60, false), (61, true), (-60, false), (-61, true)] as [(Int64, Bool)])
  func large(seconds: Int64, isLarge: Bool) {
    var offset = ClockOffset()
    offset.learn(server: 10_000 + seconds, local: 10_000)
    #expect(offset.isLarge == isLarge)
    #expect((offset.warning != nil) == isLarge)
    if isLarge { #expect(offset.warning?.contains(seconds > 0 ? "61 s behind" : "61 s ahead of") == true) }
  }

  @Test("impossible server times are ignored")
  func absurd() {
    var offset = ClockOffset()
    offset.learn(server: -1, local: 5)
    offset.learn(server: 5, local: .min)
    #expect(offset.seconds == 0)
    offset.learn(server: .max, local: 0)
    #expect(offset.correctedTimestamp(local: 10) == 10)
    offset.learn(server: 0, local: .max)
    #expect(offset.isLarge)
  }
}

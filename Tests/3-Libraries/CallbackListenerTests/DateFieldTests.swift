import CallbackListener
import HTTP
import Platform
import Testing
import Time

@Suite struct DateFieldTests {
  @Test("the Date field is the clock's second, even after the clock was set back")
  func follows() {
    let now = Locked(Timestamp(milliseconds: 1_000_000_000_000))
    let date = DateField(WallClock { now.withLock { $0 } })
    #expect(date.current?.text == "Sun, 09 Sep 2001 01:46:40 GMT")
    now.withLock { $0 = $0 + .milliseconds(999) }
    #expect(date.current?.text == "Sun, 09 Sep 2001 01:46:40 GMT")
    now.withLock { $0 = $0 + .milliseconds(1) }
    #expect(date.current?.text == "Sun, 09 Sep 2001 01:46:41 GMT")
    now.withLock { $0 = $0 - .seconds(3600) }
    #expect(date.current?.text == "Sun, 09 Sep 2001 00:46:41 GMT")
  }
}

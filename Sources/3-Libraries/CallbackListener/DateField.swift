package import HTTP
internal import Platform
package import Time

/// The value of the `Date` field (RFC 9110 §6.6.1), written once a second: writing it takes a tenth of the time of a short response.
package final class DateField: Sendable {
  private struct Second {
    var number: Int64?
    var value: FieldValue?
  }

  private let clock: WallClock
  private let latest = Locked(Second())

  package init(_ clock: WallClock) { self.clock = clock }

  /// The current time.
  package var current: FieldValue? {
    let now = clock.now
    let number = now.seconds
    return latest.withLock { latest in
      if latest.number != number { latest = Second(number: number, value: FieldValue(now.imfFixdate)) }
      return latest.value
    }
  }
}

import Platform
import Settings
import Testing

@testable import Web

@Suite("Tickets") struct WebTicketTests {
  private let tickets = Locked(WebTickets())
  private let start = BootInstant(nanoseconds: 0)
  private let loopback = ServedOrigin.loopback(port: 8766)

  private func make(_ kind: WebTickets.Kind = .printed, for origin: ServedOrigin? = nil) throws -> String {
    try tickets.withLock { try $0.make(kind, for: origin ?? loopback, at: start) }
  }

  private func take(
    _ ticket: String, at origin: ServedOrigin? = nil, isOwn: Bool = true, after time: Duration = .seconds(1)
  ) throws -> Bool {
    try tickets.withLock { try $0.take(ticket, at: origin ?? loopback, isOwn: isOwn, at: start + time) }
  }

  @Test("A ticket counts once")
  func once() throws {
    let ticket = try make()
    #expect(ticket.utf8.count == 32)
    let guess = try take(String(ticket.reversed()))
    let (first, second) = try (take(ticket), take(ticket))
    #expect(!guess && first && !second)
  }

  @Test("A ticket counts for 60 s, in which the machine may sleep")
  func late() throws {
    let ticket = try make()
    let late = try take(ticket, after: .seconds(60))
    let inTime = try take(ticket, after: .seconds(60) - .nanoseconds(1))
    #expect(!late && inTime)
  }

  @Test("A browser's ticket does not count for root, and is not used up by it")
  func ofRoot() throws {
    let (argument, printed) = try (make(.argument), make(.printed))
    let byRoot = try take(argument, isOwn: false)
    let byUser = try take(argument)
    let printedByRoot = try take(printed, isOwn: false)
    #expect(!byRoot && byUser && printedByRoot)
  }

  @Test("A ticket counts only where it was made for")
  func origins() throws {
    let box = ServedOrigin.front(try #require(WebOrigin("https://box.example")), port: 8766)
    let other = ServedOrigin.front(try #require(WebOrigin("https://other.example")), port: 8766)
    let (ticket, local) = try (make(for: box), make())
    let wrong = try [take(ticket, at: loopback), take(ticket, at: other), take(local, at: box), take(local, at: other)]
    #expect(wrong == [false, false, false, false])
    let right = try [take(ticket, at: box), take(local)]
    #expect(right == [true, true])
  }

  @Test("Of many tickets, the newest 16 count")
  func many() throws {
    let all = try (0..<20).map { _ in try make() }
    let counting = try all.map { try take($0) }
    #expect(counting == Array(repeating: false, count: 4) + Array(repeating: true, count: 16))
  }
}

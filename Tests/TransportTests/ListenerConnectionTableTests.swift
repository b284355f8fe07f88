import Testing

@testable import Transport

@Suite("Who has to go")
struct ListenerConnectionTableTests {
  @Test("the one silent for longest goes first, then half-sent, then leaving ones; busy ones never")
  func order() {
    var table = ConnectionTable(capacity: 7)
    for (id, standing) in [
      (1, .busy), (2, .leaving), (3, .halfSent), (4, .silent), (5, .halfSent), (6, .silent), (7, .busy),
    ] as [(Int, ConnectionStanding)] {
      #expect(!table.isFull)
      table.note(standing, of: id)
    }
    #expect(table.isFull)
    var gone: [Int] = []
    while let id = table.mostDispensable {
      gone.append(id)
      table.remove(id)
    }
    #expect(gone == [4, 6, 3, 5, 2])
  }

  @Test("the time in a standing counts anew when it was left and come back to")
  func anew() {
    var table = ConnectionTable(capacity: 3)
    for id in 1...3 { table.note(.silent, of: id) }
    table.note(.busy, of: 1)
    table.note(.silent, of: 1)
    table.note(.silent, of: 2)
    #expect(table.mostDispensable == 2)
    table.remove(2)
    #expect(table.mostDispensable == 3 && !table.isFull)
  }
}

@testable import HTTPServer
import Testing

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

  @Test("after ten thousand comings and goings the order is still that of the last ones")
  func busyDay() {
    var table = ConnectionTable(capacity: 4)
    for id in 1...4 { table.note(.silent, of: id) }
    for round in 0..<10_000 {
      let id = round % 3 + 1
      table.note(.busy, of: id)
      table.note(round % 2 == 0 ? .leaving : .silent, of: id)
    }
    table.note(.busy, of: 4)
    for id in [3, 1, 2] {
      table.note(.busy, of: id)
      table.note(.silent, of: id)
    }
    var gone: [Int] = []
    while let id = table.mostDispensable {
      gone.append(id)
      table.remove(id)
    }
    #expect(gone == [3, 1, 2])
  }
}

import Testing

@testable import HTTPServer

@Suite("Choosing a connection to close")
struct ListenerConnectionTableTests {
  @Test(
    "idle connections are closed first, then partial requests and closing connections; busy connections are never closed"
  )
  func order() {
    var table = ConnectionTable(capacity: 7)
    for (id, activity) in [
      (1, .busy), (2, .closing), (3, .partialRequest), (4, .idle), (5, .partialRequest), (6, .idle), (7, .busy),
    ] as [(Int, ConnectionActivity)] {
      #expect(!table.isFull)
      table.note(activity, of: id)
    }
    #expect(table.isFull)
    var gone: [Int] = []
    while let id = table.leastImportant {
      gone.append(id)
      table.remove(id)
    }
    #expect(gone == [4, 6, 3, 5, 2])
  }

  @Test("a connection that re-enters a state becomes the newest one in that state")
  func anew() {
    var table = ConnectionTable(capacity: 3)
    for id in 1...3 { table.note(.idle, of: id) }
    table.note(.busy, of: 1)
    table.note(.idle, of: 1)
    table.note(.idle, of: 2)
    #expect(table.leastImportant == 2)
    table.remove(2)
    #expect(table.leastImportant == 3 && !table.isFull)
  }

  @Test("a new connection stays open while others come, although partial requests fill the table")
  func fresh() {
    let capacity = 16
    var table = ConnectionTable(capacity: capacity)
    for id in 1...capacity { table.note(.partialRequest, of: id) }
    var gone: [Int] = []
    for id in 101...104 {
      guard let least = table.leastImportant else { break }
      gone.append(least)
      table.remove(least)
      table.note(.idle, of: id)
    }
    #expect(gone == [1, 2, 3, 4])
    // A quarter of the connections is idle now, so the oldest of these follows.
    #expect(table.leastImportant == 101)
    table.note(.partialRequest, of: 101)
    #expect(table.leastImportant == 5)
  }

  @Test("connections are closed in the correct order, even after ten thousand changes")
  func busyDay() {
    var table = ConnectionTable(capacity: 4)
    for id in 1...4 { table.note(.idle, of: id) }
    for round in 0..<10_000 {
      let id = round % 3 + 1
      table.note(.busy, of: id)
      table.note(round % 2 == 0 ? .closing : .idle, of: id)
    }
    table.note(.busy, of: 4)
    for id in [3, 1, 2] {
      table.note(.busy, of: id)
      table.note(.idle, of: id)
    }
    var gone: [Int] = []
    while let id = table.leastImportant {
      gone.append(id)
      table.remove(id)
    }
    #expect(gone == [3, 1, 2])
  }
}

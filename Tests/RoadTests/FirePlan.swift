import Glibc
import Platform
import TestSupport

/// What happens to one renewal.
struct FirePlan: CustomStringConvertible {
  /// What the network does to the server's responses.
  enum Loss: String, CaseIterable {
    /// No byte arrives, though the server has renewed the token.
    case drop
    /// Half of the JSON arrives.
    case half
    /// The whole response arrives late.
    case late
  }

  /// When the process is killed.
  enum End {
    /// This long after its start.
    case afterStart(microseconds: UInt32)
    /// This long after the server has rotated the token and is about to respond.
    case afterAnswer(microseconds: UInt32)
  }

  /// The command that renews: `refresh`, or `token`, which prints the new token.
  let command: String
  var loss: Loss?
  /// The number of consecutive responses that are lost.
  var lossCount = 0
  var end: End?

  /// - Parameters:
  ///   - lossPercent: the percentage of renewals that lose a response.
  ///   - longest: the duration of an undisturbed renewal, in microseconds.
  init(lossPercent: Int, longest: UInt32, using generator: inout SeededGenerator) {
    command = Bool.random(using: &generator) ? "refresh" : "token"
    if Int.random(in: 0..<100, using: &generator) < lossPercent {
      loss = Loss.allCases.randomElement(using: &generator)
      lossCount = Int.random(in: 1...2, using: &generator)
    }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: end = .afterStart(microseconds: .random(in: 0...longest, using: &generator))
    // Receiving, writing, syncing and renaming take some milliseconds.
    case 1: end = .afterAnswer(microseconds: .random(in: 0...10_000, using: &generator))
    default: break
    }
  }

  /// The server switches for its next responses.
  var orders: String { #"{"fault": "\#((loss ?? .drop).rawValue)", "fault_next": \#(lossCount)}"# }

  var description: String {
    "\(command), \(loss.map { "\($0.rawValue) \(lossCount)x" } ?? "no loss"), \(end.map { "killed \($0)" } ?? "not killed")"
  }

  /// Kills a program as planned, unless it has already ended.
  func execute(_ program: ProgramRun, log: String) async throws {
    guard let end else { return }
    let size = Self.size(of: log)
    try await PlainBrowser.onThreadOfItsOwn {
      switch end {
      case .afterStart(let microseconds): usleep(microseconds)
      case .afterAnswer(let microseconds):
        while Self.size(of: log) == size, program.isRunning { usleep(100) }
        usleep(microseconds)
      }
      program.signal(SIGKILL)
    }
  }

  private static func size(of file: String) -> Int {
    var facts = stat()
    return stat(file, &facts) == 0 ? Int(facts.st_size) : 0
  }
}

import Glibc
import Platform
import TestSupport

/// What befalls one renewal.
struct FirePlan: CustomStringConvertible {
  /// What the network does to the server's answers.
  enum Loss: String, CaseIterable {
    /// No byte comes, though the server has done its work.
    case drop
    /// Half of the JSON comes.
    case half
    /// All of it, late.
    case late
  }

  /// When the process is ended by SIGKILL.
  enum End {
    /// So long after its start.
    case afterStart(microseconds: UInt32)
    /// So long after the server has rotated the token and is about to answer.
    case afterAnswer(microseconds: UInt32)
  }

  /// The command that has it made: one that says how it went, or one that hands the new token out.
  let command: String
  var loss: Loss?
  /// How many answers in a row are lost.
  var lossCount = 0
  var end: End?

  /// - Parameters:
  ///   - lossPercent: how many of a hundred renewals lose an answer.
  ///   - longest: how long a renewal takes that nothing befalls, in microseconds.
  init(lossPercent: Int, longest: UInt32, using generator: inout SeededGenerator) {
    command = Bool.random(using: &generator) ? "refresh" : "token"
    if Int.random(in: 0..<100, using: &generator) < lossPercent {
      loss = Loss.allCases.randomElement(using: &generator)
      lossCount = Int.random(in: 1...2, using: &generator)
    }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: end = .afterStart(microseconds: .random(in: 0...longest, using: &generator))
    // What follows the answer takes some milliseconds: it is received, written, synced and put in place.
    case 1: end = .afterAnswer(microseconds: .random(in: 0...10_000, using: &generator))
    default: break
    }
  }

  /// Tells the server what to do to its next answers.
  var orders: String { #"{"fault": "\#((loss ?? .drop).rawValue)", "fault_next": \#(lossCount)}"# }

  var description: String {
    "\(command), \(loss.map { "\($0.rawValue) \(lossCount)x" } ?? "nothing lost"), \(end.map { "killed \($0)" } ?? "not killed")"
  }

  /// Ends a program as planned; does nothing to one that has ended before.
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

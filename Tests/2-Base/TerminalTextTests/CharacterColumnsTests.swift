import Glibc
import TestSupport
import Testing

@testable import TerminalText

@Suite struct CharacterColumnsTests {
  private static let characters: [(Character, Int)] = [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("日", 2), ("が", 2), ("か\u{3099}", 2), ("ｶ", 1), ("Ａ", 2), ("한", 2),
    ("\u{1112}\u{1161}\u{11ab}", 2), ("👩‍💻", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("🇩", 2), ("❤\u{fe0f}", 2), ("❤", 1),
    ("1\u{fe0f}\u{20e3}", 2), ("\u{200b}", 0), ("\u{200d}", 0), ("\u{feff}", 0), ("\u{301}", 0), ("\u{ad}", 1),
    ("\u{a0}", 1), ("、", 2), ("…", 1), ("😀", 2), ("𠀀", 2), ("ก\u{e33}", 2), ("\u{0}", 0), ("\r\n", 0),
  ]

  @Test("a character occupies zero, one or two terminal columns", arguments: characters)
  func known(character: Character, columns: Int) { #expect(CharacterColumns.of(character) == columns) }

  @Test("a base letter with ten thousand combining marks occupies as many columns as without them")
  func marks() {
    #expect(CharacterColumns.of("a" + String(repeating: "\u{301}", count: 10_000) + "b") == 2)
    #expect(CharacterColumns.of(String(repeating: "\u{20dd}", count: 10_000)) == 0)
  }

  /// Characters that Unicode 16 made wide and that Python may not know yet, reserved positions between wide characters, and half a flag,
  /// which terminals treat differently.
  private static let widened: [ClosedRange<Int>] = [
    0x1f1e6...0x1f1ff,
    0x2630...0x2637, 0x268a...0x268f, 0x303f...0x303f, 0x4dc0...0x4dff, 0x16fe0...0x18dff, 0x1d300...0x1d376,
  ]

  @Test(
    "no character is assigned fewer columns than in other width tables, and few are assigned more",
    .enabled(if: getenv("HOMELINE_PEERS_PYTHON") != nil, "HOMELINE_PEERS_PYTHON is not set"))
  func others() async throws {
    let python = String(cString: try #require(getenv("HOMELINE_PEERS_PYTHON")))
    let script = Repository.path("Tests/Peers/columns.py")
    let judged = try await ProgramRun.run(
      python, [script], environment: ProgramRun.environment(home: "/nonexistent", ["PYTHONDONTWRITEBYTECODE": "1"]))
    try #require(judged.code == 0, "\(judged.error)")
    var compared = 0
    var narrower: [String] = []
    var wider: [String] = []
    for line in judged.output.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      for value in numbers[0]...numbers[1] {
        guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
        compared += 1
        let columns = CharacterColumns.of(Character(scalar))
        if columns < numbers[2] { narrower.append(String(value, radix: 16)) }
        // These are spacing marks and signs around numbers, which not every table counts as marks.
        let isMark =
          numbers[2] == 0 && [.spacingMark, .otherLetter, .format].contains(scalar.properties.generalCategory)
        if columns > numbers[2], !isMark, !Self.widened.contains(where: { $0.contains(value) }) {
          wider.append(String(value, radix: 16))
        }
      }
    }
    #expect(compared > 100_000)
    #expect(narrower.isEmpty, "\(narrower)")
    #expect(wider.isEmpty, "\(wider)")
  }
}

extension CharacterColumns {
  /// Returns the number of columns that text occupies.
  static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }
}

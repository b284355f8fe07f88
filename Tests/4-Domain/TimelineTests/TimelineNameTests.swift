import Cryptography
import Foundation
import TestSupport
import Testing

@testable import Timeline

/// The vectors in `Tests/Vectors/timeline-names.json`.
@Suite("Names of timelines") struct TimelineNameTests {
  struct Named: Decodable, CustomTestStringConvertible {
    let name, stem: String
    var testDescription: String { name }
  }

  struct Refused: Decodable, CustomTestStringConvertible {
    let name, why: String
    var testDescription: String { why }
  }

  private struct Vectors: Decodable {
    let stems: [Named]
    let refused: [Refused]

    enum CodingKeys: String, CodingKey {
      case stems
      case refused = "names_refused"
    }
  }

  private static let vectors = try! JSONDecoder().decode(
    Vectors.self, from: Data(contentsOf: URL(filePath: Repository.path("Tests/Vectors/timeline-names.json"))))

  @Test("A name is read and written unchanged, and its files have the stem in the vectors", arguments: vectors.stems)
  func stem(vector: Named) throws {
    let name = try TimelineName(vector.name)
    #expect(name.description == vector.name)
    if vector.stem.contains("~") {
      #expect(name.shortStem == nil)
      #expect(try name.stem(hash: SHA256.digest) == vector.stem)
    } else {
      #expect(name.shortStem == vector.stem)
      #expect(name.stem { _ in [] } == vector.stem)
    }
  }

  @Test(
    "Hashtags and users' names have no case, but lists' titles have",
    arguments: [
      ("tag:Swift", "tag:swift", true), ("tag:ÄTHER", "tag:äther", true),
      ("user:@Kai@Far.example", "user:@kai@far.example", true),
      ("list:A", "list:a", false), ("tag:a", "list:a", false), ("home", "home", true), ("likes", "bookmarks", false),
    ])
  func same(first: String, second: String, isSame: Bool) throws {
    #expect(try TimelineName(first).isSame(as: TimelineName(second)) == isSame)
    #expect(try TimelineName(second).isSame(as: TimelineName(first)) == isSame)
  }

  @Test("Text that is not a name is refused", arguments: vectors.refused)
  func refused(vector: Refused) { #expect(throws: TimelineNameError.self) { try TimelineName(vector.name) } }

  @Test("Errors show what to write instead")
  func messages() {
    func message(_ text: String) -> String {
      do throws(TimelineNameError) { return try TimelineName(text).description } catch { return "\(error)" }
    }
    #expect(message("list") == "write list:NAME")
    #expect(message("home:x") == "home has no argument; write home")
    #expect(message("user:me") == "the user's name begins with @; write user:@NAME")
    #expect(
      message("lists:Friends")
        == "unknown kind of timeline; use home, notifications, mentions, list:NAME, tag:NAME, user:@NAME, bookmarks or likes"
    )
  }
}

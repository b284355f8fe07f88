import HomelineOAuth
import Testing

@testable import Drive

@Suite struct FolderListingTests {
  private func page(_ names: ArraySlice<String>) throws -> DriveListing {
    let list = names.map { #"{"fullpath":"\#($0)"}"# }.joined(separator: ",")
    return try DriveListing(
      DriveResponse(status: 200, body: Array(#"{"count":0,"list":[\#(list)]}"#.utf8), hiding: .nothing))
  }

  /// Reads a folder whose server returns three entries at a time.
  /// - Parameter change: called before each page with the number of earlier requests.
  private func read(
    _ names: [String], _ change: (Int, inout [String]) -> Void = { _, _ in }
  ) throws -> (names: [String], listing: FolderListing) {
    var (names, listing, found, requests) = (names, FolderListing(), [String](), 0)
    while let start = listing.next {
      change(requests, &names)
      requests += 1
      found += listing.take(try page(names.dropFirst(start).prefix(3))).map(\.path)
      try #require(requests < 200)
    }
    return (found, listing)
  }

  @Test(
    "each entry in a folder is listed exactly once, even if the response gives a total of 0",
    arguments: [0, 1, 2, 3, 4, 5, 6, 7, 30])
  func all(count: Int) throws {
    let names = (0..<count).map { "\($0)" }
    #expect(try read(names).names == names)
  }

  @Test("no entry is missed if an earlier one is removed between two pages")
  func removed() throws {
    let names = (0..<10).map { "\($0)" }
    let result = try read(names) { requests, names in if requests == 2 { names.removeFirst() } }
    #expect(result.names.sorted() == names && !result.listing.isIncomplete)
  }

  @Test("an entry added between two pages is listed, and no entry is listed twice")
  func added() throws {
    let names = (1..<10).map { "\($0)" }
    let result = try read(names) { requests, names in if requests == 2 { names.insert("0", at: 0) } }
    #expect(result.names.sorted() == ["0"] + names)
  }

  @Test("entries without a usable path are counted once each, even if the folder is read again")
  func unreadable() throws {
    let long = String(repeating: "a", count: DriveEntry.pathLimit + 1)
    let names = ["0", long, "1", "2", "", "3", "4", "5"]
    let result = try read(names) { requests, names in if requests == 2 { names.removeFirst() } }
    #expect(result.names.sorted() == ["0", "1", "2", "3", "4", "5"])
    #expect(result.listing.unreadable == 2)
  }

  @Test("entries behind many unreadable ones are listed", arguments: 0...8)
  func behindUnreadable(count: Int) throws {
    let names = ["0"] + Array(repeating: "", count: count) + ["1", "2"] + Array(repeating: "", count: count)
    let result = try read(names)
    #expect(result.names == ["0", "1", "2"] && result.listing.unreadable == 2 * count)
  }

  @Test("a folder that never stops changing is reported as incomplete")
  func endless() throws {
    var next = 100
    let result = try read((0..<9).map { "\($0)" }) { _, names in
      names.insert("\(next)", at: 0)
      next += 1
    }
    #expect(result.listing.isIncomplete)
  }
}

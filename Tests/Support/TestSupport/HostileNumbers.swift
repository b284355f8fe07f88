import Glibc

/// Numbers at and beyond the ends of every range, and values that bad data has in place of a number.
package enum HostileNumbers {
  /// The values, as JSON.
  package static let values = [
    "0", "1", "-1", "2147483648", "9007199254740992", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "100000000000000000", "1e308", "\"\"", "null", "\"9223372036854775807\"",
  ]

  /// The 64-bit integers among them.
  package static let integers = values.compactMap { Int64($0) }

  /// The same texts without quotes, for headers and queries.
  package static let texts = values.map { $0.filter { $0 != "\"" } }

  /// Returns all documents that have a hostile value in place of one number of a JSON document, or of one string of digits.
  /// - Parameter json: a document whose strings contain no escapes at the places of numbers.
  package static func documents(from json: [UInt8]) -> [(change: String, bytes: [UInt8])] {
    places(in: json).flatMap { place in
      values.map { value in
        let before = String(decoding: json[max(0, place.lowerBound - 40)..<place.lowerBound], as: UTF8.self)
        return (
          "\(before) \(value)", Array(json[..<place.lowerBound]) + Array(value.utf8) + Array(json[place.upperBound...])
        )
      }
    }
  }

  /// The number of random documents that a test makes: a few, or as many as the `HOMELINE_FUZZ_ROUNDS` environment variable says.
  package static let rounds = getenv("HOMELINE_FUZZ_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 3

  /// Returns a document that has hostile values in place of a random half of its numbers.
  package static func document(from json: [UInt8], using generator: inout some RandomNumberGenerator) -> [UInt8] {
    var document: [UInt8] = []
    var end = 0
    for place in places(in: json) where Bool.random(using: &generator) {
      document += json[end..<place.lowerBound] + Array(values.randomElement(using: &generator)!.utf8)
      end = place.upperBound
    }
    return document + json[end...]
  }

  /// Returns the places of all numbers, and of all strings that consist of digits, with their quotes.
  static func places(in json: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var index = 0
    while index < json.count {
      let start = index
      switch json[index] {
      case UInt8(ascii: "\""):
        index += 1
        while index < json.count, json[index] != UInt8(ascii: "\"") {
          index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
        let content = json[min(start + 1, json.count)..<max(start + 1, min(index - 1, json.count))]
        if !content.isEmpty, content.allSatisfy({ (0x30...0x39).contains($0) }), !isName(json, endingAt: index) {
          places.append(start..<index)
        }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        while index < json.count, "+-.eE0123456789".utf8.contains(json[index]) { index += 1 }
        places.append(start..<index)
      default: index += 1
      }
    }
    return places
  }

  /// Returns whether a string is the name of a member.
  private static func isName(_ json: [UInt8], endingAt end: Int) -> Bool {
    json[min(end, json.count)...].first { $0 > 0x20 } == UInt8(ascii: ":")
  }
}

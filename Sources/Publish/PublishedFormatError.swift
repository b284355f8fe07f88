package import JSON

/// Why a published file, or a stored post, cannot be read.
package enum PublishedFormatError: Error, Hashable, CustomStringConvertible {
  /// Written by a newer version of this program: its schema's number.
  case newerSchema(Int64)
  /// Not the JSON that belongs there.
  case malformed(JSONError)
  /// A member that must be there is not: its name, and where its object begins.
  case missing(String, JSONPlace)
  /// A member whose text means nothing: its name, what is expected, and where it stands.
  case meaningless(String, expected: String, JSONPlace)

  package var description: String {
    switch self {
    case .newerSchema(let number):
      "schema \(number) is newer than this version of the program can read"
    case .malformed(let error): "\(error)"
    case .missing(let name, let place): "\(place): '\(name)' is missing"
    case .meaningless(let name, let expected, let place): "\(place): '\(name)' should be \(expected)"
    }
  }

  /// Runs a reader and puts whatever it throws into this type.
  static func wrapping<Value>(_ read: () throws -> Value) throws(PublishedFormatError) -> Value {
    do {
      return try read()
    } catch let error as JSONError {
      throw .malformed(error)
    } catch let error as PublishedFormatError {
      throw error
    } catch {
      preconditionFailure("a reader threw neither of its two errors: \(error)")
    }
  }
}

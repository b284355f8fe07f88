package import JSON

/// A published file or stored post that cannot be read.
package enum PublishedFormatError: Error, Hashable, CustomStringConvertible {
  /// A newer version of this program wrote the content, with this schema number.
  case newerSchema(Int64)
  /// The content is not the expected JSON.
  case malformed(JSONError)
  /// A mandatory member is missing: its name, and the position of its object.
  case missing(String, JSONPosition)
  /// A member has an invalid value: its name, the expected value, and its position.
  case meaningless(String, expected: String, JSONPosition)

  package var description: String {
    switch self {
    case .newerSchema(let number):
      "schema \(number) is newer than this version of homeline supports"
    case .malformed(let error): "\(error)"
    case .missing(let name, let place): "\(place): '\(name)' is missing"
    case .meaningless(let name, let expected, let place): "\(place): '\(name)' should be \(expected)"
    }
  }

  /// Runs a reader and converts its errors to this type.
  package static func wrapping<Value>(_ read: () throws -> Value) throws(PublishedFormatError) -> Value {
    do {
      return try read()
    } catch let error as JSONError {
      throw .malformed(error)
    } catch let error as PublishedFormatError {
      throw error
    } catch {
      preconditionFailure("a reader threw an unexpected error: \(error)")
    }
  }
}

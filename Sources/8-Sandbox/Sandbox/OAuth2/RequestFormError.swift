/// The reason the parameters of a request are invalid.
enum RequestFormError: Error, CustomStringConvertible {
  case notForm
  case unreadable(String)
  case repeated(String)
  case notText(String)

  var description: String {
    switch self {
    case .notForm: "The body is not application/x-www-form-urlencoded."
    case .unreadable(let reason): reason
    case .repeated(let name): "The parameter \(name) occurs more than once."
    case .notText(let name): "The parameter \(name) is not UTF-8."
    }
  }
}

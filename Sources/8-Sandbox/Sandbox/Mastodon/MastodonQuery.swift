internal import HTTP
internal import HomelineOAuth

/// The parameters of a request for a page.
struct MastodonQuery: Sendable {
  /// The number of entries on a page, as repeated in links.
  let limit: Int
  var maxID: String?
  var minID: String?
  var sinceID: String?
  /// Whether the server returns everything, regardless of the limit.
  private let isUnlimited: Bool
  private let parameters: [(name: String, value: String)]

  /// The number of entries to return.
  var count: Int { isUnlimited ? .max : limit }

  /// - Parameters:
  ///   - usual: the limit of requests without one.
  ///   - greatest: the greatest limit; higher ones are lowered. `nil` if there is none.
  init(
    _ request: Request, usual: Int, greatest: Int?, _ flavour: MastodonFlavour, _ quirks: MastodonQuirks
  ) throws(MastodonError) {
    do throws(RequestFormError) {
      let form = try RequestForm(query: request)
      let given = try form.value("limit").flatMap { Int($0) } ?? 0
      limit = given > 0 ? min(given, greatest ?? given) : usual
      maxID = try form.value("max_id")
      sinceID = try form.value("since_id")
      minID = try form.value("min_id")
      parameters = form.texts
    } catch { throw .invalid(error.description) }
    isUnlimited = quirks.timelines.ignoresLimit
    if quirks.treatsMinIDAsSinceID, let id = minID { (minID, sinceID) = (nil, id) }
  }

  /// Returns the values of a parameter that may be repeated, such as `types[]`.
  func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }

  func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  func isTrue(_ name: String) -> Bool { ["true", "t", "1", "on"].contains(value(name)?.lowercased()) }

  /// The parameters that links repeat: all but those that select the page.
  var repeated: [Parameter] {
    parameters.filter { !["limit", "max_id", "min_id", "since_id", "page"].contains($0.name) }
      .map { Parameter($0.name, $0.value) }
  }
}

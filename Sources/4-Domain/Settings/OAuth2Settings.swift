internal import Bytes
package import OAuthValues

/// How an account's OAuth 2.0 requests are made, if a server or a client needs something other than the default.
package struct OAuth2Settings: Sendable, Hashable {
  /// Parameters that are added to the authorisation request, or replace the provider's own.
  package var authorizeParameters: [String: String] = [:]
  /// How the client authenticates; `nil` for the method that the server supports.
  package var clientAuthentication: ClientAuthentication?

  init() {}
}

extension OAuth2Settings {
  /// The methods by their names in the configuration.
  private static let methods: [String: ClientAuthentication] = ["basic": .basic, "post": .body, "none": .none]
  private static let mostParameters = 32
  private static let longestName = 64
  private static let longestValue = 1024

  init(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ credentials: AccountCredentials?,
    _ problems: inout Problems
  ) {
    guard let provider, let defaults else { return }
    let keys = ["authorize_parameters", "client_authentication"].filter(values.has)
    guard defaults.adjustsRequests else {
      for key in keys {
        values.note("the provider \(provider) does not support it: remove this setting", atKey: key, &problems)
      }
      return
    }
    authorizeParameters = Self.parameters(values, &problems)
    let name = values.choice("client_authentication", of: ["basic", "post", "none"], &problems)
    clientAuthentication = name.flatMap { Self.methods[$0] }
    if let name, case .oauth2(_, let secret)? = credentials {
      Self.check(name, hasSecret: secret != nil, values, &problems)
    }
  }

  /// Reports a method that does not match the account's client.
  private static func check(_ name: String, hasSecret: Bool, _ values: KeyedValues, _ problems: inout Problems) {
    switch (name, hasSecret) {
    case ("none", true):
      values.note("no secret is sent with it: remove client_secret", at: "client_authentication", &problems)
    case ("basic", false), ("post", false):
      values.note("needs client_secret", at: "client_authentication", &problems)
    default: break
    }
  }

  private static func parameters(_ values: KeyedValues, _ problems: inout Problems) -> [String: String] {
    guard let member = values["authorize_parameters"] else { return [:] }
    let path = values.path(of: "authorize_parameters")
    guard case .object(let list) = member.value.content else {
      problems.add("expected an object, found \(member.value.content.kind)", at: member.value.offset, path: path)
      return [:]
    }
    if list.count > mostParameters {
      problems.add("has more than \(mostParameters) parameters", at: member.value.offset, path: path)
    }
    var parameters: [String: String] = [:]
    for parameter in KeyedValues.unique(list, path: path, &problems) {
      let place = KeyedValues.join(path, parameter.name)
      if let fault = fault(ofName: parameter.name) { problems.add(fault, at: parameter.offset, path: place) }
      guard case .string(let value) = parameter.value.content else {
        problems.add(
          "expected a string, found \(parameter.value.content.kind)", at: parameter.value.offset, path: place)
        continue
      }
      if let fault = fault(ofValue: value) { problems.add(fault, at: parameter.value.offset, path: place) }
      parameters[parameter.name] = value
    }
    return parameters
  }

  private static func fault(ofName name: String) -> String? {
    if ReservedParameters.ofAuthorization.contains(name) { return "is set by homeline and cannot be replaced" }
    let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    return isPlain && (1...longestName).contains(name.utf8.count)
      ? nil : "a parameter's name consists of 1 to \(longestName) visible ASCII characters"
  }

  private static func fault(ofValue value: String) -> String? {
    if value.utf8.count > longestValue { return "is longer than \(longestValue) bytes" }
    return value.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? "must not contain control characters" : nil
  }
}

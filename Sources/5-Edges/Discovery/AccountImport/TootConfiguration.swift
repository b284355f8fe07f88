internal import Bytes
internal import JSON

/// The configuration of `toot`: `users` contains the logins, and `apps` the addresses of their servers.
enum TootConfiguration {
  private struct User {
    var id = ""
    var instance: String?
    var name: String?
    var token: String?
  }

  static func logins(in bytes: [UInt8]) throws(ForeignFileError) -> ForeignLogins {
    var users: [User] = []
    var addresses: [String: String] = [:]
    do {
      var cursor = JSONCursor(bytes)
      try cursor.members { json, name in
        switch name {
        case "apps":
          try json.members { json, name in
            let instance = name.text
            addresses[instance] = try texts(&json)["base_url"]
          }
        case "users":
          try json.members { json, name in
            let id = name.text
            let values = try texts(&json)
            users.append(
              User(id: id, instance: values["instance"], name: values["username"], token: values["access_token"]))
          }
        default: try json.skip()
        }
      }
      try cursor.end()
    } catch { throw ForeignFileError("it is not a configuration of toot: \(error)") }
    var found = ForeignLogins()
    for user in users { found.add { () throws(ForeignFileError) in try login(user, addresses) } }
    return found
  }

  /// Returns the members of an object whose values are strings; none for any other value.
  private static func texts(_ json: inout JSONCursor) throws -> [String: String] {
    var texts: [String: String] = [:]
    guard try json.peek() == .object else {
      try json.skip()
      return texts
    }
    try json.members { json, name in
      let name = name.text
      if try json.peek() == .string { texts[name] = try json.string() } else { try json.skip() }
    }
    return texts
  }

  private static func login(_ user: User, _ addresses: [String: String]) throws(ForeignFileError) -> ForeignLogin {
    let name = DisplayName(user.id)
    guard let instance = user.instance, let userName = user.name else {
      throw ForeignFileError("the user \(name) has no instance and username")
    }
    guard let text = user.token, let token = Secret(tokenPart: text) else {
      throw ForeignFileError("the user \(name) has no valid access_token")
    }
    let address: String
    do throws(DomainNameError) {
      address = try DomainName.addressInASCII(addresses[instance] ?? "https://\(instance)")
    } catch { throw ForeignFileError("the server of \(name) is not valid: \(error)") }
    let origin: RequestURL
    do throws(RequestURLError) { origin = try RequestURL(try RequestURL(address).origin) } catch {
      throw ForeignFileError("the server of \(name) is not valid: \(error)")
    }
    guard origin.isHTTPS || origin.isLoopback else {
      throw ForeignFileError("the server of \(name) does not use https")
    }
    return ForeignLogin(userName: userName, server: origin, consumer: nil, token: token, tokenSecret: nil)
  }
}

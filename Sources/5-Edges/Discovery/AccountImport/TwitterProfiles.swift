internal import Bytes

/// The configuration files of `t` (`~/.trc`) and `twurl` (`~/.twurlrc`), which have the same form: `profiles` contains the users, each user
/// contains application keys, and each key contains the values of one login.
enum TwitterProfiles {
  static func logins(in bytes: [UInt8]) throws(ForeignFileError) -> ForeignLogins {
    let document = try YAMLNode(bytes).usable()
    guard let root = document.members else {
      if document.text?.isEmpty == true { return ForeignLogins() }
      throw ForeignFileError("it is not a mapping")
    }
    // If the program was set up without a login, its file contains no profiles.
    guard let profiles = try document["profiles"]?.usable() else {
      if root.isEmpty || document["configuration"] != nil { return ForeignLogins() }
      throw ForeignFileError("it has no profiles")
    }
    guard let users = profiles.members else {
      if profiles.text?.isEmpty == true { return ForeignLogins() }
      throw ForeignFileError("profiles is not a mapping of users")
    }
    var found = ForeignLogins()
    for (user, applications) in users {
      guard let applications = applications.members else {
        found.add { () throws(ForeignFileError) in
          _ = try applications.usable()
          throw ForeignFileError("the profile of \(DisplayName(user)) is not a mapping of applications")
        }
        continue
      }
      for (_, values) in applications {
        found.add { () throws(ForeignFileError) in try login(try values.usable(), of: user) }
      }
    }
    return found
  }

  private static func login(_ values: YAMLNode, of user: String) throws(ForeignFileError) -> ForeignLogin {
    func text(_ name: String) throws(ForeignFileError) -> String {
      guard let text = try values[name]?.usable().text, !text.isEmpty else {
        throw ForeignFileError("the profile of \(DisplayName(user)) has no \(name)")
      }
      return text
    }
    func part(_ name: String) throws(ForeignFileError) -> Secret {
      guard let part = Secret(tokenPart: try text(name)) else {
        throw ForeignFileError("the profile of \(DisplayName(user)) has an invalid \(name)")
      }
      return part
    }
    let key = try text("consumer_key")
    _ = try part("consumer_key")
    return ForeignLogin(
      userName: values["username"]?.text ?? user, server: nil,
      consumer: ForeignLogin.Consumer(key: key, secret: try part("consumer_secret")),
      token: try part("token"), tokenSecret: try part("secret"))
  }
}

/// A user's name in a message: quoted, on one line, and at most 64 characters.
struct DisplayName: CustomStringConvertible {
  let description: String

  init(_ name: String) {
    let plain = name.prefix(64).map {
      $0.isNewline || $0.asciiValue.map { $0 < 0x20 || $0 == 0x7F } ?? false ? "?" : $0
    }
    description = "“\(String(plain))”"
  }
}

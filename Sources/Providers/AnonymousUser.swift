package import Timeline

extension Provider {
  /// Whose token it is where nobody can be asked: the one user that a server without names has.
  package var anonymousUser: User { User(id: "-", screenName: "unknown", name: "unknown") }
}

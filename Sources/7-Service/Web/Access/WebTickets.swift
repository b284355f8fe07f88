internal import Cryptography
internal import Platform

/// Tickets, which `homeline web` gets over the control socket and a browser exchanges for a session: once, within 60 s.
struct WebTickets {
  /// How a ticket reaches its browser.
  enum Kind: Sendable, Hashable {
    /// As an argument of the browser's program, which other users can see for a moment (proc(5)). It therefore counts only on loopback, and
    /// only for a connection of this user.
    case argument
    /// Printed for the user.
    case printed
  }

  private struct Ticket {
    let hash: SecretHash
    let origin: String
    let kind: Kind
    let endsAt: BootInstant
  }

  static let lifetime = Duration.seconds(60)
  /// The maximum number of tickets that are valid at the same time.
  static let most = 16

  private var tickets: [Ticket] = []

  /// Makes a ticket.
  /// - Parameter origin: where it counts. A ticket for loopback counts with each of its names.
  mutating func make(_ kind: Kind, for origin: ServedOrigin, at now: BootInstant) throws(CryptographyError) -> String {
    precondition(kind == .printed || origin.isLoopback, "a browser is started only with an address on loopback")
    let secret = try WebSecret.make(bits: 128)
    let ticket = Ticket(
      hash: try SecretHash(of: secret), origin: Self.place(origin), kind: kind, endsAt: now + Self.lifetime)
    tickets.removeAll { $0.endsAt <= now }
    tickets = tickets.suffix(Self.most - 1) + [ticket]
    return secret
  }

  /// Uses a ticket up. A ticket that does not count here stays valid, so that nobody else can use it up.
  /// - Parameter isOwn: whether the connection belongs to this user.
  /// - Returns: whether the ticket counts.
  mutating func take(
    _ secret: String, at origin: ServedOrigin, isOwn: Bool, at now: BootInstant
  ) throws(CryptographyError) -> Bool {
    let hash = try SecretHash(of: secret)
    guard let index = tickets.firstIndex(where: { $0.hash == hash }) else { return false }
    let ticket = tickets[index]
    guard ticket.endsAt > now, ticket.origin == Self.place(origin), isOwn || ticket.kind == .printed else {
      return false
    }
    tickets.remove(at: index)
    return true
  }

  /// Makes all tickets invalid.
  mutating func removeAll() { tickets = [] }

  private static func place(_ origin: ServedOrigin) -> String { origin.isLoopback ? "" : origin.text }
}

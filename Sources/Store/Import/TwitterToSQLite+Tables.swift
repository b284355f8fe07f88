extension TwitterToSQLite {
  /// The columns of a table, which has to be one: what a view, a virtual table or a generated column holds is computed as it is read, by
  /// whatever the file says.
  struct Columns {
    private let names: Set<String>

    /// None where there is no such table.
    init(of table: String, in connection: SQLiteConnection) throws {
      let kinds = try connection.all(
        "SELECT type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type NOT IN ('index', 'trigger')",
        [.text(table)]
      ) { row in Self.kind(type: row.text(0), sql: row.text(1)) }
      if let other = kinds.first(where: { $0 != "table" }) {
        throw ImportError.unfitDatabase(
          connection.path, "\(table) is a \(other), where twitter-to-sqlite has a table of rows that are stored")
      }
      var names: Set<String> = []
      var computed: String?
      // A statement of its own and no `pragma_table_xinfo`, which a file could have a table of its own for.
      try connection.run("PRAGMA table_xinfo(\"\(table)\")") { row in
        names.insert(row.text(1))
        if row.integer(6) > 1 { computed = row.text(1) }
      }
      if let computed {
        throw ImportError.unfitDatabase(
          connection.path,
          "the column \(computed) of the table \(table) is generated, where twitter-to-sqlite has values that are stored"
        )
      }
      self.names = names
    }

    func include(_ wanted: [String]) -> Bool { names.isSuperset(of: wanted) }

    func list(_ wanted: [String]) -> String {
      wanted.map { names.contains($0) ? "\"\($0)\"" : "NULL" }.joined(separator: ", ")
    }

    /// What stands in the schema; its type is a word of the file's, what is read is the statement.
    private static func kind(type: String, sql: String) -> String {
      let statement = sql.uppercased()
      if statement.hasPrefix("CREATE TABLE") { return type == "table" ? type : "\(type) and a table" }
      return statement.hasPrefix("CREATE VIRTUAL") ? "virtual table" : type == "table" ? "table that is none" : type
    }
  }
}

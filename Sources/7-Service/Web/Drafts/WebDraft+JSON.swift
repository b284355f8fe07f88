internal import JSON
internal import Time

/// The record of a draft, in its folder's file `draft.json`.
extension WebDraft {
  /// The maximum size of a record in bytes: the text, escaped, and the other fields.
  static let sizeLimit = 1 << 20

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("changed_at", changedAt.rfc3339)
      json.member("fields", list: Field.allCases.filter { typed[$0] != nil }) { json, field in
        json.object { json in
          json.member("name", field.rawValue)
          json.member("value", self[field])
        }
      }
      json.member("files", list: files) { json, file in
        json.object { json in
          json.member("slot", file.slot)
          json.member("name", file.name)
          json.member("size", file.size)
          json.member("description", file.description)
        }
      }
      if let sentBy { json.member("sent_by", sentBy) }
      if let sentDigest { json.member("sent_digest", sentDigest) }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  init(id: DraftID, json bytes: [UInt8]) throws {
    self.init(id: id, at: Timestamp(seconds: 0))
    var cursor = JSONCursor(bytes, maximalDepth: 8)
    try cursor.members { json, name in
      switch name {
      case "changed_at": changedAt = Timestamp(rfc3339: try json.string()) ?? changedAt
      case "fields":
        try json.elements { json in
          var (name, value): (String?, String?) = (nil, nil)
          try json.members { json, member in
            switch member {
            case "name": name = try json.string()
            case "value": value = try json.string()
            default: try json.skip()
            }
          }
          if let field = name.flatMap({ Field(rawValue: $0) }) { typed[field] = value }
        }
      case "files": files = try json.list { json in try File(&json) }.filter { Self.slots.contains($0.slot) }
      case "sent_by": sentBy = try json.string()
      case "sent_digest": sentDigest = try json.string()
      default: try json.skip()
      }
    }
  }
}

extension WebDraft.File {
  fileprivate init(_ json: inout JSONCursor) throws {
    var slot = 0
    var (name, size, description) = ("", 0, "")
    try json.members { json, member in
      switch member {
      case "slot": slot = try json.integer(in: 0...Int.max)
      case "name": name = try json.string()
      case "size": size = try json.integer(in: 0...Int.max)
      case "description": description = try json.string()
      default: try json.skip()
      }
    }
    self.init(slot: slot, name: name, size: size, description: description)
  }
}

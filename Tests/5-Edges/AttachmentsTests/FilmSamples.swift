import TestSupport

/// Small films assembled from boxes, with the structure that phones and cameras write. Their pictures cannot be decoded.
struct FilmSamples {
  /// A track with two samples, each in its own chunk.
  struct Track {
    var handler = "vide"
    var format = "avc1"
    /// The boxes in the description of the format.
    var configuration = Samples.box("avcC", [1, 66, 0, 30, 0xFF, 0xE1, 0, 2, 0x67, 1, 1, 0, 1, 0x68])
    var samples: [[UInt8]] = [[0, 0, 0, 3, 0x65, 1, 2], [0, 0, 0, 2, 0x41, 3]]
    /// Boxes in the track, in the table of samples, and bytes that follow the known content of other boxes.
    var boxes: [UInt8] = []
    var tableBoxes: [UInt8] = []
    var rest: [UInt8] = []
    var handlerName = Array("Video\0".utf8)
    var location = Samples.box("url ", [0, 0, 0, 1])

    /// A track that contains no pictures and no sound.
    static func data(_ handler: String, _ format: String) -> Track {
      Track(
        handler: handler, format: format, configuration: Samples.secret, samples: [Samples.secret, Samples.secret],
        handlerName: Samples.secret)
    }

    static let sound = Track(
      handler: "soun", format: "Opus", configuration: Samples.box("dOps", [UInt8](repeating: 0, count: 11)),
      samples: [[0xA7, 0xB7, 0xC7], [0xA8, 0xB8]], handlerName: Array("Sound\0".utf8))

    private func entry() -> [UInt8] {
      let fields: Int
      switch handler {
      case "vide", "pict": fields = 78
      case "soun": fields = 28
      default: fields = 8
      }
      var bytes = [UInt8](repeating: 0, count: fields)
      bytes[7] = 1
      // The name of the encoder.
      if fields == 78 { bytes.replaceSubrange(42..<50, with: Array("encoder!".utf8)) }
      return Samples.box(format, bytes, configuration)
    }

    fileprivate func box(id: UInt8, offsets: [Int]) -> [UInt8] {
      let version: [UInt8] = [0, 0, 0, 0]
      let times = Array("TIMETIME".utf8)
      let sizes = samples.flatMap { Samples.bigEndian($0.count) }
      let stbl = Samples.box(
        "stbl", Samples.box("stsd", version, Samples.bigEndian(1), entry()),
        Samples.box(
          "stts", version, Samples.bigEndian(1), Samples.bigEndian(samples.count), Samples.bigEndian(1), rest),
        Samples.box(
          "stsc", version, Samples.bigEndian(1), Samples.bigEndian(1), Samples.bigEndian(1), Samples.bigEndian(1), rest),
        Samples.box("stsz", version, Samples.bigEndian(0), Samples.bigEndian(samples.count), sizes, rest),
        Samples.box("stco", version, Samples.bigEndian(offsets.count), offsets.flatMap { Samples.bigEndian($0) }, rest),
        tableBoxes)
      let header = Samples.box("tkhd", version, times, Samples.bigEndian(Int(id)), Self.zeros(68), rest)
      let handlerBox = Samples.box("hdlr", version, version, Array(handler.utf8), Self.zeros(12), handlerName)
      let media = Samples.box(
        "minf", Samples.box(handler == "soun" ? "smhd" : "vmhd", Self.zeros(handler == "soun" ? 8 : 12), rest),
        Samples.box("dinf", Samples.box("dref", version, Samples.bigEndian(1), location)), stbl)
      return Samples.box(
        "trak", header,
        Samples.box("mdia", Samples.box("mdhd", version, times, Self.zeros(12), rest), handlerBox, media),
        boxes)
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
  }

  /// Returns a film.
  /// - Parameters:
  ///   - moov: boxes in the description of the film.
  ///   - before: boxes before the description.
  ///   - after: bytes after the data.
  ///   - between: bytes after each sample, which belong to no track.
  static func film(
    _ tracks: [Track] = [Track(), .sound], brand: String = "isom", moov: [UInt8] = [], before: [UInt8] = [],
    after: [UInt8] = [], between: [UInt8] = []
  ) -> [UInt8] {
    let head = Samples.box("ftyp", Array(brand.utf8), [0, 0, 0, 0], Array(brand.utf8)) + before
    let header =
      [UInt8](repeating: 0, count: 4) + Array("TIMETIME".utf8) + [UInt8](repeating: 0, count: 84)
      + [0, 0, 0, 9]
    func description(at start: Int) -> [UInt8] {
      var offset = start
      var offsets = [[Int]](repeating: [], count: tracks.count)
      for index in 0..<2 {
        for (number, track) in tracks.enumerated() where index < track.samples.count {
          offsets[number].append(offset)
          offset += track.samples[index].count + between.count
        }
      }
      let boxes = zip(tracks.indices, offsets).flatMap { tracks[$0].box(id: UInt8($0 + 1), offsets: $1) }
      return Samples.box("moov", Samples.box("mvhd", header), boxes, moov)
    }
    let data = (0..<2).flatMap { index in
      tracks.flatMap { index < $0.samples.count ? $0.samples[index] + between : [] }
    }
    let start = head.count + description(at: 0).count + 8
    return head + description(at: start) + Samples.box("mdat", data) + after
  }

  /// Returns a film in a fragment, with a second track of data that contains the secret.
  static func fragmented(hasBase: Bool) -> [UInt8] {
    let tracks = [Track(samples: []), Track(handler: "meta", format: "mebx", configuration: [], samples: [])]
    let defaults = (1...2).flatMap { id in
      Samples.box("trex", [0, 0, 0, 0, 0, 0, 0, UInt8(id)], [UInt8](repeating: 0, count: 16))
    }
    let head = film(tracks, moov: Samples.box("mvex", defaults)).dropLast(8)
    let picture = Track().samples[0]
    func fragment(size: Int) -> [UInt8] {
      func part(_ id: UInt8, offset: Int, count: Int) -> [UInt8] {
        let header: [UInt8] =
          hasBase
          ? [0, 0, 0, 1, 0, 0, 0, id, 0, 0, 0, 0] + Samples.bigEndian(head.count) : [0, 2, 0, 0, 0, 0, 0, id]
        return Samples.box(
          "traf", Samples.box("tfhd", header, id == 2 ? Samples.secret : []),
          Samples.box("tfdt", [UInt8](repeating: 0, count: 8)),
          Samples.box("trun", [0, 0, 2, 1], Samples.bigEndian(1), Samples.bigEndian(offset), Samples.bigEndian(count)))
      }
      return Samples.box(
        "moof", Samples.box("mfhd", [UInt8](repeating: 0, count: 8)),
        part(1, offset: size + 8, count: picture.count),
        part(2, offset: size + 8 + picture.count, count: Samples.secret.count))
    }
    let size = fragment(size: 0).count
    return head + fragment(size: size) + Samples.box("mdat", picture, Samples.secret)
  }

  /// Returns a HEIC file with a picture, Exif, XMP and an unknown item. The data is either in `idat` or in `mdat`.
  static func heic(isInData: Bool = false, primary: String = "hvc1", rest: [UInt8] = []) -> [UInt8] {
    let items: [(kind: String, data: [UInt8])] = [
      (primary, [0, 0, 0, 3, 0x26, 1, 9]), ("Exif", [0, 0, 0, 0] + Samples.exif(orientation: 6)),
      ("mime", Array("<photoshop:City>SECRET".utf8)), ("uri ", Samples.secret),
    ]
    func entry(_ id: Int, _ kind: String) -> [UInt8] {
      Samples.box("infe", [2, 0, 0, 0, 0, UInt8(id), 0, 0], Array(kind.utf8), Samples.secret, [0])
    }
    func meta(offset start: Int) -> [UInt8] {
      var offset = start
      var places: [UInt8] = []
      for (index, item) in items.enumerated() {
        places += [0, UInt8(index + 1), 0, isInData ? 1 : 0, 0, 0, 0, 1] as [UInt8]
        places += Samples.bigEndian(offset) + Samples.bigEndian(item.data.count)
        offset += item.data.count
      }
      let configuration: [UInt8] = [UInt8](repeating: 1, count: 21) + [0xFF, 0]
      let properties = Samples.box(
        "ipco", Samples.box("hvcC", configuration + rest), Samples.box("ispe", [UInt8](repeating: 0, count: 12), rest),
        Samples.box("udes", Samples.secret), Samples.box("irot", [1], rest))
      return Samples.box(
        "meta", [0, 0, 0, 0],
        Samples.box(
          "hdlr", [UInt8](repeating: 0, count: 8), Array("pict".utf8), [UInt8](repeating: 0, count: 12), rest),
        Samples.box("pitm", [0, 0, 0, 0, 0, 1], rest),
        Samples.box(
          "iinf", [0, 0, 0, 0, 0, UInt8(items.count)], items.indices.flatMap { entry($0 + 1, items[$0].kind) }),
        Samples.box("iloc", [1, 0, 0, 0, 0x44, 0x00, 0, UInt8(items.count)], places, rest),
        Samples.box(
          "iprp", properties, Samples.box("ipma", [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 4, 0x81, 2, 3, 0x84], rest)),
        Samples.box("iref", [0, 0, 0, 0], Samples.box("cdsc", [0, 2, 0, 1, 0, 1], rest)),
        Samples.box("idat", isInData ? items.flatMap(\.data) : []), Samples.box("xml ", Samples.secret))
    }
    let brand = Samples.box("ftyp", Array("heic".utf8), [0, 0, 0, 0], Array("mif1".utf8))
    let size = brand.count + meta(offset: 0).count
    return isInData
      ? brand + meta(offset: 0) : brand + meta(offset: size + 8) + Samples.box("mdat", items.flatMap(\.data))
  }
}

extension Samples {
  static func box(_ name: String, _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap { $0 }
    return bigEndian(content.count + 8) + name.unicodeScalars.map { UInt8($0.value) } + content
  }
}
